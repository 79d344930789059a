/* Writes a text: to standard output, or by semihosting (board.c). */
#ifndef SAY_H
#define SAY_H

#if __STDC_HOSTED__
#include <stdio.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

#if __STDC_HOSTED__
static inline void say(const char *text) { fputs(text, stdout); }
#else
void say(const char *text);
#endif

#ifdef __cplusplus
}
#endif

#endif
