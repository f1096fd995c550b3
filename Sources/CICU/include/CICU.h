#pragma once
#include <stdint.h>

// A thin face over ICU's transliterators. ICU's own headers stay in the .c file: a module over them clashes with the
// ICU inside Foundation.
typedef struct sx_trans sx_trans;

sx_trans *sx_trans_open(const uint16_t *id, int32_t length, int32_t *error);
sx_trans *sx_trans_clone(const sx_trans *transliterator, int32_t *error);
void sx_trans_close(sx_trans *transliterator);
// Transliterates in place; returns the new length, or the needed length with an error when `capacity` is too small.
int32_t sx_trans_apply(const sx_trans *transliterator, uint16_t *text, int32_t length, int32_t capacity, int32_t *error);
// The code of three letters of a locale's country ("und_LI": "LIE"); empty where there is none.
const char *sx_country_alpha3(const char *locale);
// ICU's version, such as "72.1".
const char *sx_icu_version(void);
// Whether a character belongs to the script Han.
int32_t sx_is_han(uint32_t scalar);
