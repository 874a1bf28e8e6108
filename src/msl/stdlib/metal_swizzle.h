// Swizzles as properties: `v.zyx` calls the getter __get_zyx, `v.zyx = w` the setter __set_zyx.
// Setters exist only where no component repeats, and give the value of the assignment. ASSAY_SWIZZLES_<n> declares all swizzles of an
// n-component vector; each component travels as a pair of names: x r, y g, z b, w a.
#pragma once

#include "metal_config.h"

#define ASSAY_CAT2_(a, b) a##b
#define ASSAY_CAT2(a, b) ASSAY_CAT2_(a, b)
#define ASSAY_CAT4_(a, b, c, d) a##b##c##d
#define ASSAY_CAT4(a, b, c, d) ASSAY_CAT4_(a, b, c, d)
#define ASSAY_CAT5_(a, b, c, d, e) a##b##c##d##e
#define ASSAY_CAT5(a, b, c, d, e) ASSAY_CAT5_(a, b, c, d, e)

// 1 where two components differ.
#define ASSAY_DIFFER_xx 0
#define ASSAY_DIFFER_xy 1
#define ASSAY_DIFFER_xz 1
#define ASSAY_DIFFER_xw 1
#define ASSAY_DIFFER_yx 1
#define ASSAY_DIFFER_yy 0
#define ASSAY_DIFFER_yz 1
#define ASSAY_DIFFER_yw 1
#define ASSAY_DIFFER_zx 1
#define ASSAY_DIFFER_zy 1
#define ASSAY_DIFFER_zz 0
#define ASSAY_DIFFER_zw 1
#define ASSAY_DIFFER_wx 1
#define ASSAY_DIFFER_wy 1
#define ASSAY_DIFFER_wz 1
#define ASSAY_DIFFER_ww 0

#define ASSAY_ALL_000 0
#define ASSAY_ALL_001 0
#define ASSAY_ALL_010 0
#define ASSAY_ALL_011 0
#define ASSAY_ALL_100 0
#define ASSAY_ALL_101 0
#define ASSAY_ALL_110 0
#define ASSAY_ALL_111 1
#define ASSAY_ALL_0000 0
#define ASSAY_ALL_0001 0
#define ASSAY_ALL_0010 0
#define ASSAY_ALL_0011 0
#define ASSAY_ALL_0100 0
#define ASSAY_ALL_0101 0
#define ASSAY_ALL_0110 0
#define ASSAY_ALL_0111 0
#define ASSAY_ALL_1000 0
#define ASSAY_ALL_1001 0
#define ASSAY_ALL_1010 0
#define ASSAY_ALL_1011 0
#define ASSAY_ALL_1100 0
#define ASSAY_ALL_1101 0
#define ASSAY_ALL_1110 0
#define ASSAY_ALL_1111 1

