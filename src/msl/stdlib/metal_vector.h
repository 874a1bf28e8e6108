// vec<T, N>: a struct of scalars, so that nothing but scalar code reaches the code generator.
// Operators are friends of the class: a scalar operand becomes a vector by the splat constructor,
// and nothing here is considered for types that are no vectors.
#pragma once

#include "assay_conversion.h"
#include "metal_swizzle.h"
#include "metal_type_traits.h"

namespace metal {
namespace __assay {

template <typename T>
constexpr constant bool is_packed = false;
template <typename T, int N>
constexpr constant bool is_packed<packed_vec<T, N>> = true;
// What a packed vector among the arguments of a constructor turns into first.
template <typename T>
struct unpacked {
  typedef T type;
};
template <typename T, int N>
struct unpacked<packed_vec<T, N>> {
  typedef vec<T, N> type;
};

}  // namespace __assay

#define ASSAY_EACH_2(M, op) M(x, op), M(y, op)
#define ASSAY_EACH_3(M, op) M(x, op), M(y, op), M(z, op)
#define ASSAY_EACH_4(M, op) M(x, op), M(y, op), M(z, op), M(w, op)
#define ASSAY_DO_2(M, op) M(x, op) M(y, op)
#define ASSAY_DO_3(M, op) ASSAY_DO_2(M, op) M(z, op)
#define ASSAY_DO_4(M, op) ASSAY_DO_3(M, op) M(w, op)

#define ASSAY_BINARY_ELEMENT(c, op) T(a.c op b.c)
#define ASSAY_COMPARE_ELEMENT(c, op) a.c op b.c
#define ASSAY_UNARY_ELEMENT(c, op) T(op a.c)
#define ASSAY_NOT_ELEMENT(c, op) !a.c
#define ASSAY_ASSIGN_ELEMENT(c, op) c = T(c op b.c);

#define ASSAY_VEC_BINARY(n, op)                               \
  friend METAL_FUNC constexpr vec operator op(vec a, vec b) { \
    return vec(ASSAY_EACH_##n(ASSAY_BINARY_ELEMENT, op));     \
  }
#define ASSAY_VEC_INTEGER_BINARY(n, op)                                        \
  friend METAL_FUNC constexpr vec operator op(vec a, vec b) {                  \
    static_assert(__is_integral(T), "operator " #op " needs integer vectors"); \
    return vec(ASSAY_EACH_##n(ASSAY_BINARY_ELEMENT, op));                      \
  }
#define ASSAY_VEC_COMPARE(n, op)                                              \
  friend METAL_FUNC constexpr metal::vec<bool, n> operator op(vec a, vec b) { \
    return metal::vec<bool, n>(ASSAY_EACH_##n(ASSAY_COMPARE_ELEMENT, op));    \
  }
#define ASSAY_VEC_ASSIGN_IN(n, op, space)                       \
  METAL_FUNC constexpr space vec& operator op##=(vec b) space { \
    ASSAY_DO_##n(ASSAY_ASSIGN_ELEMENT, op) return *this;        \
  }
#define ASSAY_VEC_ASSIGN(n, op)           \
  ASSAY_VEC_ASSIGN_IN(n, op, thread)      \
  ASSAY_VEC_ASSIGN_IN(n, op, device)      \
  ASSAY_VEC_ASSIGN_IN(n, op, threadgroup) \
  ASSAY_VEC_ASSIGN_IN(n, op, ASSAY_ANY)

#define ASSAY_VEC_STEP_IN(op, space)                                                        \
  METAL_FUNC constexpr space vec& operator op##op() space { return *this op##= vec(T(1)); } \
  METAL_FUNC constexpr vec operator op##op(int) space {                                     \
    vec before(*this);                                                                      \
    *this op##= vec(T(1));                                                                  \
    return before;                                                                          \
  }
#define ASSAY_VEC_STEP(op)                                    \
  ASSAY_VEC_STEP_IN(op, thread) ASSAY_VEC_STEP_IN(op, device) \
  ASSAY_VEC_STEP_IN(op, threadgroup)

// Constant evaluation cannot step from one member to the next; running code can.
#define ASSAY_PICK_2(i) ((i) == 0 ? x : y)
#define ASSAY_PICK_3(i) ((i) == 0 ? x : (i) == 1 ? y : z)
#define ASSAY_PICK_4(i) ((i) == 0 ? x : (i) == 1 ? y : (i) == 2 ? z : w)
#define ASSAY_VEC_AT(n, i)                                         \
  if (__builtin_is_constant_evaluated()) return ASSAY_PICK_##n(i); \
  return (&x)[i];
// The && overload serves results of calls: without it, every address space would fit them alike.
#define ASSAY_VEC_SUBSCRIPT(n)                                                               \
  METAL_FUNC constexpr thread T& operator[](long i) thread& { ASSAY_VEC_AT(n, i) }           \
  METAL_FUNC constexpr device T& operator[](long i) device& { ASSAY_VEC_AT(n, i) }           \
  METAL_FUNC constexpr threadgroup T& operator[](long i) threadgroup& { ASSAY_VEC_AT(n, i) } \
  METAL_FUNC constexpr ASSAY_ANY T& operator[](long i) ASSAY_ANY& { ASSAY_VEC_AT(n, i) }     \
  METAL_FUNC constexpr T operator[](long i) ASSAY_ANY&& { ASSAY_VEC_AT(n, i) }               \
  METAL_FUNC constexpr T operator[](long i) const ASSAY_ANY& { ASSAY_VEC_AT(n, i) }          \
  METAL_FUNC constexpr T operator[](long i) const constant& { ASSAY_VEC_AT(n, i) }

#define ASSAY_VEC_MEMBERS(n)                                                           \
  ASSAY_VEC_SUBSCRIPT(n)                                                               \
  ASSAY_SWIZZLES_##n                                                                   \
  ASSAY_VEC_BINARY(n, +) ASSAY_VEC_BINARY(n, -) ASSAY_VEC_BINARY(n, *)                 \
  ASSAY_VEC_BINARY(n, /) ASSAY_VEC_INTEGER_BINARY(n, %) ASSAY_VEC_INTEGER_BINARY(n, &) \
  ASSAY_VEC_INTEGER_BINARY(n, |) ASSAY_VEC_INTEGER_BINARY(n, ^)                        \
  ASSAY_VEC_INTEGER_BINARY(n, <<) ASSAY_VEC_INTEGER_BINARY(n, >>)                      \
  ASSAY_VEC_COMPARE(n, ==) ASSAY_VEC_COMPARE(n, !=) ASSAY_VEC_COMPARE(n, <)            \
  ASSAY_VEC_COMPARE(n, <=) ASSAY_VEC_COMPARE(n, >) ASSAY_VEC_COMPARE(n, >=)            \
  ASSAY_VEC_COMPARE(n, &&) ASSAY_VEC_COMPARE(n, ||)                                    \
  friend METAL_FUNC constexpr vec operator-(vec a) {                                   \
    return vec(ASSAY_EACH_##n(ASSAY_UNARY_ELEMENT, -));                                \
  }                                                                                    \
  friend METAL_FUNC constexpr vec operator+(vec a) { return a; }                       \
  friend METAL_FUNC constexpr vec operator~(vec a) {                                   \
    static_assert(__is_integral(T), "operator ~ needs an integer vector");             \
    return vec(ASSAY_EACH_##n(ASSAY_UNARY_ELEMENT, ~));                                \
  }                                                                                    \
  friend METAL_FUNC constexpr metal::vec<bool, n> operator!(vec a) {                   \
    return metal::vec<bool, n>(ASSAY_EACH_##n(ASSAY_NOT_ELEMENT, !));                  \
  }                                                                                    \
  ASSAY_VEC_ASSIGN(n, +) ASSAY_VEC_ASSIGN(n, -) ASSAY_VEC_ASSIGN(n, *)                 \
  ASSAY_VEC_ASSIGN(n, /) ASSAY_VEC_ASSIGN(n, %) ASSAY_VEC_ASSIGN(n, &)                 \
  ASSAY_VEC_ASSIGN(n, |) ASSAY_VEC_ASSIGN(n, ^) ASSAY_VEC_ASSIGN(n, <<)                \
  ASSAY_VEC_ASSIGN(n, >>) ASSAY_VEC_STEP(+) ASSAY_VEC_STEP(-)

// Every mix of scalars and shorter vectors that adds up to the size; a longer vector loses its last
// components. Three scalars make a vector of four as well: `uint4 v = {a, b, c};` leaves the rest
// zero.
#define ASSAY_VEC_FROM_PACKED(space)                                               \
  template <typename... A, typename = enable_if_t<(sizeof...(A) > 1) &&            \
                                                  (__assay::is_packed<A> || ...)>> \
  METAL_FUNC constexpr vec(A... a) space : vec(typename __assay::unpacked<A>::type(a)...) {}
#define ASSAY_VEC2_CONSTRUCTORS(space)                              \
  template <typename A>                                             \
  METAL_FUNC explicit constexpr vec(metal::vec<A, 3> a) space       \
      : x(__assay::convert<T>(a.x)), y(__assay::convert<T>(a.y)) {} \
  template <typename A>                                             \
  METAL_FUNC explicit constexpr vec(metal::vec<A, 4> a) space       \
      : x(__assay::convert<T>(a.x)), y(__assay::convert<T>(a.y)) {} \
  METAL_FUNC constexpr vec(T s) space : x(s), y(s) {}               \
  METAL_FUNC constexpr vec(T a, T b) space : x(a), y(b) {}          \
  template <typename A, typename B>                                 \
  METAL_FUNC constexpr vec(A a, B b) space                          \
      : x(__assay::convert<T>(a)), y(__assay::convert<T>(b)) {}     \
  template <typename A>                                             \
  METAL_FUNC explicit constexpr vec(metal::vec<A, 2> a) space       \
      : x(__assay::convert<T>(a.x)), y(__assay::convert<T>(a.y)) {} \
  template <typename A>                                             \
  METAL_FUNC explicit constexpr vec(packed_vec<A, 2> a) space       \
      : x(__assay::convert<T>(a.x)), y(__assay::convert<T>(a.y)) {}

#define ASSAY_VEC3_CONSTRUCTORS(space)                                                         \
  ASSAY_VEC_FROM_PACKED(space)                                                                 \
  template <typename A>                                                                        \
  METAL_FUNC explicit constexpr vec(metal::vec<A, 4> a) space                                  \
      : x(__assay::convert<T>(a.x)), y(__assay::convert<T>(a.y)),                              \
        z(__assay::convert<T>(a.z)) {}                                                         \
  METAL_FUNC constexpr vec(T s) space : x(s), y(s), z(s) {}                                    \
  METAL_FUNC constexpr vec(T a, T b, T c) space : x(a), y(b), z(c) {}                          \
  template <typename A, typename B, typename C>                                                \
  METAL_FUNC constexpr vec(A a, B b, C c) space                                                \
      : x(__assay::convert<T>(a)), y(__assay::convert<T>(b)), z(__assay::convert<T>(c)) {}     \
  template <typename A, typename B>                                                            \
  METAL_FUNC constexpr vec(A a, metal::vec<B, 2> b) space                                      \
      : x(__assay::convert<T>(a)), y(__assay::convert<T>(b.x)), z(__assay::convert<T>(b.y)) {} \
  template <typename A, typename B>                                                            \
  METAL_FUNC constexpr vec(metal::vec<A, 2> a, B b) space                                      \
      : x(__assay::convert<T>(a.x)), y(__assay::convert<T>(a.y)), z(__assay::convert<T>(b)) {} \
  template <typename A>                                                                        \
  METAL_FUNC explicit constexpr vec(metal::vec<A, 3> a) space                                  \
      : x(__assay::convert<T>(a.x)), y(__assay::convert<T>(a.y)),                              \
        z(__assay::convert<T>(a.z)) {}                                                         \
  template <typename A>                                                                        \
  METAL_FUNC explicit constexpr vec(packed_vec<A, 3> a) space                                  \
      : x(__assay::convert<T>(a.x)), y(__assay::convert<T>(a.y)),                              \
        z(__assay::convert<T>(a.z)) {}

#define ASSAY_VEC4_CONSTRUCTORS(space)                                                         \
  ASSAY_VEC_FROM_PACKED(space)                                                                 \
  METAL_FUNC constexpr vec(T s) space : x(s), y(s), z(s), w(s) {}                              \
  template <typename A, typename B, typename C,                                                \
            typename = enable_if_t<!(__assay::is_packed<A> || __assay::is_packed<B> ||         \
                                     __assay::is_packed<C>)>>                                  \
  METAL_FUNC constexpr vec(A a, B b, C c) space                                                \
      : x(__assay::convert<T>(a)), y(__assay::convert<T>(b)), z(__assay::convert<T>(c)),       \
        w(T(0)) {}                                                                             \
  METAL_FUNC constexpr vec(T a, T b, T c, T d) space : x(a), y(b), z(c), w(d) {}               \
  template <typename A, typename B, typename C, typename D>                                    \
  METAL_FUNC constexpr vec(A a, B b, C c, D d) space                                           \
      : x(__assay::convert<T>(a)), y(__assay::convert<T>(b)), z(__assay::convert<T>(c)),       \
        w(__assay::convert<T>(d)) {}                                                           \
  template <typename A, typename B, typename C>                                                \
  METAL_FUNC constexpr vec(A a, B b, metal::vec<C, 2> c) space                                 \
      : x(__assay::convert<T>(a)), y(__assay::convert<T>(b)), z(__assay::convert<T>(c.x)),     \
        w(__assay::convert<T>(c.y)) {}                                                         \
  template <typename A, typename B, typename C>                                                \
  METAL_FUNC constexpr vec(A a, metal::vec<B, 2> b, C c) space                                 \
      : x(__assay::convert<T>(a)), y(__assay::convert<T>(b.x)), z(__assay::convert<T>(b.y)),   \
        w(__assay::convert<T>(c)) {}                                                           \
  template <typename A, typename B, typename C>                                                \
  METAL_FUNC constexpr vec(metal::vec<A, 2> a, B b, C c) space                                 \
      : x(__assay::convert<T>(a.x)), y(__assay::convert<T>(a.y)), z(__assay::convert<T>(b)),   \
        w(__assay::convert<T>(c)) {}                                                           \
  template <typename A, typename B>                                                            \
  METAL_FUNC constexpr vec(A a, metal::vec<B, 3> b) space                                      \
      : x(__assay::convert<T>(a)), y(__assay::convert<T>(b.x)), z(__assay::convert<T>(b.y)),   \
        w(__assay::convert<T>(b.z)) {}                                                         \
  template <typename A, typename B>                                                            \
  METAL_FUNC constexpr vec(metal::vec<A, 2> a, metal::vec<B, 2> b) space                       \
      : x(__assay::convert<T>(a.x)), y(__assay::convert<T>(a.y)), z(__assay::convert<T>(b.x)), \
        w(__assay::convert<T>(b.y)) {}                                                         \
  template <typename A, typename B>                                                            \
  METAL_FUNC constexpr vec(metal::vec<A, 3> a, B b) space                                      \
      : x(__assay::convert<T>(a.x)), y(__assay::convert<T>(a.y)), z(__assay::convert<T>(a.z)), \
        w(__assay::convert<T>(b)) {}                                                           \
  template <typename A>                                                                        \
  METAL_FUNC explicit constexpr vec(metal::vec<A, 4> a) space                                  \
      : x(__assay::convert<T>(a.x)), y(__assay::convert<T>(a.y)),                              \
        z(__assay::convert<T>(a.z)), w(__assay::convert<T>(a.w)) {}                            \
  template <typename A>                                                                        \
  METAL_FUNC explicit constexpr vec(packed_vec<A, 4> a) space                                  \
      : x(__assay::convert<T>(a.x)), y(__assay::convert<T>(a.y)),                              \
        z(__assay::convert<T>(a.z)), w(__assay::convert<T>(a.w)) {}

namespace __vectors {

template <typename T>
struct alignas(2 * sizeof(T)) vec<T, __components[2]> {
  T x, y;

  vec() = default;
  METAL_FUNC constexpr vec() constant : x(0), y(0) {}
  ASSAY_VEC2_CONSTRUCTORS()
  ASSAY_VEC2_CONSTRUCTORS(constant)
  ASSAY_VEC_MEMBERS(2)
};

template <typename T>
struct alignas(4 * sizeof(T)) vec<T, __components[3]> {
  T x, y, z;

  vec() = default;
  METAL_FUNC constexpr vec() constant : x(0), y(0), z(0) {}
  ASSAY_VEC3_CONSTRUCTORS()
  ASSAY_VEC3_CONSTRUCTORS(constant)
  ASSAY_VEC_MEMBERS(3)
};

template <typename T>
struct alignas(4 * sizeof(T)) vec<T, __components[4]> {
  T x, y, z, w;

  vec() = default;
  METAL_FUNC constexpr vec() constant : x(0), y(0), z(0), w(0) {}
  ASSAY_VEC4_CONSTRUCTORS()
  ASSAY_VEC4_CONSTRUCTORS(constant)
  ASSAY_VEC_MEMBERS(4)
};

}  // namespace __vectors

// The count of a shift may be of another integer type.
#define ASSAY_VEC_SHIFT_ASSIGN(op, space)                                                 \
  template <typename T, typename U, int N, typename = enable_if_t<!__is_same(T, U)>>      \
  METAL_FUNC constexpr space vec<T, N>& operator op##=(space vec<T, N>& a, vec<U, N> b) { \
    return a op##= vec<T, N>(b);                                                          \
  }
#define ASSAY_VEC_SHIFT(op)                                                          \
  template <typename T, typename U, int N, typename = enable_if_t<!__is_same(T, U)>> \
  METAL_FUNC constexpr vec<T, N> operator op(vec<T, N> a, vec<U, N> b) {             \
    static_assert(__is_integral(U), "operator " #op " needs integer vectors");       \
    return a op vec<T, N>(b);                                                        \
  }                                                                                  \
  ASSAY_VEC_SHIFT_ASSIGN(op, thread)                                                 \
  ASSAY_VEC_SHIFT_ASSIGN(op, device)                                                 \
  ASSAY_VEC_SHIFT_ASSIGN(op, threadgroup)
ASSAY_VEC_SHIFT(<<)
ASSAY_VEC_SHIFT(>>)
#undef ASSAY_VEC_SHIFT
#undef ASSAY_VEC_SHIFT_ASSIGN

}  // namespace metal

#define ASSAY_VEC_NAMES(T)       \
  typedef metal::vec<T, 2> T##2; \
  typedef metal::vec<T, 3> T##3; \
  typedef metal::vec<T, 4> T##4; \
  namespace metal {              \
  using ::T##2;                  \
  using ::T##3;                  \
  using ::T##4;                  \
  }
ASSAY_VEC_NAMES(bool)
ASSAY_VEC_NAMES(char)
ASSAY_VEC_NAMES(uchar)
ASSAY_VEC_NAMES(short)
ASSAY_VEC_NAMES(ushort)
ASSAY_VEC_NAMES(int)
ASSAY_VEC_NAMES(uint)
ASSAY_VEC_NAMES(long)
ASSAY_VEC_NAMES(ulong)
ASSAY_VEC_NAMES(half)
ASSAY_VEC_NAMES(bfloat)
ASSAY_VEC_NAMES(float)
#undef ASSAY_VEC_NAMES
