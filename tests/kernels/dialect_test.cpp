// Where Metal's dialect departs from the base language of the front end: address spaces in odd
// places, static members in constant memory, decltype, bit-fields, volatile objects.
#include "tests/kernels/int_kernel.h"

namespace assay::testing {
namespace {

TEST(Dialect, thread_beside_another_address_space_is_redundant) {
  check_ints(kernel_body(R"(
    int sum(thread const device int* const* rows, int n) {
      int s = 0;
      for (int j = 0; j < n; ++j) s += rows[j][0];
      return s;
    }
  )",
                         R"(
    thread const device int* rows[3];
    for (int j = 0; j < 3; ++j) rows[j] = in + i;
    out[i] = sum(rows, 3);
  )"),
             [](int i, auto& in) { return 3 * in[i]; });
}

TEST(Dialect, thread_on_a_value_says_nothing_new) {
  check_ints(kernel_body(R"(
    struct Pair {
      thread int first;
      thread int both[2];
      thread int next() { return ++first; }
      thread Pair operator+(thread const int by) const { Pair p = *this; p.first += by; return p; }
    };
    inline thread uint twice(thread uint x) { return 2 * x; }
    template <typename T> thread vec<T, 2> both(T x) { return vec<T, 2>(x, x + 1); }
    template <typename T> int last(thread T values[3]) {
      static_assert(is_same_v<T, int>, "only the element's type");
      return values[2];
    }
  )",
                         R"(
    thread Pair p = {in[i], {1, 2}};
    thread metal::int2 b = both(p.next());
    thread int values[3] = {1, 2, in[i]};
    out[i] = (p + 3).first + b.y + p.both[1] + int(twice(i)) + last(values);
  )"),
             [](int i, auto& in) { return (in[i] + 4) + (in[i] + 2) + 2 + 2 * i + in[i]; });
}

TEST(Dialect, constants_are_copies_of_other_constants) {
  check_ints(kernel_body(R"(
    struct Range { int low; float high[2]; };
    template <typename T> struct Box { T value; Box() = default; Box(T v) : value(v) {} };
    constant Range first = {3, {1.5f, 2.5f}};
    constant Range second = first;
    constant float4 weights = float4(1, 2, 3, 4);
    constant float4 same = weights;
    constant int third_weight = int(same.z);
    constant Range ranges[2] = {first, second};
    constant Box<int> box = Box<int>(7);
    constant Box<int> other_box = box;
  )",
                         R"(
    out[i] = in[i] + second.low + int(second.high[1] * 2) + int(same.w) + third_weight +
             int(ranges[1].high[0] * 2) + other_box.value;
  )"),
             [](int i, auto& in) { return in[i] + 3 + 5 + 4 + 3 + 3 + 7; });
}

TEST(Dialect, functions_of_any_kind_are_template_arguments) {
  check_ints(kernel_body(R"(
    int larger(int a, int b) { return a > b ? a : b; }
    int plus(int a, int b) { return a + b; }
    struct Op {
      template <typename T> static T lower(T a, T b) { return a < b ? a : b; }
      static int minus(int a, int b) { return a - b; }
    };
    template <typename T> struct Of { static T times(T a, T b) { return a * b; } };
    template <typename T, T (*F)(T, T)> T fold(T a, T b, T c) { return F(F(a, b), c); }
    template <int (&F)(int, int), int By = 2> int apply(int a) { return F(a, By); }
    template <int F(int, int)> struct Folder { int run(int a, int b) { return F(a, b); } };
    template <typename T, T (*F)(T, T) = Of<T>::times> struct Twice {
      static T run(T a) { return F(a, T(2)); }
    };
  )",
                         R"(
    Folder<Op::minus> folder;
    Folder<plus> adder;
    out[i] = fold<int, larger>(in[i], 3, 5) + fold<int, &plus>(in[i], 1, 1) +
             fold<int, Op::lower<int>>(in[i], 9, 4) + fold<int, Op::minus>(in[i], 2, 3) +
             apply<larger>(in[i]) + apply<Op::minus, 3>(in[i]) + folder.run(in[i], 8) +
             adder.run(in[i], 8) + Twice<int>::run(in[i]) + Twice<int, plus>::run(in[i]);
  )"),
             [](int i, auto& in) {
               int n = in[i];
               return std::max(n, 5) + (n + 2) + std::min(n, 4) + (n - 5) + std::max(n, 2) +
                      (n - 3) + (n - 8) + (n + 8) + 2 * n + (n + 2);
             });
}

