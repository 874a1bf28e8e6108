// The C++ side of MSL: templates, function constants, constant tables, structs in every address
// space, functions as template arguments, lambdas, names.
#include "tests/kernels/int_kernel.h"

namespace assay::testing {
namespace {

TEST(Language, instantiates_templates_under_host_names) {
  const std::string source = R"(
    template <typename T, int Step, bool Negate = false>
    [[kernel]] void scale(const device int* in [[buffer(0)]], device int* out [[buffer(1)]],
                          uint i [[thread_position_in_grid]]) {
      T x = static_cast<T>(in[i]);
      if constexpr (Negate) x = -x;
      out[i] = int(x * T(Step)) + int(sizeof(T));
    }
    template [[host_name("scale_char_3")]] [[kernel]] void scale<char, 3>(
        const device int*, device int*, uint);
    #define INSTANTIATE(name, ...) \
      template [[host_name(name)]] [[kernel]] decltype(scale<__VA_ARGS__>) scale<__VA_ARGS__>;
    INSTANTIATE("scale_float_5_negated", float, 5, true)
    INSTANTIATE("scale_" "long" "_7", long, 7)
    typedef decltype(scale<short, 2>) scale_t;
    template [[host_name("scale_short_2")]] kernel scale_t scale<short, 2>;
  )";
  check_ints(
      source, [](int i, auto& in) { return static_cast<int8_t>(in[i]) * 3 + 1; }, "scale_char_3");
  check_ints(source, [](int i, auto& in) { return in[i] * -5 + 4; }, "scale_float_5_negated");
  check_ints(source, [](int i, auto& in) { return in[i] * 7 + 8; }, "scale_long_7");
  check_ints(source, [](int i, auto& in) { return in[i] * 2 + 2; }, "scale_short_2");
}

const char* const kConstantsSource = R"(
  constant bool use_extra [[function_constant(0)]];
  constant int shift [[function_constant(1)]];
  constant uint count [[function_constant(2)]];
  constant float factor [[function_constant(3)]];
  constant half small [[function_constant(4)]];
  constant ushort2 pair [[function_constant(5)]];
  constant uchar byte [[function_constant(6)]];
  constant short signed_short [[function_constant(7)]];
  constant int maybe [[function_constant(8)]];
  constant bool has_maybe = is_function_constant_defined(maybe);
  constant bool has_factor = is_function_constant_defined(factor);
  constant int derived = use_extra ? shift * 2 : -shift;
  constant float used_factor = has_factor && has_maybe ? factor : 0.5f;
  kernel void k(const device int* in [[buffer(0)]], device int* out [[buffer(1)]],
                const device int* extra [[buffer(2), function_constant(use_extra)]],
                uint i [[thread_position_in_grid]]) {
    int sum = in[i] + derived;
    if (use_extra) sum += extra[i];
    for (uint j = 0; j < count; ++j) sum += int(j) * byte;
    out[i] = sum + int(used_factor * 8) + int(small * 4) + pair.x - pair.y + signed_short;
  })";

TEST(Language, specialises_function_constants_of_each_type) {
  for (bool use_extra : {false, true}) {
    for (bool has_maybe : {false, true}) {
      const uint32_t n = 97;
      std::vector<int32_t> in(n), out(n), extra(n), expected(n);
      for (uint32_t i = 0; i < n; ++i) {
        in[i] = static_cast<int32_t>(i) - 40, extra[i] = static_cast<int32_t>(i * i);
        int derived = use_extra ? -22 : 11;
        expected[i] = in[i] + derived + (use_extra ? extra[i] : 0) + (0 + 1 + 2 + 3) * 200 +
                      (has_maybe ? 20 : 4) + 5 + 40000 - 3 - 1234;
      }
      KernelLaunch launch{.source = kConstantsSource,
                          .grid = {n, 1, 1},
                          .threadgroup = {32, 1, 1},
                          .constants = {{"use_extra", use_extra ? "true" : "false"},
                                        {"shift", "-11"},
                                        {"count", "4"},
                                        {"factor", "2.5"},
                                        {"small", "1.25"},
                                        {"pair", "40000,3"},
                                        {"byte", "200"},
                                        {"signed_short", "-1234"}}};
      if (has_maybe) launch.constants.emplace_back("maybe", "1");
      if (use_extra) {
        run_kernel(launch, {buffer(in), buffer(out), buffer(extra)});
      } else {
        run_kernel(launch, {buffer(in), buffer(out)});
      }
      EXPECT_EQ(out, expected) << use_extra << has_maybe;
    }
  }
}

