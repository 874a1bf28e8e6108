// Type traits of MSL: those of C++17 that need no library, plus the ones for address spaces. Type
// categories look through address spaces: `device float` is a floating-point type.
#pragma once

#include "metal_types.h"

namespace metal {

template <typename T, T V>
struct integral_constant {
  typedef T value_type;
  typedef integral_constant type;
  static constexpr constant T value = V;
  constexpr operator T() const ASSAY_ANY { return V; }
  constexpr operator T() const constant { return V; }
  constexpr T operator()() const ASSAY_ANY { return V; }
  constexpr T operator()() const constant { return V; }
};

template <bool V>
using bool_constant = integral_constant<bool, V>;
typedef bool_constant<true> true_type;
typedef bool_constant<false> false_type;

template <bool Condition, typename T = void>
struct enable_if {};
template <typename T>
struct enable_if<true, T> {
  typedef T type;
};
template <bool Condition, typename T = void>
using enable_if_t = typename enable_if<Condition, T>::type;

template <bool Condition, typename T, typename F>
struct conditional {
  typedef T type;
};
template <typename T, typename F>
struct conditional<false, T, F> {
  typedef F type;
};
template <bool Condition, typename T, typename F>
using conditional_t = typename conditional<Condition, T, F>::type;

namespace __assay {

template <typename...>
using void_t = void;

}  // namespace __assay

template <typename T>
struct type_identity {
  typedef T type;
};
template <typename T>
using type_identity_t = typename type_identity<T>::type;

// Address spaces.
template <typename T>
struct remove_addrspace : type_identity<T> {};
template <typename T>
struct remove_addrspace<thread T> : type_identity<T> {};
template <typename T>
struct remove_addrspace<device T> : type_identity<T> {};
template <typename T>
struct remove_addrspace<threadgroup T> : type_identity<T> {};
template <typename T>
struct remove_addrspace<constant T> : type_identity<T> {};
template <typename T>
struct remove_addrspace<ASSAY_ANY T> : type_identity<T> {};
template <typename T>
using remove_addrspace_t = typename remove_addrspace<T>::type;

#define ASSAY_ADD_ADDRESS_SPACE(name, space)  \
  template <typename T>                       \
  struct add_##name {                         \
    typedef space remove_addrspace_t<T> type; \
  };                                          \
  template <typename T>                       \
  using add_##name##_t = typename add_##name<T>::type;
ASSAY_ADD_ADDRESS_SPACE(thread, thread)
ASSAY_ADD_ADDRESS_SPACE(device, device)
ASSAY_ADD_ADDRESS_SPACE(threadgroup, threadgroup)
ASSAY_ADD_ADDRESS_SPACE(constant, constant)
#undef ASSAY_ADD_ADDRESS_SPACE

namespace __assay {

// What a pointer or reference to T points to when T names no space: thread memory.
template <typename T>
struct in_thread : conditional<__is_object(T) && __is_same(T, remove_addrspace_t<T>),
                               add_thread<T>, type_identity<T>>::type {};
template <typename T>
using in_thread_t = typename in_thread<T>::type;

}  // namespace __assay

// Transformations.
#define ASSAY_TRANSFORMATION(name, ...) \
  template <typename T>                 \
  struct name {                         \
    typedef __VA_ARGS__ type;           \
  };                                    \
  template <typename T>                 \
  using name##_t = typename name<T>::type;

ASSAY_TRANSFORMATION(remove_const, __remove_const(T))
ASSAY_TRANSFORMATION(remove_volatile, __remove_volatile(T))
ASSAY_TRANSFORMATION(remove_cv, __remove_cv(T))
ASSAY_TRANSFORMATION(remove_reference, __remove_reference_t(T))
ASSAY_TRANSFORMATION(remove_cvref, remove_cv_t<remove_addrspace_t<remove_reference_t<T>>>)
ASSAY_TRANSFORMATION(remove_pointer, __remove_pointer(T))
ASSAY_TRANSFORMATION(remove_extent, __remove_extent(T))
ASSAY_TRANSFORMATION(remove_all_extents, __remove_all_extents(T))
ASSAY_TRANSFORMATION(add_const, const T)
ASSAY_TRANSFORMATION(add_volatile, volatile T)
ASSAY_TRANSFORMATION(add_cv, const volatile T)
ASSAY_TRANSFORMATION(add_lvalue_reference, __add_lvalue_reference(__assay::in_thread_t<T>))
ASSAY_TRANSFORMATION(add_rvalue_reference, __add_rvalue_reference(__assay::in_thread_t<T>))
ASSAY_TRANSFORMATION(add_pointer, __add_pointer(__assay::in_thread_t<T>))
ASSAY_TRANSFORMATION(decay, remove_cv_t<remove_addrspace_t<__decay(T)>>)
ASSAY_TRANSFORMATION(underlying_type, __underlying_type(T))
ASSAY_TRANSFORMATION(make_signed, __make_signed(remove_cv_t<remove_addrspace_t<T>>))
ASSAY_TRANSFORMATION(make_unsigned, __make_unsigned(remove_cv_t<remove_addrspace_t<T>>))
#undef ASSAY_TRANSFORMATION

