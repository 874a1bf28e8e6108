// Functions of the standard library beside a kernel's own ones of the same name, and the type
// traits that template-heavy kernels choose between them with.
#include <cstdint>
#include <cstring>
#include <limits>

#include "tests/kernels/kernel_runner.h"

namespace assay::testing {
namespace {

// The own functions give results that the library's cannot give.
const char* const kOwnTemplates = R"(
namespace own {
template <typename T, typename U> T max(T a, U b) { return T(1000 + a + T(b)); }
template <typename T> T exp(T a) { return T(2000) + a; }
template <typename T, typename U, typename V> T clamp(T a, U, V) { return T(3000) + a; }
template <typename T> T simd_sum(T a) { return T(4000) + a; }
template <typename T> bool isnan(T) { return true; }
}
using namespace own;
)";

TEST(Overload, a_kernels_template_is_taken_where_the_library_has_no_overload_of_its_own) {
  std::vector<float> out(6);
  run_kernel({.source = std::string(kOwnTemplates) + R"(
    kernel void k(device float* out) {
      int a = 3;
      short b = 5;
      out[0] = max(a, b);
      out[1] = exp(a);
      out[2] = clamp(a, b, 9u);
      out[3] = simd_sum(long(a));
      out[4] = max(bfloat(2.0f), 1.0f);
      out[5] = isnan(a);
    })",
              .grid = {1, 1, 1},
              .threadgroup = {1, 1, 1}},
             {buffer(out)});
  EXPECT_EQ(out, (std::vector<float>{1008, 2003, 3003, 4003, 1000, 1}));
}

TEST(Overload, the_librarys_overload_for_the_exact_scalar_types_wins_over_a_kernels_template) {
  std::vector<float> out(9);
  run_kernel({.source = std::string(kOwnTemplates) + R"(
    kernel void k(device float* out) {
      out[0] = max(3.0f, 5.0f);
      out[1] = max(half(3), half(5));
      out[2] = max(-7, 5);
      out[3] = max(7u, 5u);
      out[4] = max(3L, 1L << 40) == 1L << 40;
      out[5] = max(uchar(200), uchar(100));
      out[6] = exp(0.0f);
      out[7] = clamp(9, 1, 4);
      out[8] = isnan(1.0f);
    })",
              .grid = {1, 1, 1},
              .threadgroup = {1, 1, 1}},
             {buffer(out)});
  EXPECT_EQ(out, (std::vector<float>{5, 5, 5, 7, 1, 200, 1, 4, 0}));
}

TEST(Overload, plain_overloads_keep_the_type_of_their_arguments) {
  std::vector<uint32_t> out(6);
  run_kernel({.source = R"(
    kernel void k(device uint* out) {
      out[0] = is_same_v<decltype(max(short(1), short(2))), short>;
      out[1] = is_same_v<decltype(sqrt(half(1))), half>;
      out[2] = is_same_v<decltype(min(1u, 2u)), uint>;
      out[3] = is_same_v<decltype(popcount(ulong(1))), ulong>;
      out[4] = is_same_v<decltype(fma(half(1), half(1), half(1))), half>;
      out[5] = is_same_v<decltype(max(half(1), 1.0f)), float>;
    })",
              .grid = {1, 1, 1},
              .threadgroup = {1, 1, 1}},
             {buffer(out)});
  EXPECT_EQ(out, std::vector<uint32_t>(6, 1));
}

TEST(Overload, the_result_of_a_functor_can_be_asked_for_with_declval) {
  std::vector<float> out(3);
  run_kernel({.source = R"(
    template <typename F, typename... Args>
    using result_of = decltype(declval<F>()(declval<Args>()...));
    struct half_of {
      template <typename T, enable_if_t<is_floating_point_v<T>, bool> = true>
      T operator()(T x) { return x * T(0.5f); }
      template <typename T, enable_if_t<is_integral_v<T>, bool> = true>
      float operator()(T x) { return float(x) * 0.5f; }
    };
    template <typename T> struct count_bytes { static constexpr constant int value = sizeof(T); };
    kernel void k(device float* out) {
      half_of f;
      result_of<half_of, int> a = f(5);
      result_of<half_of, float2> b = f(float2(3, 7));
      out[0] = a;
      out[1] = b.x + b.y;
      out[2] = count_bytes<result_of<half_of, half2>>::value;
    })",
              .grid = {1, 1, 1},
              .threadgroup = {1, 1, 1}},
             {buffer(out)});
  EXPECT_EQ(out, (std::vector<float>{2.5f, 5.0f, 4.0f}));
}