TEST(Language, reads_constant_tables_and_static_members) {
  check_ints(kernel_body(R"(
    constant int primes[] = {2, 3, 5, 7, 11, 13, 17};
    constexpr constant uchar grid[3][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}};
    constant constexpr int doubled(21 * 2);
    static constant float3 axes[2] = {float3(1, 2, 3), float3(4, 5, 6)};
    struct Entry { int key; short weights[3]; };
    constant Entry entries[2] = {{10, {1, 2, 3}}, {20, {4, 5, 6}}};
    struct Traits { static constexpr constant int kWidth = 9; enum { kCode = 100 }; };
    template <typename T> struct Size { static constant constexpr int value = sizeof(T) * 10; };
    template <typename T> constexpr constant int variable = Size<T>::value + 1;
    constexpr int triple(int x) { return 3 * x; }
    constant int computed[triple(2)] = {triple(1), triple(2), triple(3)};
  )",
                         R"(
    int local[5] = {1, 2};
    local[i % 5] += 1000;
    out[i] = primes[i % 7] + grid[i % 3][i % 4] + doubled + int(axes[i % 2].y * 10) +
             entries[i % 2].key * entries[(i + 1) % 2].weights[i % 3] + Traits::kWidth +
             Traits::kCode + Size<half>::value + variable<char> + computed[i % 6] + local[1] +
             int(sizeof(computed) / sizeof(computed[0]));
  )"),
             [](int i, auto&) {
               const int primes[] = {2, 3, 5, 7, 11, 13, 17}, computed[] = {3, 6, 9, 0, 0, 0};
               int weight = (i % 2 == 0 ? 4 : 1) + i % 3;
               return primes[i % 7] + (i % 3 * 4 + i % 4 + 1) + 42 + (i % 2 == 0 ? 20 : 50) +
                      (i % 2 == 0 ? 10 : 20) * weight + 9 + 100 + 20 + 11 + computed[i % 6] +
                      (i % 5 == 1 ? 1002 : 2) + 6;
             });
}

TEST(Language, calls_methods_and_operators_in_every_address_space) {
  const std::string source = R"(
    struct Ratio {
      int top, bottom;
      Ratio() thread : top(0), bottom(1) {}
      Ratio(int t, int b) thread : top(t), bottom(b) {}
      int value() const thread { return top * 10 + bottom; }
      int value() const device { return top * 20 + bottom; }
      int value() const threadgroup { return top * 30 + bottom; }
      int value() const constant { return top * 40 + bottom; }
      void grow(int by) thread { top += by; }
      thread Ratio& operator+=(Ratio other) thread { top += other.top; return *this; }
      Ratio operator*(int by) const thread { return Ratio(top * by, bottom); }
      explicit operator bool() const thread { return top != 0; }
      static Ratio whole(int t) { return Ratio(t, 1); }
    };
    inline Ratio operator+(Ratio a, Ratio b) { return Ratio(a.top + b.top, a.bottom + b.bottom); }
    inline bool operator<(Ratio a, Ratio b) { return a.top < b.top; }
    template <typename P> int generic_value(P p) { return p->value(); }
    kernel void k(device Ratio* all, constant Ratio& fixed, device int* out,
                  uint i [[thread_position_in_grid]], uint t [[thread_position_in_threadgroup]]) {
      threadgroup Ratio shared[40];
      shared[t] = all[i];
      shared[t].bottom += 1;
      Ratio mine = all[i];
      mine.grow(2);
      Ratio three = Ratio::whole(3);
      mine += three * 2;
      Ratio sum = mine + Ratio(all[i]) + fixed;
      Ratio none;
      thread Ratio& alias = none;
      alias.top = bool(none) ? 5 : 6;
      device Ratio& place = all[i];
      out[i] = mine.value() + all[i].value() * 3 + shared[t].value() * 5 + fixed.value() * 7 +
               sum.value() + none.top + (sum < mine ? 1 : 2) + generic_value(&place) +
               generic_value(&shared[t]);
      place.top = sum.top;
    })";
  struct Ratio {
    int32_t top, bottom;
  };
  const Ratio fixed{4, 9};
  for (uint32_t n : {1U, 40U, 97U, 257U}) {
    std::vector<Ratio> all(n);
    std::vector<int32_t> out(n), expected(n), tops(n);
    for (uint32_t i = 0; i < n; ++i) {
      int top = static_cast<int>(i) - 30, bottom = static_cast<int>(i * i % 13);
      all[i] = {top, bottom};
      int mine = top + 2 + 6, device_value = top * 20 + bottom;
      int shared_value = top * 30 + bottom + 1;
      tops[i] = mine + top + fixed.top;
      int sum_value = tops[i] * 10 + bottom + bottom + fixed.bottom;
      expected[i] = mine * 10 + bottom + device_value * 3 + shared_value * 5 +
                    (fixed.top * 40 + fixed.bottom) * 7 + sum_value + 6 + (tops[i] < mine ? 1 : 2) +
                    device_value + shared_value;
    }
    run_kernel({.source = source, .grid = {n, 1, 1}, .threadgroup = {40, 1, 1}},
               {buffer(all), value(fixed), buffer(out)});
    EXPECT_EQ(out, expected) << n;
    for (uint32_t i = 0; i < n; ++i) ASSERT_EQ(all[i].top, tops[i]) << i;
  }
}

