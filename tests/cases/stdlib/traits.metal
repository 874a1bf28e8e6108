// Type traits and limits. Checked by the compiler itself.
#include <metal_stdlib>
using namespace metal;

static_assert(is_same_v<int, int32_t> && !is_same_v<int, uint>, "");
static_assert(is_same_v<remove_addrspace_t<device int>, int>, "");
static_assert(is_same_v<remove_addrspace_t<const threadgroup int>, const int>, "");
static_assert(is_same_v<remove_cv_t<const volatile float>, float>, "");
static_assert(is_same_v<remove_reference_t<thread int&>, thread int>, "");
static_assert(is_same_v<decay_t<const device float&>, float>, "");
static_assert(is_same_v<remove_pointer_t<device half*>, device half>, "");
static_assert(is_same_v<make_unsigned_t<short>, ushort> && is_same_v<make_signed_t<ulong>, long>, "");
static_assert(is_same_v<conditional_t<true, int, float>, int>, "");
static_assert(is_same_v<enable_if_t<true, half>, half>, "");
static_assert(is_integral_v<device char> && is_integral<bool>::value && !is_integral_v<half>, "");
static_assert(is_floating_point_v<half> && is_floating_point_v<bfloat> && is_floating_point_v<float>, "");
static_assert(is_arithmetic_v<bfloat> && !is_arithmetic_v<float2>, "");
static_assert(is_signed_v<int> && is_unsigned_v<ushort> && is_signed_v<float>, "");
static_assert(is_convertible_v<int, float> && is_convertible_v<bfloat, float>, "");
static_assert(!is_convertible_v<float, bfloat> && !is_convertible_v<half, bfloat>, "");
static_assert(!is_convertible_v<bfloat, half> && !is_convertible_v<float2, float>, "");
static_assert(is_pointer_v<device int*> && is_array_v<int[3]> && extent_v<int[3][4], 1> == 4, "");
static_assert(rank_v<int[3][4]> == 2 && is_vector_v<float4> && !is_vector_v<float>, "");
static_assert(conjunction_v<true_type, true_type> && !disjunction_v<false_type>, "");
static_assert(negation_v<false_type> && _disjunction<is_same<int, int>, false_type>::value, "");
static_assert(is_same_v<common_type_t<int, float>, float>, "");
static_assert(integral_constant<int, 5>() == 5 && bool_constant<true>::value, "");
enum class Kind : ushort { kOne };
static_assert(is_enum_v<Kind> && is_same_v<underlying_type_t<Kind>, ushort>, "");
static_assert(is_trivially_copyable_v<float4> && is_class_v<float4>, "");

static_assert(numeric_limits<int>::max() == 2147483647 && numeric_limits<int>::min() == INT_MIN, "");
static_assert(numeric_limits<uchar>::max() == 255 && numeric_limits<char>::lowest() == -128, "");
static_assert(numeric_limits<ulong>::max() == ULONG_MAX && numeric_limits<long>::min() == LONG_MIN, "");
static_assert(numeric_limits<bool>::max() == true && numeric_limits<bool>::digits == 1, "");
static_assert(numeric_limits<float>::max() == FLT_MAX && numeric_limits<float>::min() == FLT_MIN, "");
static_assert(numeric_limits<float>::epsilon() == FLT_EPSILON && numeric_limits<float>::digits == 24, "");
static_assert(numeric_limits<float>::lowest() == -FLT_MAX && numeric_limits<float>::digits10 == 6, "");
static_assert(numeric_limits<float>::max_exponent == 128 && numeric_limits<float>::min_exponent == -125, "");
static_assert(numeric_limits<float>::infinity() == INFINITY, "");
static_assert(numeric_limits<float>::quiet_NaN() != numeric_limits<float>::quiet_NaN(), "");
static_assert(numeric_limits<half>::max() == HALF_MAX && numeric_limits<half>::max() == 65504.0h, "");
static_assert(numeric_limits<half>::epsilon() == HALF_EPSILON && numeric_limits<half>::min() == HALF_MIN, "");
static_assert(numeric_limits<half>::digits10 == 3 && numeric_limits<half>::max_digits10 == 5, "");
static_assert(float(numeric_limits<bfloat>::max()) == 0x1.fep127f, "");
static_assert(numeric_limits<const device float>::is_specialized, "");
static_assert(-numeric_limits<bfloat>::infinity() < numeric_limits<bfloat>::lowest(), "");
static_assert(_fp_encoding_traits<float>::inf_mask == 0x7f800000u, "");

template <typename T>
struct Range {
  static constexpr constant T high = numeric_limits<T>::max();
  static constexpr const constant T low = numeric_limits<T>::lowest();
};

template <typename T, enable_if_t<is_floating_point_v<T>, bool> = true>
T middle(T a, T b) {
  return (a + b) / T(2);
}
template <typename T, enable_if_t<is_integral_v<T>, bool> = true>
T middle(T a, T b) {
  return (a & b) + ((a ^ b) >> 1);
}

kernel void traits(device float* out [[buffer(0)]], device int* counts [[buffer(1)]],
                   uint i [[thread_position_in_grid]]) {
  out[i] = middle(out[i], Range<float>::high) + Range<float>::low;
  counts[i] = middle(counts[i], Range<int>::low);
}
