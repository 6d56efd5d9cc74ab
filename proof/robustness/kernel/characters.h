/* What characters are, as Python wrote it to the file that the variable PROBLEX_CHARACTERS names: proof/robustness/kernel_fuzz.py.
 *
 * A counter asks for them a block at a time, as it does in Python. */
#ifndef CAMPAIGN_CHARACTERS_H
#define CAMPAIGN_CHARACTERS_H

#include "_kernel/kernel.h"

#include <pthread.h>
#include <stdio.h>

enum { POINTS = 0x110000, TABLES = 2 };

static uint32_t all_characters[TABLES][POINTS], known_characters[TABLES][POINTS];
static px_normalization normalization;
static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;

/* End the process with a report, and with the input that libFuzzer keeps, unless something holds. */
#define REQUIRE(holds) \
    do { if (!(holds)) { fprintf(stderr, "%s:%d: expected %s\n", __FILE__, __LINE__, #holds); abort(); } } while (0)

static void *read_array(FILE *file, size_t size, size_t *n) {
    uint64_t length;
    REQUIRE(fread(&length, sizeof length, 1, file) == 1);
    void *array = malloc((size_t)length * size);
    REQUIRE(array && fread(array, size, (size_t)length, file) == length);
    *n = (size_t)length;
    return array;
}

static int load_characters(px_counter *c, uint32_t block) {
    int table = c->plan.characters == known_characters[1];
    pthread_mutex_lock(&loading);
    if (block == PX_NORMALIZATION) c->plan.normalization = normalization;
    else memcpy(known_characters[table] + 256 * block, all_characters[table] + 256 * block, 256 * sizeof(uint32_t));
    pthread_mutex_unlock(&loading);
    return 0;
}

int LLVMFuzzerInitialize(int *arguments, char ***argument) {
    (void)arguments; (void)argument;
    const char *path = getenv("PROBLEX_CHARACTERS");
    FILE *file = path ? fopen(path, "rb") : NULL;
    REQUIRE(file);
    size_t n;
    for (int i = 0; i < TABLES; i++) {
        uint32_t *values = (uint32_t *)read_array(file, 4, &n);
        REQUIRE(n == POINTS);
        memcpy(all_characters[i], values, sizeof all_characters[i]);
        free(values);
#ifdef THREADS  /* Python fills the table while other threads read it, which this sanitizer would report */
        memcpy(known_characters[i], all_characters[i], sizeof known_characters[i]);
#else
        memcpy(known_characters[i], all_characters[i], 256 * sizeof(uint32_t));
#endif
    }
    normalization.point = (uint32_t *)read_array(file, 4, &normalization.size);
    normalization.end = (uint32_t *)read_array(file, 4, &n);
    normalization.part = (uint32_t *)read_array(file, 4, &n);
    normalization.pair = (uint64_t *)read_array(file, 8, &normalization.pairs);
    normalization.composed = (uint32_t *)read_array(file, 4, &n);
    fclose(file);
    return 0;
}

#endif