TEST(Language, passes_functions_and_functors_as_template_arguments) {
  check_ints(kernel_body(R"(
    struct Add { int operator()(int a, int b) const { return a + b; } };
    struct Max { template <typename T> T operator()(T a, T b) { return a > b ? a : b; } };
    template <typename Op> int fold(const device int* in, int count) {
      Op op;
      int total = in[0];
      for (int j = 1; j < count; ++j) total = op(total, in[j]);
      return total;
    }
    int twice(int x) { return 2 * x; }
    int square(int x) { return x * x; }
    template <int (*F)(int)> int apply(int x) { return F(x) + 1; }
    template <int (&F)(int)> int apply_reference(int x) { return F(x) + 2; }
    template <typename F> int call(F f, int x) { return f(x); }
    template <template <typename> class Box, typename T> int boxed(T x) { return Box<T>{x}.get(); }
    template <typename T> struct Holder { T x; int get() { return int(x) + int(sizeof(T)); } };
    template <typename... Ts> int total(Ts... xs) { return (0 + ... + int(xs)); }
    int chain() { return 0; }
    template <typename T, typename... Rest> int chain(T first, Rest... rest) {
      return int(first) * int(sizeof...(Rest) + 1) + chain(rest...);
    }
  )",
                         R"(
    int count = int(i % 5) + 1, x = in[i];
    int captured = x + 7;
    auto add = [&](int y) { captured += y; return captured; };
    auto generic = [](auto a, auto b) { return a * b; };
    out[i] = fold<Add>(in, min(count, int(i) + 1)) + fold<Max>(in, min(count, int(i) + 1)) +
             apply<twice>(x) + apply_reference<square>(x) + call(add, 4) + captured +
             generic(x, 3) + call([=](int y) { return y - x * 2; }, 5) + boxed<Holder>(short(x)) +
             total(x, 2.5f, 'a') + chain(1, 2l, short(3));
  )"),
             [](int i, auto& in) {
               int count = std::min(i % 5 + 1, i + 1), x = in[i], sum = 0;
               for (int j = 0; j < count; ++j) sum += in[j];
               return sum + in[count - 1] + 2 * x + 1 + x * x + 2 + (x + 11) + (x + 11) + 3 * x +
                      5 - 2 * x + (static_cast<int16_t>(x) + 2) + (x + 2 + 97) + (3 + 4 + 3);
             });
}