TEST(Dialect, members_of_stage_structures_may_depend_on_function_constants) {
  check_ints(kernel_body(R"(
    constant bool has_color [[function_constant(0)]];
    constant int passes_tmp [[function_constant(1)]];
    constant int passes = is_function_constant_defined(passes_tmp) ? passes_tmp : 3;
    constant bool has_more = passes > 2;
    template <typename T> struct Out {
      vec<T, 4> color [[color(0), function_constant(has_color)]];
      T more [[function_constant(has_more), color(1)]];
    };
    struct In { float4 position [[attribute(0), function_constant(has_color)]]; };
    fragment Out<half> shade(In in [[stage_in]]) { return Out<half>(); }
    enum { kBias = 2 };
    constant int bias_tmp [[function_constant(kBias)]];
    constant int bias = is_function_constant_defined(bias_tmp) ? bias_tmp : 5;
  )",
                         R"(
    Out<float> result;
    result.more = passes;
    out[i] = in[i] + int(result.more) + bias;
  )"),
             [](int i, auto& in) { return in[i] + 3 + 5; });
}

TEST(Dialect, graphics_functions_beside_kernels_are_left_out) {
  check_ints(kernel_body(R"(
    struct Varying { float4 position [[position]]; float2 uv; };
    template <typename T> T scale(T x) { return x * 2; }
    vertex Varying corner(uint id [[vertex_id]], constant float2* corners [[buffer(0)]]) {
      Varying v;
      if (id > 2) { v.uv = corners[id]; } else { v.uv = 0; }
      v.position = float4(v.uv, 0, 1);
      return v;
    }
    [[fragment]] float4 shade(Varying v [[stage_in]], texture2d<float> t [[texture(0)]]) {
      constexpr sampler s(filter::linear);
      return t.sample(s, v.uv);
    }
    fragment half4 shade_half(Varying v [[stage_in]]);
    int vertex_count(int vertex) { return vertex + 1; }
  )",
                         R"(
    int fragment = scale(in[i]);
    out[i] = vertex_count(fragment);
  )"),
             [](int i, auto& in) { return 2 * in[i] + 1; });
}

TEST(Dialect, kernels_with_textures_leave_others_alone) {
  check_ints(kernel_body(R"(
    namespace image {
    enum Mode : int { off, on = 2 };
    struct Source { texture2d<float> texture; int value() const; };
    constexpr sampler nearest(filter::nearest);
    inline float4 texel(Source source, uint2 at) { return source.texture.read(at); }
    struct Plain { int a[2] = {3, 4}; int sum() const { return a[0] + a[1]; } };
    }
    constant int table[] = {5, 6};
    typedef image::Source Input;
    using Output = texture2d<half, access::write>;
    int operator==(image::Plain a, int b) { return a.sum() == b ? 1 : 0; }
    kernel void show(constant Input& from, Output to, uint2 at [[thread_position_in_grid]]) {
      to.write(half4(image::texel(from, at)), at);
    }
    template <typename T> [[kernel]] void fill(texture2d<T, access::write> to) {
      to.write(T(0), 0);
    }
    template [[host_name("fill_half")]] [[kernel]] decltype(fill<half>) fill<half>;
    template <typename T> kernel void twice(const device T* in, device T* out,
                                            uint i [[thread_position_in_grid]]) {
      out[i] = 2 * in[i];
    }
    template [[host_name("twice_int")]] kernel void twice<int>(const device int*, device int*, uint);
  )",
                         R"(
    image::Plain plain;
    out[i] = in[i] + plain.sum() + (plain == 7) + image::on + table[1];
  )"),
             [](int i, auto& in) { return in[i] + 7 + 1 + 2 + 6; });
}

TEST(Dialect, specialisations_repeat_references_to_thread_memory) {
  check_ints(kernel_body(R"(
    template <typename V, typename Q> V widen(const thread Q& x, int by);
    template <> int widen<int, uchar>(const thread uchar& x, int by) { return int(x) + by; }
    template <> int widen<int, int>(thread const int& x, int by) { return x - by; }
    int plain(const thread int& x) { return x * 2; }
  )",
                         R"(
    uchar small = uchar(in[i]);
    int large = in[i];
    out[i] = widen<int, uchar>(small, 1) + widen<int>(large, 2) + plain(in[i] + 1);
  )"),
             [](int i, auto& in) {
               return static_cast<uint8_t>(in[i]) + 1 + in[i] - 2 + 2 * (in[i] + 1);
             });
}

