/* What differs between compilers and processors. The rest of the kernel is C11 for little-endian processors with 64-bit
 * sizes: x86-64 and ARM, on Linux, macOS and Windows.
 *
 * Define PX_PORTABLE to compile the plain C replacements of all builtins and vector instructions, which compilers other
 * than GCC and Clang get: a test checks that both count the same. */
#ifndef PROBLEX_PLATFORM_H
#define PROBLEX_PLATFORM_H

/* The first bytes of a word are compared as a number, of which a shorter word has only the low bytes. */
#if defined(__BYTE_ORDER__) && defined(__ORDER_LITTLE_ENDIAN__)
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the counter of problex needs a little-endian processor"
#endif
#elif !defined(_WIN32)
#error "the byte order of this processor is unknown: the counter of problex needs a little-endian one"
#endif

#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(CHAR_BIT == 8, "a byte has eight bits");
_Static_assert(sizeof(size_t) == 8 && sizeof(void *) == 8, "sizes of arrays are computed with 64 bits");

#if (defined(__GNUC__) || defined(__clang__)) && !defined(PX_PORTABLE)
#define PX_INLINE static inline __attribute__((always_inline))
#define PX_LIKELY(x) __builtin_expect(!!(x), 1)
#define PX_PREFETCH(p) __builtin_prefetch(p)
#define PX_POPCOUNT(x) __builtin_popcountll(x)
#define PX_CTZ(x) __builtin_ctzll(x)  /* the number of zeros behind the last one; x is not 0 */
#if defined(__x86_64__)
#include <immintrin.h>
#define PX_X86 1
#define PX_AVX2 __attribute__((target("avx2,bmi,bmi2,popcnt,lzcnt")))
#define PX_AVX512 __attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi2,bmi,bmi2,popcnt,lzcnt")))
#endif
#else
#define PX_INLINE static inline
#define PX_LIKELY(x) (x)
#define PX_PREFETCH(p) ((void)(p))
static inline int PX_POPCOUNT(uint64_t x) {
    x -= x >> 1 & 0x5555555555555555ull;
    x = (x & 0x3333333333333333ull) + (x >> 2 & 0x3333333333333333ull);
    x = (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0Full;
    return (int)(x * 0x0101010101010101ull >> 56);
}
static inline int PX_CTZ(uint64_t x) { return PX_POPCOUNT(~x & (x - 1)); }
#endif

/* Which instructions this processor has: 0 plain C, 1 AVX2, 2 AVX-512. */
static int px_fastest(void) {
#ifdef PX_X86
    int wide = __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
    if (wide && __builtin_cpu_supports("avx512vbmi2")) return 2;
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
#else
    return 0;
#endif
}

/* The product of two 64-bit numbers: the low 64 bits, and in *high the others. */
PX_INLINE uint64_t px_multiply(uint64_t a, uint64_t b, uint64_t *high) {
#if defined(__SIZEOF_INT128__) && !defined(PX_PORTABLE)
    __uint128_t product = (__uint128_t)a * b;
    *high = (uint64_t)(product >> 64);
    return (uint64_t)product;
#else
    uint64_t a0 = a & UINT32_MAX, a1 = a >> 32, b0 = b & UINT32_MAX, b1 = b >> 32;
    uint64_t low = a0 * b0, middle = a1 * b0 + (low >> 32), other = a0 * b1 + (middle & UINT32_MAX);
    *high = a1 * b1 + (middle >> 32) + (other >> 32);
    return other << 32 | (low & UINT32_MAX);
#endif
}

/* A lock that nobody waits for: px_try_lock is 1 for the one who gets it, 0 for all others until px_unlock. */
#if defined(PX_PORTABLE)
typedef char px_lock;
#define PX_UNLOCKED 0
static inline int px_try_lock(px_lock *lock) { (void)lock; return 0; }
static inline void px_unlock(px_lock *lock) { (void)lock; }
#elif defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
typedef volatile char px_lock;
#define PX_UNLOCKED 0
static inline int px_try_lock(px_lock *lock) { return _InterlockedExchange8(lock, 1) == 0; }
static inline void px_unlock(px_lock *lock) { _InterlockedExchange8(lock, 0); }
#else
#include <stdatomic.h>
typedef atomic_flag px_lock;
#define PX_UNLOCKED ATOMIC_FLAG_INIT
static inline int px_try_lock(px_lock *lock) { return !atomic_flag_test_and_set_explicit(lock, memory_order_acquire); }
static inline void px_unlock(px_lock *lock) { atomic_flag_clear_explicit(lock, memory_order_release); }
#endif

#endif