TEST(Language, runs_control_flow_of_all_kinds) {
  check_ints(kernel_body(R"(
    enum class Color : uchar { red, green = 5, blue };
    enum Plain { first = 3, second };
    union Bits { float f; uint u; uchar4 b; };
    int classify(Color c) {
      switch (c) {
        case Color::red: return 1;
        case Color::green: return 2;
        default: break;
      }
      return 3;
    }
  )",
                         R"(
    int x = in[i], r = 0;
    switch (x & 7) {
      case 0: r = 10;
      case 1: r += 5; break;
      case 2: case 3: { int y = x * 2; r = y; break; }
      case 6: r = -1; break;
      default: r = 99;
    }
    #pragma unroll
    for (int a = 0; a < 4; ++a) {
      #pragma unroll(2)
      for (int b = 0; b < 6; b++) {
        if (b > a + int(i % 3)) break;
        if ((a + b) % 3 == 1) continue;
        r += a * b + 1;
      }
    }
    #pragma clang loop unroll(full)
    for (short c = 0; c < 3; c++) r ^= c << 4;
    int steps = 0;
    do { steps++; } while (steps * steps < int(i));
    int n = int(i);
    while (n != 1 && n > 0) { n = n % 2 ? 3 * n + 1 : n / 2; ++steps; if (steps > 300) break; }
    if (int low = x & 3; low > 1) r += low; else r -= low;
    Bits bits;
    bits.f = float(i) + 1;
    Color color = i % 3 == 0 ? Color::red : i % 3 == 1 ? Color::green : Color::blue;
    #define TWICE(v) ((v) + (v))
    r += TWICE(steps) + int(bits.u >> 23) + classify(color) + second + bits.b.w;
    #undef TWICE
    for (int p = 0, q = 10; p < q; ++p, --q) r += p * q;
    out[i] = r;
  )"),
             [](int i, auto& in) {
               int x = in[i], r = 0;
               int low_bits = x & 7;
               if (low_bits == 0) r = 15;
               if (low_bits == 1) r = 5;
               if (low_bits == 2 || low_bits == 3) r = 2 * x;
               if (low_bits == 4 || low_bits == 5 || low_bits == 7) r = 99;
               if (low_bits == 6) r = -1;
               for (int a = 0; a < 4; ++a) {
                 for (int b = 0; b < 6 && b <= a + i % 3; ++b) {
                   if ((a + b) % 3 != 1) r += a * b + 1;
                 }
               }
               r ^= 1 << 4;
               r ^= 2 << 4;
               int steps = 1;
               while (steps * steps < i) ++steps;
               for (int n = i; n > 1 && steps <= 300; ++steps) n = n % 2 ? 3 * n + 1 : n / 2;
               r += (x & 3) > 1 ? (x & 3) : -(x & 3);
               float f = static_cast<float>(i) + 1;
               uint32_t bits;
               std::memcpy(&bits, &f, sizeof bits);
               r += 2 * steps + static_cast<int>(bits >> 23) + i % 3 + 1 + 4 +
                    static_cast<int>(bits >> 24);
               for (int p = 0, q = 10; p < q; ++p, --q) r += p * q;
               return r;
             });
}

TEST(Language, binds_references_and_pointers_across_address_spaces) {
  check_ints(kernel_body(R"(
    struct Pair { int a; int b; };
    constant Pair zero = {0, 0};
    void bump(thread int& x) { x += 1; }
    void bump(device int& x) { x += 2; }
    void bump(threadgroup int& x) { x += 3; }
    int read(const device int* p) { return *p; }
    int read(const thread int* p) { return *p + 10; }
    int read(const threadgroup int* p) { return *p + 20; }
    int read(constant int* p) { return *p + 30; }
    constant int table[2] = {5, 6};
    template <typename T> void exchange(thread T& a, thread T& b) { T c = a; a = b; b = c; }
    void fill(thread int (&all)[3], int with) { for (int j = 0; j < 3; ++j) all[j] = with + j; }
  )",
                         R"(
    threadgroup int shared[40];
    threadgroup int& slot = shared[i % 40];
    slot = in[i];
    int a = 1, b = 2, all[3];
    exchange(a, b);
    fill(all, in[i]);
    out[i] = 0;
    bump(a); bump(out[i]); bump(slot);
    thread int* p = &all[1];
    p += 1;
    const device int* q = in + i;
    threadgroup Pair pairs[40];
    pairs[i % 40] = {in[i], 4};
    Pair chosen = in[i] > 0 ? pairs[i % 40] : zero;
    Pair fresh{7, 8};
    Pair other = in[i] % 2 ? zero : fresh;
    device int* none = nullptr;
    device int* where = i % 2 == 0 ? out + i : none;
    if (where) *where += 100;
    out[i] += a * 1000 + b + *p + read(q) + read(p) + read(&slot) + read(&table[i % 2]) + slot +
              chosen.a + chosen.b + other.a + int(q - in);
  )"),
             [](int i, auto& in) {
               int x = in[i];
               int chosen = x > 0 ? x + 4 : 0, other = x % 2 ? 0 : 7;
               return 2 + (i % 2 == 0 ? 100 : 0) + 3000 + 1 + (x + 2) + x + (x + 12) + (x + 23) +
                      (35 + i % 2) + (x + 3) + chosen + other + i;
             });
}