#define ASSAY_DISTINCT2(a, b) ASSAY_DIFFER_##a##b
#define ASSAY_DISTINCT3(a, b, c) \
  ASSAY_CAT4(ASSAY_ALL_, ASSAY_DIFFER_##a##b, ASSAY_DIFFER_##a##c, ASSAY_DIFFER_##b##c)
#define ASSAY_DISTINCT4(a, b, c, d)                                                          \
  ASSAY_CAT5(ASSAY_ALL_, ASSAY_DISTINCT3(a, b, c), ASSAY_DIFFER_##a##d, ASSAY_DIFFER_##b##d, \
             ASSAY_DIFFER_##c##d)

// One property under both alphabets, with a setter if `writable` is 1.
#define ASSAY_PROPERTY_0(type, name, color)           \
  __declspec(property(get = __get_##name)) type name; \
  __declspec(property(get = __get_##name)) type color;
#define ASSAY_PROPERTY_1(type, name, color)                               \
  __declspec(property(get = __get_##name, put = __set_##name)) type name; \
  __declspec(property(get = __get_##name, put = __set_##name)) type color;
#define ASSAY_PROPERTY(writable, type, name, color) \
  ASSAY_CAT2(ASSAY_PROPERTY_, writable)(type, name, color)

#define ASSAY_GETTERS(type, name, ...)                                                   \
  METAL_FUNC constexpr type __get_##name() const ASSAY_ANY { return type(__VA_ARGS__); } \
  METAL_FUNC constexpr type __get_##name() const constant { return type(__VA_ARGS__); }

#define ASSAY_SETTERS_0(type, name, ...)
#define ASSAY_SETTERS_1(type, name, ...)                                             \
  METAL_FUNC constexpr type __set_##name(type v) ASSAY_ANY { __VA_ARGS__ return v; }
#define ASSAY_SETTERS(writable, type, name, ...) \
  ASSAY_CAT2(ASSAY_SETTERS_, writable)(type, name, __VA_ARGS__)

#define ASSAY_VEC2 __assay::vec2<T>
#define ASSAY_VEC3 __assay::vec3<T>
#define ASSAY_VEC4 __assay::vec4<T>

#define ASSAY_SWIZZLE1(a, A)    \
  ASSAY_GETTERS(T, a, a)        \
  ASSAY_SETTERS_1(T, a, a = v;) \
  __declspec(property(get = __get_##a, put = __set_##a)) T A;
#define ASSAY_SWIZZLE2(a, A, b, B)                                          \
  ASSAY_GETTERS(ASSAY_VEC2, a##b, a, b)                                     \
  ASSAY_SETTERS(ASSAY_DISTINCT2(a, b), ASSAY_VEC2, a##b, a = v.x; b = v.y;) \
  ASSAY_PROPERTY(ASSAY_DISTINCT2(a, b), ASSAY_VEC2, a##b, A##B)
#define ASSAY_SWIZZLE3(a, A, b, B, c, C)                                                   \
  ASSAY_GETTERS(ASSAY_VEC3, a##b##c, a, b, c)                                              \
  ASSAY_SETTERS(ASSAY_DISTINCT3(a, b, c), ASSAY_VEC3, a##b##c, a = v.x; b = v.y; c = v.z;) \
  ASSAY_PROPERTY(ASSAY_DISTINCT3(a, b, c), ASSAY_VEC3, a##b##c, A##B##C)
#define ASSAY_SWIZZLE4(a, A, b, B, c, C, d, D)                                         \
  ASSAY_GETTERS(ASSAY_VEC4, a##b##c##d, a, b, c, d)                                    \
  ASSAY_SETTERS(ASSAY_DISTINCT4(a, b, c, d), ASSAY_VEC4, a##b##c##d, a = v.x; b = v.y; \
                c = v.z; d = v.w;)                                                     \
  ASSAY_PROPERTY(ASSAY_DISTINCT4(a, b, c, d), ASSAY_VEC4, a##b##c##d, A##B##C##D)

// All words of up to four letters over the first n components, one level per letter.
#define ASSAY_WORD2_2(...) ASSAY_SWIZZLE2(__VA_ARGS__, x, r) ASSAY_SWIZZLE2(__VA_ARGS__, y, g)
#define ASSAY_WORD3_2(...) ASSAY_SWIZZLE3(__VA_ARGS__, x, r) ASSAY_SWIZZLE3(__VA_ARGS__, y, g)
#define ASSAY_WORD4_2(...) ASSAY_SWIZZLE4(__VA_ARGS__, x, r) ASSAY_SWIZZLE4(__VA_ARGS__, y, g)
#define ASSAY_WORD2_3(...) ASSAY_WORD2_2(__VA_ARGS__) ASSAY_SWIZZLE2(__VA_ARGS__, z, b)
#define ASSAY_WORD3_3(...) ASSAY_WORD3_2(__VA_ARGS__) ASSAY_SWIZZLE3(__VA_ARGS__, z, b)
#define ASSAY_WORD4_3(...) ASSAY_WORD4_2(__VA_ARGS__) ASSAY_SWIZZLE4(__VA_ARGS__, z, b)
#define ASSAY_WORD2_4(...) ASSAY_WORD2_3(__VA_ARGS__) ASSAY_SWIZZLE2(__VA_ARGS__, w, a)
#define ASSAY_WORD3_4(...) ASSAY_WORD3_3(__VA_ARGS__) ASSAY_SWIZZLE3(__VA_ARGS__, w, a)
#define ASSAY_WORD4_4(...) ASSAY_WORD4_3(__VA_ARGS__) ASSAY_SWIZZLE4(__VA_ARGS__, w, a)

#define ASSAY_PAIRS_2(M, ...) M(__VA_ARGS__, x, r) M(__VA_ARGS__, y, g)
#define ASSAY_PAIRS_3(M, ...) ASSAY_PAIRS_2(M, __VA_ARGS__) M(__VA_ARGS__, z, b)
#define ASSAY_PAIRS_4(M, ...) ASSAY_PAIRS_3(M, __VA_ARGS__) M(__VA_ARGS__, w, a)
#define ASSAY_TRIPLES_2(M, ...) \
  ASSAY_PAIRS_2(M, __VA_ARGS__, x, r) ASSAY_PAIRS_2(M, __VA_ARGS__, y, g)
#define ASSAY_TRIPLES_3(M, ...)                                           \
  ASSAY_PAIRS_3(M, __VA_ARGS__, x, r) ASSAY_PAIRS_3(M, __VA_ARGS__, y, g) \
  ASSAY_PAIRS_3(M, __VA_ARGS__, z, b)
#define ASSAY_TRIPLES_4(M, ...)                                           \
  ASSAY_PAIRS_4(M, __VA_ARGS__, x, r) ASSAY_PAIRS_4(M, __VA_ARGS__, y, g) \
  ASSAY_PAIRS_4(M, __VA_ARGS__, z, b) ASSAY_PAIRS_4(M, __VA_ARGS__, w, a)

#define ASSAY_SWIZZLES_FROM(n, a, A)                                                \
  ASSAY_SWIZZLE1(a, A) ASSAY_WORD2_##n(a, A) ASSAY_PAIRS_##n(ASSAY_WORD3_##n, a, A) \
  ASSAY_TRIPLES_##n(ASSAY_WORD4_##n, a, A)

#define ASSAY_SWIZZLES_2 ASSAY_SWIZZLES_FROM(2, x, r) ASSAY_SWIZZLES_FROM(2, y, g)
#define ASSAY_SWIZZLES_3 \
  ASSAY_SWIZZLES_FROM(3, x, r) ASSAY_SWIZZLES_FROM(3, y, g) ASSAY_SWIZZLES_FROM(3, z, b)
#define ASSAY_SWIZZLES_4                                    \
  ASSAY_SWIZZLES_FROM(4, x, r) ASSAY_SWIZZLES_FROM(4, y, g) \
  ASSAY_SWIZZLES_FROM(4, z, b) ASSAY_SWIZZLES_FROM(4, w, a)