TEST(Dialect, array_parameters_of_templates_are_in_thread_memory) {
  check_ints(kernel_body(R"(
    template <typename T> int dot(const T a[3], T b[3], T scale) {
      static_assert(is_same_v<T, float>, "only the element's type");
      return int((a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) * scale);
    }
    template <typename T> struct Row {
      void fill(T row[2], T v) { row[0] = v; row[1] = v + 1; }
    };
  )",
                         R"(
    float a[3] = {1, 2, 3};
    float b[3] = {float(in[i]), 1, 1};
    int row[2];
    Row<int>().fill(row, in[i]);
    out[i] = dot(a, b, 2.0f) + row[1];
  )"),
             [](int i, auto& in) { return 2 * (in[i] + 5) + in[i] + 1; });
}

TEST(Dialect, threadgroup_variables_may_carry_an_alignment) {
  check_ints(kernel_body(R"(
    int place(uint t, int v) {
      threadgroup char pad[3] __attribute__((aligned(2)));
      threadgroup int tile[2][40] __attribute__((aligned(128)));
      alignas(32) threadgroup int other[40];
      __attribute__((aligned(16))) threadgroup int third[40];
      if (t == 0) pad[0] = 1;
      tile[1][t] = v;
      other[t] = v;
      third[t] = v;
      long misplaced = ((long)&tile & 127) + ((long)&other & 31) + ((long)&third & 15);
      return tile[1][t] + other[t] + third[t] + int(misplaced);
    }
  )",
                         R"(
    out[i] = place(i % 40, in[i]);
  )"),
             [](int i, auto& in) { return 3 * in[i]; });
}

TEST(Dialect, static_members_in_constant_memory_have_every_form) {
  check_ints(kernel_body(R"(
    struct Field {
      uint value;
      static constant uint32_t kPrime = 0x78000001;
      static const constant Field kLowest;
      constexpr static const constant int kTable[3] = {4, 5, 6};
    };
    constexpr constant Field Field::kLowest{.value = 7u};
    struct Wide {
      ulong low, high;
      constexpr Wide(ulong a, ulong b) : low(a), high(b) {}
      constexpr Wide operator-(const Wide o) const { return Wide(low - o.low, high - o.high); }
    };
    struct Limits {
      constexpr static const constant Wide kN = Wide(3ul, 4ul);
      constexpr static const constant Wide kRest = Wide(10ul, 20ul) - kN;
    };
    constant Wide kDirect(1, 2);
    constant Wide kBraces{3, 4};
    constant Wide kPair[2] = {Wide(5, 6), {7, 8}};
  )",
                         R"(
    Field lowest = Field::kLowest;
    Wide rest = Limits::kRest;
    out[i] = int(Field::kPrime >> 24) + int(lowest.value) + Field::kTable[i % 3] + int(rest.low) +
             int(rest.high) + int(kDirect.high + kBraces.low + kPair[i % 2].high) + in[i];
  )"),
             [](int i, auto& in) {
               return 0x78 + 7 + (4 + i % 3) + 7 + 16 + 2 + 3 + (i % 2 ? 8 : 6) + in[i];
             });
}

TEST(Dialect, decltype_of_a_variable_names_no_address_space) {
  check_ints(kernel_body(R"(
    template <typename T> struct Code { enum { value = 0 }; };
    template <> struct Code<half> { enum { value = 1 }; };
    template <> struct Code<float> { enum { value = 2 }; };
    struct Holder { float member; };
  )",
                         R"(
    float f = 1;
    half h = 2;
    Holder holder;
    thread Holder* p = &holder;
    vec<decltype(f), 2> v(3);
    threadgroup decltype(h) shared[40];
    shared[i % 40] = h;
    decltype(auto) same = f;
    int branch = 0;
    if constexpr (is_same_v<decltype(h), half>) branch = 100;
    out[i] = Code<decltype(f)>::value + Code<decltype(h)>::value * 10 + int(v.y) + branch +
             Code<decltype(p->member)>::value + int(shared[i % 40]) + int(same) + in[i];
  )"),
             [](int i, auto& in) { return 2 + 10 + 3 + 100 + 2 + 2 + 1 + in[i]; });
}