template <typename T>
add_rvalue_reference_t<T> declval();

namespace __assay {

template <typename T>
struct element_of : type_identity<T> {};
template <typename T, int N>
struct element_of<vec<T, N>> : type_identity<T> {};
template <typename T>
using element_of_t = typename element_of<remove_cv_t<T>>::type;

}  // namespace __assay

// Predicates.
#define ASSAY_PREDICATE(name, ...)               \
  template <typename T>                          \
  struct name : bool_constant<(__VA_ARGS__)> {}; \
  template <typename T>                          \
  constexpr constant bool name##_v = __VA_ARGS__;

ASSAY_PREDICATE(is_void, __is_void(T))
ASSAY_PREDICATE(is_null_pointer, __is_nullptr(T))
// Vectors count as what they are made of.
ASSAY_PREDICATE(is_integral, __is_integral(__assay::element_of_t<T>))
ASSAY_PREDICATE(is_floating_point, __is_floating_point(__assay::element_of_t<T>))
ASSAY_PREDICATE(is_arithmetic, __is_arithmetic(__assay::element_of_t<T>))
ASSAY_PREDICATE(is_fundamental, __is_fundamental(T))
ASSAY_PREDICATE(is_scalar, __is_scalar(T))
ASSAY_PREDICATE(is_object, __is_object(T))
ASSAY_PREDICATE(is_compound, __is_compound(T))
ASSAY_PREDICATE(is_signed, __is_signed(T))
ASSAY_PREDICATE(is_unsigned, __is_unsigned(T))
ASSAY_PREDICATE(is_const, __is_const(T))
ASSAY_PREDICATE(is_volatile, __is_volatile(T))
ASSAY_PREDICATE(is_array, __is_array(T))
ASSAY_PREDICATE(is_pointer, __is_pointer(T))
ASSAY_PREDICATE(is_reference, __is_reference(T))
ASSAY_PREDICATE(is_lvalue_reference, __is_lvalue_reference(T))
ASSAY_PREDICATE(is_rvalue_reference, __is_rvalue_reference(T))
ASSAY_PREDICATE(is_function, __is_function(T))
ASSAY_PREDICATE(is_class, __is_class(T))
ASSAY_PREDICATE(is_union, __is_union(T))
ASSAY_PREDICATE(is_enum, __is_enum(T))
ASSAY_PREDICATE(is_final, __is_final(T))
ASSAY_PREDICATE(is_aggregate, __is_aggregate(T))
ASSAY_PREDICATE(is_trivial, __is_trivial(T))
ASSAY_PREDICATE(is_trivially_copyable, __is_trivially_copyable(T))
ASSAY_PREDICATE(is_standard_layout, __is_standard_layout(T))
ASSAY_PREDICATE(is_pod, __is_pod(T))
#undef ASSAY_PREDICATE

#define ASSAY_RELATION(name, ...)                \
  template <typename T, typename U>              \
  struct name : bool_constant<(__VA_ARGS__)> {}; \
  template <typename T, typename U>              \
  constexpr constant bool name##_v = __VA_ARGS__;

namespace __assay {

// Only towards types of greater rank: bfloat turns into float by itself, nothing floating into it.
template <typename From, typename To>
constexpr constant bool needs_explicit_bfloat =
    (__is_same(remove_cvref_t<To>, bfloat) && __is_floating_point(remove_cvref_t<From>) &&
     !__is_same(remove_cvref_t<From>, bfloat)) ||
    (__is_same(remove_cvref_t<From>, bfloat) && __is_same(remove_cvref_t<To>, half));

}  // namespace __assay