TEST(Overload, traits_tell_vectors_by_their_elements_and_scalars_from_vectors) {
  std::vector<uint32_t> out(8);
  run_kernel({.source = R"(
    kernel void k(device uint* out) {
      out[0] = is_floating_point_v<float4> && is_floating_point<half2>::value;
      out[1] = is_integral_v<uint3> && is_integral<const char2>::value;
      out[2] = is_arithmetic_v<bool2>;
      out[3] = !is_floating_point_v<int4> && !is_integral_v<float2>;
      out[4] = !is_scalar_v<float2> && is_scalar_v<half>;
      out[5] = is_same_v<add_pointer_t<float>, thread float*>;
      out[6] = is_same_v<add_pointer_t<device float>, device float*>;
      out[7] = is_same_v<add_lvalue_reference_t<device int>, device int&>;
    })",
              .grid = {1, 1, 1},
              .threadgroup = {1, 1, 1}},
             {buffer(out)});
  EXPECT_EQ(out, std::vector<uint32_t>(8, 1));
}

TEST(Overload, a_pack_of_indices_unrolls_a_loop) {
  constexpr uint32_t kCount = 37;
  std::vector<int32_t> out(kCount);
  run_kernel({.source = R"(
    template <int... I>
    int weighted(thread const int* v, integer_sequence<int, I...>) { return ((v[I] * (I + 1)) + ...); }
    template <size_t... I>
    int total(thread const int* v, index_sequence<I...> all) { return (v[I] + ...) + int(all.size()); }
    kernel void k(device int* out, uint i [[thread_position_in_grid]]) {
      int v[5];
      for (int j = 0; j < 5; ++j) v[j] = int(i) - j;
      out[i] = weighted(v, make_integer_sequence<int, 5>{}) * 100 +
               total(v, make_index_sequence<3>{});
    })",
              .grid = {kCount, 1, 1},
              .threadgroup = {8, 1, 1}},
             {buffer(out)});
  for (int32_t i = 0; i < static_cast<int32_t>(kCount); ++i) {
    int32_t weighted = 0, total = 3;
    for (int32_t j = 0; j < 5; ++j) weighted += (i - j) * (j + 1);
    for (int32_t j = 0; j < 3; ++j) total += i - j;
    EXPECT_EQ(out[static_cast<size_t>(i)], weighted * 100 + total) << "thread " << i;
  }
}

TEST(Overload, swap_exchanges_objects_of_every_space_unless_the_kernel_has_its_own) {
  std::vector<float> out(7);
  std::vector<int32_t> values = {1, 2, 3, 4};
  run_kernel({.source = R"(
    struct Pair { int a; float b; };
    namespace own { template <typename T> void swap(thread T& a, thread T&) { a = T(77); } }
    kernel void k(device float* out, device int4* values) {
      float x = 1, y = 2;
      swap(x, y);
      out[0] = x;
      out[1] = y;
      Pair p{1, 2.5f}, q{3, 4.5f};
      metal::swap(p, q);
      out[2] = p.a + q.b;
      swap(((device int*)values)[0], ((device int*)values)[3]);
      threadgroup int shared[2];
      shared[0] = 5;
      shared[1] = 6;
      swap(shared[0], shared[1]);
      out[3] = shared[0] - shared[1];
      Pair moved = metal::move(p);
      out[4] = moved.a;
      {
        using namespace own;
        int a = 1, b = 2;
        swap(a, b);
        out[5] = a;
        out[6] = b;
      }
    })",
              .grid = {1, 1, 1},
              .threadgroup = {1, 1, 1}},
             {buffer(out), buffer(values)});
  EXPECT_EQ(out, (std::vector<float>{2, 1, 5.5f, 1, 3, 77, 2}));
  EXPECT_EQ(values, (std::vector<int32_t>{4, 2, 3, 1}));
}

TEST(Overload, the_limits_of_bfloat_have_names) {
  std::vector<float> out(3);
  run_kernel({.source = R"(
    kernel void k(device float* out) {
      bfloat huge = HUGE_VALBF;
      out[0] = float(huge);
      out[1] = float(MAXBFLOAT);
      out[2] = float(BFLT_MAX);
    })",
              .grid = {1, 1, 1},
              .threadgroup = {1, 1, 1}},
             {buffer(out)});
  const uint32_t bits = 0x7f7f0000;
  float largest;
  std::memcpy(&largest, &bits, sizeof(largest));
  EXPECT_EQ(out, (std::vector<float>{std::numeric_limits<float>::infinity(), largest, largest}));
}

}  // namespace
}  // namespace assay::testing