TEST(Dialect, volatile_and_coherent_memory_copies_whole_objects) {
  check_ints(kernel_body(R"(
    struct Cell { int a; float4 v; };
    int read(coherent device int* p, device coherent(device) int* q) { return p[0] + q[0]; }
  )",
                         R"(
    threadgroup Cell cells[40];
    volatile threadgroup Cell* p = cells + i % 40;
    Cell own = {in[i], float4(1, 2, 3, 4)};
    *p = own;
    Cell copy = *p;
    Cell other;
    other = *p;
    cells[i % 40] = *p;
    out[i] = 0;
    out[i] = copy.a + other.a + int(cells[i % 40].v.w) + read(out + i, out + i);
  )"),
             [](int i, auto& in) { return 2 * in[i] + 4; });
}

TEST(Dialect, names_of_the_base_language_belong_to_the_program) {
  // Functions, types, extensions and words that OpenCL has without a header, and Metal has not.
  std::vector<float> out(12);
  run_kernel({.source = R"(
#if defined(cl_khr_fp16) || defined(CL_VERSION_1_0) || defined(__OPENCL_VERSION__)
#error the base language shows
#endif
typedef float event_t;
typedef struct { float value; } queue_t;
using sampler_t = uint;
struct clk_event_t { float value; };
namespace own { typedef int atomic_flag; }
float3 to_local(float3 x, float3 y) { return x - y; }
void to_local(float3 x, thread float3& y, thread float3* z) { y = x; *z = -x; }
float to_global(float x) { return x * 2; }
float to_private(thread float* x) { return *x; }
template <typename T> T read_pipe(T x) { return x + T(1); }
int enqueue_kernel(int x) { return x * x; }
float convert_int(float x) { return x / 2; }
float get_global_id(float x) { return x * 3; }
float barrier(float x) { return x - 1; }
kernel void k(device float* out) {
  float3 a, b;
  to_local(float3(1, 2, 3), a, &b);
  event_t event = 5;
  queue_t queue = {6};
  sampler_t sampler_bits = 7;
  clk_event_t clock{8};
  own::atomic_flag flag = 9;
  float global = 1, local = 2, generic = 3, pipe = 4, read_only = 5, write_only = 6, uniform = 7,
        vec_step = 8, as_int = 9, half2x = 10;
  out[0] = to_local(a, b).y;
  out[1] = to_global(a.z) + to_private(&global);
  out[2] = read_pipe(1.5f) + enqueue_kernel(3);
  out[3] = event + queue.value + sampler_bits + clock.value + flag;
  out[4] = global + local + generic + pipe + read_only + write_only;
  out[5] = uniform + vec_step + as_int + half2x;
  out[6] = convert_int(9) + get_global_id(2) + barrier(3);
})",
              .grid = {1, 1, 1},
              .threadgroup = {1, 1, 1}},
             {buffer(out)});
  EXPECT_EQ(out, (std::vector<float>{4, 7, 11.5F, 35, 21, 34, 12.5F, 0, 0, 0, 0, 0}));
}

TEST(Dialect, words_stand_for_operators) {
  check_ints(kernel_body("",
                         R"(
    int a = in[i];
    bool b = not (a == 1) and (a > 0 or a < -20);
    out[i] = (a bitand 7) bitor (b ? 16 : 0) xor 1;
  )"),
             [](int i, auto& in) {
               int a = in[i];
               bool b = a != 1 && (a > 0 || a < -20);
               return (a & 7) | ((b ? 16 : 0) ^ 1);
             });
}

TEST(Dialect, assignments_differ_by_address_space) {
  check_ints(kernel_body(R"(
    struct Slot {
      int value;
      threadgroup Slot& operator=(int v) threadgroup { value = v + 1; return *this; }
      thread Slot& operator=(int v) { value = v + 2; return *this; }
      operator bool() const { return value != 0; }
    };
    struct Matrix {
      float a;
      threadgroup Matrix& operator=(const thread Matrix& m) threadgroup { a = m.a; return *this; }
      threadgroup Matrix& operator=(const device Matrix& m) threadgroup { a = m.a; return *this; }
    };
    Slot make(int v) { return Slot{v}; }
  )",
                         R"(
    threadgroup Slot slots[40];
    threadgroup Slot& shared = slots[i % 40];
    shared = in[i];
    Slot own;
    own = 5;
    int sum = shared.value + own.value;
    own = make(3);
    shared = own;
    threadgroup Matrix matrices[40];
    matrices[i % 40] = Matrix{float(in[i])};
    out[i] = sum + shared.value + int(matrices[i % 40].a);
  )"),
             [](int i, auto& in) { return in[i] + 1 + 7 + 3 + in[i]; });
}

}  // namespace
}  // namespace assay::testing
