#ifndef CPHONENUMBER_H
#define CPHONENUMBER_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Writes a phone number in international form ("+377 98 06 00 00") and ends it with a zero byte.
///
/// region: the country whose rules a number without "+" is read by, two capital letters; may be empty.
/// Returns the number of bytes without the zero, or -1 for what is no possible number, or does not fit.
long sx_phone_international(const char *_Nonnull number, const char *_Nonnull region, char *_Nonnull result, size_t capacity);

#ifdef __cplusplus
}
#endif

#endif