ASSAY_RELATION(is_same, __is_same(T, U))
ASSAY_RELATION(is_base_of, __is_base_of(T, U))
ASSAY_RELATION(is_convertible, !__assay::needs_explicit_bfloat<T, U> && __is_convertible(T, U))
ASSAY_RELATION(is_assignable, __is_assignable(T, U))
#undef ASSAY_RELATION

template <typename T, typename... Args>
struct is_constructible : bool_constant<__is_constructible(T, Args...)> {};
template <typename T, typename... Args>
constexpr constant bool is_constructible_v = __is_constructible(T, Args...);

// Logic over traits; each stops at the first that decides.
template <typename...>
struct conjunction : true_type {};
template <typename B>
struct conjunction<B> : B {};
template <typename B, typename... Bs>
struct conjunction<B, Bs...> : conditional_t<bool(B::value), conjunction<Bs...>, B> {};
template <typename... Bs>
constexpr constant bool conjunction_v = conjunction<Bs...>::value;

template <typename...>
struct disjunction : false_type {};
template <typename B>
struct disjunction<B> : B {};
template <typename B, typename... Bs>
struct disjunction<B, Bs...> : conditional_t<bool(B::value), B, disjunction<Bs...>> {};
template <typename... Bs>
constexpr constant bool disjunction_v = disjunction<Bs...>::value;

template <typename B>
struct negation : bool_constant<!bool(B::value)> {};
template <typename B>
constexpr constant bool negation_v = !bool(B::value);

// Names that `#pragma METAL internals : enable` unlocks.
template <typename... Bs>
using _conjunction = conjunction<Bs...>;
template <typename... Bs>
using _disjunction = disjunction<Bs...>;
template <typename B>
using _negation = negation<B>;

// Packs of numbers, to expand over.
template <typename T, T... Values>
struct integer_sequence {
  typedef T value_type;
  static constexpr size_t size() { return sizeof...(Values); }
};
template <typename T, T Count>
using make_integer_sequence = __make_integer_seq<integer_sequence, T, Count>;
template <size_t... Values>
using index_sequence = integer_sequence<size_t, Values...>;
template <size_t Count>
using make_index_sequence = make_integer_sequence<size_t, Count>;
template <typename... Ts>
using index_sequence_for = make_index_sequence<sizeof...(Ts)>;

template <typename T>
struct alignment_of : integral_constant<size_t, alignof(T)> {};
template <typename T>
constexpr constant size_t alignment_of_v = alignof(T);

template <typename T>
struct rank : integral_constant<size_t, 0> {};
template <typename T>
struct rank<T[]> : integral_constant<size_t, rank<T>::value + 1> {};
template <typename T, size_t N>
struct rank<T[N]> : integral_constant<size_t, rank<T>::value + 1> {};
template <typename T>
constexpr constant size_t rank_v = rank<T>::value;

template <typename T, unsigned Dimension = 0>
struct extent : integral_constant<size_t, 0> {};
template <typename T, size_t N>
struct extent<T[N], 0> : integral_constant<size_t, N> {};
template <typename T, unsigned Dimension, size_t N>
struct extent<T[N], Dimension> : extent<T, Dimension - 1> {};
template <typename T, unsigned Dimension = 0>
constexpr constant size_t extent_v = extent<T, Dimension>::value;

template <typename... Ts>
struct common_type;
template <typename T>
struct common_type<T> : decay<T> {};
template <typename A, typename B>
struct common_type<A, B> : decay<decltype(true ? declval<decay_t<A>>() : declval<decay_t<B>>())> {};
template <typename A, typename B, typename C, typename... Rest>
struct common_type<A, B, C, Rest...>
    : common_type<typename common_type<A, B>::type, C, Rest...> {};
template <typename... Ts>
using common_type_t = typename common_type<Ts...>::type;

template <typename T>
struct is_vector : false_type {};
template <typename T, int N>
struct is_vector<vec<T, N>> : true_type {};
template <typename T>
constexpr constant bool is_vector_v = is_vector<remove_cvref_t<T>>::value;

// Number of components of a vector; 0 for everything else.
template <typename T>
struct vec_elements : integral_constant<uint, 0> {};
template <typename T, int N>
struct vec_elements<vec<T, N>> : integral_constant<uint, N> {};

template <typename T>
struct is_matrix : false_type {};
template <typename T, int Columns, int Rows>
struct is_matrix<matrix<T, Columns, Rows>> : true_type {};
template <typename T>
constexpr constant bool is_matrix_v = is_matrix<remove_cvref_t<T>>::value;

}  // namespace metal