TEST(Language, takes_names_that_other_languages_reserve) {
  check_ints(kernel_body(R"(
    namespace outer { namespace inner { int generic(int private_) { return private_ + 1; } } }
    using namespace outer;
    struct global { int local; int write_only; };
    #define BODY(pipe) { int x = pipe; local += x; }
    using Int = int;
    template <typename T> using Two = vec<T, 2>;
  )",
                         R"(
    int local = in[i], global_ = 2;
    int own = 3, generic = 4, pipe = 5, image = 6, event = 7, sampler_ = 8;
    global object{local, 9};
    BODY(own)
    Two<Int> two(local, generic);
    out[i] = local * 2 + global_ + own + generic + pipe + image + event + sampler_ +
             object.local + object.write_only + inner::generic(1) + two.x + two.y;
  )"),
             [](int i, auto& in) {
               int x = in[i];
               return (x + 3) * 2 + 2 + 3 + 4 + 5 + 6 + 7 + 8 + x + 9 + 2 + (x + 3) + 4;
             });
}

TEST(Language, conditional_arms_dereference_pointers_of_any_space) {
  constexpr uint32_t kCount = 37;
  std::vector<float> in(4 * kCount + 4), out(4 * kCount);
  for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i);
  run_kernel({.source = R"(
    kernel void k(const device float4* in, device float4* out, uint i [[thread_position_in_grid]]) {
      const device float4* p = in + i;
      float4 next = i % 3 == 0 ? float4(-1) : *(p + 1);
      out[i] = i % 2 == 0 ? *(p) : next;
    })",
              .grid = {kCount, 1, 1},
              .threadgroup = {8, 1, 1}},
             {buffer(in), buffer(out)});
  for (uint32_t i = 0; i < 4 * kCount; ++i) {
    const uint32_t thread = i / 4;
    const float next = thread % 3 == 0 ? -1.0f : in[i + 4];
    EXPECT_EQ(out[i], thread % 2 == 0 ? in[i] : next) << i;
  }
}

TEST(Language, conditional_arms_are_in_parentheses) {
  constexpr uint32_t kCount = 37;
  std::vector<uint32_t> values(2 * kCount);
  for (uint32_t i = 0; i < values.size(); ++i) values[i] = i * 2654435761U;
  std::vector<uint32_t> expected = values;
  run_kernel({.source = R"(
#define ROTATED(v, n) ((n) == 0 ? (v) : (n) == 1 ? uint2((v).y << 1 | (v).y >> 31, (v).x) : (uint2)(n))
kernel void k(device uint2* values, uint i [[thread_position_in_grid]]) {
  const uint2 a = values[i];
  uint2 b = ROTATED(a, i % 3);
  values[i] = i % 5 == 4 ? (values[i]) : (b);
})",
              .grid = {kCount, 1, 1},
              .threadgroup = {32, 1, 1}},
             {buffer(values)});
  for (uint32_t i = 0; i < kCount; ++i) {
    if (i % 5 == 4) continue;
    const uint32_t x = expected[2 * i];
    const uint32_t y = expected[2 * i + 1];
    if (i % 3 == 1) {
      expected[2 * i] = y << 1 | y >> 31;
      expected[2 * i + 1] = x;
    } else if (i % 3 == 2) {
      expected[2 * i] = expected[2 * i + 1] = 2;
    }
  }
  EXPECT_EQ(values, expected);
}

TEST(Language, constants_are_copies_of_static_members_defined_elsewhere) {
  std::vector<float> out(3);
  run_kernel({.source = R"(
struct Entry {
  float value;
  uint index;
  static const constant Entry LOWEST;
};
constexpr constant Entry Entry::LOWEST{.value = -2.5f, .index = 7};
struct Identity {
  static constant constexpr Entry entry = Entry::LOWEST;
};
constant Entry kCopy = Entry::LOWEST;
kernel void k(device float* out) {
  Entry local = Entry::LOWEST;
  out[0] = Identity::entry.value;
  out[1] = kCopy.index;
  out[2] = local.value * Identity::entry.index;
})",
              .grid = {1, 1, 1},
              .threadgroup = {1, 1, 1}},
             {buffer(out)});
  EXPECT_EQ(out, (std::vector<float>{-2.5F, 7.0F, -17.5F}));
}

}  // namespace
}  // namespace assay::testing
