/* Reads a pack of `sweep vectors` in both of its forms: read_vectors LINES.txt PACK.npz MEMBER prints the number of
 * vectors and a sum over all of their bytes, and fails if the two forms differ.
 *
 * An .npz is a ZIP archive whose members are not compressed; a member is a header of NumPy and then records of
 * little-endian unsigned integers, in the order of the line's numbers. The header names their widths. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 128 /* numbers of a line, the flags included */

static unsigned char *file_of(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0) return NULL;
    *size = (size_t)ftell(file);
    rewind(file);
    unsigned char *bytes = malloc(*size + 1);
    if (!bytes || fread(bytes, 1, *size, file) != *size) return NULL;
    bytes[*size] = 0;
    fclose(file);
    return bytes;
}

static uint64_t little(const unsigned char *at, int width) {
    uint64_t value = 0;
    for (int k = 0; k < width; k++) value |= (uint64_t)at[k] << 8 * k;
    return value;
}

/* The member's bytes, by the local headers of the archive. */
static const unsigned char *member_of(const unsigned char *zip, size_t size, const char *name) {
    size_t at = 0;
    while (at + 30 <= size && little(zip + at, 4) == 0x04034B50) {
        size_t bytes = little(zip + at + 18, 4), letters = little(zip + at + 26, 2), extra = little(zip + at + 28, 2);
        const unsigned char *data = zip + at + 30 + letters + extra;
        if (letters == strlen(name) && memcmp(zip + at + 30, name, letters) == 0) return data;
        at = (size_t)(data - zip) + bytes;
    }
    return NULL;
}

/* The widths in bytes of a record's numbers: `('a', '<u2'), ('x', '|u1', (32,)), ...`. */
static int widths_of(const char *header, const char *end, int *widths) {
    int count = 0;
    for (const char *at = header; at < end; at++) {
        if (at[0] != 'u' || (at[-1] != '<' && at[-1] != '|')) continue;
        int repeat = at[3] == ',' ? atoi(at + 6) : 1;
        for (int k = 0; k < repeat && count < MOST; k++) widths[count++] = at[1] - '0';
    }
    return count;
}

int main(int argc, char **argv) {
    size_t text_size, zip_size;
    if (argc != 4) return fprintf(stderr, "usage: read_vectors LINES.txt PACK.npz MEMBER\n"), 2;
    char *text = (char *)file_of(argv[1], &text_size);
    unsigned char *zip = file_of(argv[2], &zip_size);
    if (!text || !zip) return fprintf(stderr, "a file cannot be read\n"), 2;
    const unsigned char *array = member_of(zip, zip_size, argv[3]);
    if (!array || memcmp(array, "\x93NUMPY\x01\0", 8) != 0) return fprintf(stderr, "no array %s\n", argv[3]), 2;
    const char *header = (const char *)array + 10;
    const unsigned char *record = array + 10 + little(array + 8, 2);
    int widths[MOST], count = widths_of(header, (const char *)record, widths);
    const char *shape = strstr(header, "'shape': (");
    long vectors = shape ? atol(shape + 10) : -1;
    uint64_t sum = 0;
    for (long line = 0; line < vectors; line++) {
        for (int k = 0; k < count; k++) {
            char *end;
            uint64_t number = strtoull(text, &end, 16), same = little(record, widths[k]);
            if (end == text || number != same) return fprintf(stderr, "line %ld: the forms differ\n", line + 1), 1;
            text = end;
            record += widths[k];
            sum += number;
        }
    }
    if (strtok(text, " \n")) return fprintf(stderr, "the array is shorter than the text\n"), 1;
    printf("%ld vectors, sum %016llX\n", vectors, (unsigned long long)sum);
    return 0;
}
