#include "CICU.h"
#include <unicode/uloc.h>
#include <unicode/uscript.h>
#include <unicode/utrans.h>
#include <unicode/uvernum.h>

sx_trans *sx_trans_open(const uint16_t *id, int32_t length, int32_t *error) {
    UErrorCode code = U_ZERO_ERROR;
    UTransliterator *t = utrans_openU((const UChar *)id, length, UTRANS_FORWARD, 0, 0, 0, &code);
    *error = code;
    return (sx_trans *)t;
}

sx_trans *sx_trans_clone(const sx_trans *transliterator, int32_t *error) {
    UErrorCode code = U_ZERO_ERROR;
    UTransliterator *t = utrans_clone((const UTransliterator *)transliterator, &code);
    *error = code;
    return (sx_trans *)t;
}

void sx_trans_close(sx_trans *transliterator) { utrans_close((UTransliterator *)transliterator); }

int32_t sx_trans_apply(const sx_trans *transliterator, uint16_t *text, int32_t length, int32_t capacity, int32_t *error) {
    UErrorCode code = U_ZERO_ERROR;
    int32_t limit = length, n = length;
    utrans_transUChars((const UTransliterator *)transliterator, (UChar *)text, &n, capacity, 0, &limit, &code);
    *error = code;
    return n;
}

const char *sx_country_alpha3(const char *locale) { return uloc_getISO3Country(locale); }

const char *sx_icu_version(void) { return U_ICU_VERSION; }

int32_t sx_is_han(uint32_t scalar) {
    UErrorCode code = U_ZERO_ERROR;
    return uscript_getScript((UChar32)scalar, &code) == USCRIPT_HAN && U_SUCCESS(code);
}
