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

TEST(Dialect, temporaries_are_in_thread_memory) {
  check_ints(kernel_body(R"(
    struct Number {
      int x;
      Number() = default;
      Number(int v) : x(v) {}
      int get() const { return x; }
      int plus(const thread Number& other) const { return x + other.get(); }
    };
    struct Holder {
      int kept;
      Holder(const thread Number& n, int by) : kept(n.get() * by) {}
    };
    Number make(int x) { return Number(x); }
    Number operator-(const thread Number& a, const thread Number& b) { return Number(a.x - b.x); }
    int first(const thread Number& n, int by) { return n.get() + by; }
    int second(int by, thread const Number& n) { return n.x * by; }
    int sum(const thread int4& v) { return v.x + v.y + v.z + v.w; }
    template <typename T> int twice(const thread T& value) { return 2 * value.get(); }
    int where(const thread Number& n) { return 1; }
    int where(const device Number& n) { return 2; }
    template <typename T> int both(T a, const device T* p) { return where(a) + 10 * where(make(a.x)); }
  )",
                         R"(
    Number n = make(in[i]);
    const device Number* numbers = (const device Number*)in;
    int total = first(make(3), 1) + first(n, 1) + second(2, Number(4)) + sum(int4(1, 2, 3, in[i]));
    total += twice(make(5)) + twice(n) + n.plus(make(6)) + Holder(make(7), 2).kept;
    total += (n - make(1) - Number(2)).x + first(make(1) - n, max(1, 2));
    out[i] = total + 100 * where(make(1)) + 1000 * where(numbers[i]) + both(n, numbers);
  )"),
             [](int i, auto& in) {
               int n = in[i];
               int total = 4 + (n + 1) + 8 + (6 + n);
               total += 10 + 2 * n + (n + 6) + 14;
               total += (n - 3) + (1 - n + 2);
               return total + 100 + 2000 + 11;
             });
}

TEST(Dialect, methods_for_thread_objects_serve_temporaries) {
  check_ints(kernel_body(R"(
    struct Row {
      int e[4];
      thread int& operator[](size_t j) thread { return e[j]; }
      device int& operator[](size_t j) device { return e[j]; }
      threadgroup int& operator[](size_t j) threadgroup { return e[j]; }
      int next(int j) thread { return ++e[j]; }
      int next(int j) device { return -1000; }
      template <typename T> T last() thread { return T(e[3]); }
      template <typename T> T last() device { return T(-1000); }
      int operator()(int x) thread { return x + e[3]; }
      int operator()(int x) device { return -1000; }
      int operator*(int x) thread { return x * e[2]; }
      int operator*(int x) device { return -1000; }
      int operator-() thread { return -e[2]; }
      int operator-() device { return -1000; }
      operator int() thread { return 7 * e[0]; }
      operator int() device { return -1000; }
      int first() const thread { return e[0]; }
      int first() const device { return -1000; }
    };
    struct Table {
      Row row;
      Row copy() { return row; }
    };
    Row row(int x) { return Row{{x, x + 1, x + 2, x + 3}}; }
    template <typename T> int both(T x) { return T(x)[1] + T(x).next(2); }
  )",
                         R"(
    const int n = in[i];
    Table table = {row(n)};
    device Row* place = (device Row*)out;
    int converted = row(n);
    int total = row(n)[0u] + 3 * row(n).next(1) + row(n).last<int>() + row(n)(2);
    total += row(n) * 5 + -row(n) + converted + int(row(1)) + row(n).first();
    total += both(table.row) + table.copy()[1] + row(row(n)[2]).next(0) + table.row.next(3);
    out[i] = total + (n == 10000 ? place->first() : 0);
  )"),
             [](int i, auto& in) {
               int n = in[i];
               int total = n + 3 * (n + 2) + (n + 3) + (n + 3 + 2);
               total += 5 * (n + 2) - (n + 2) + 7 * n + 7 + n;
               return total + (n + 1) + (n + 3) + (n + 1) + (n + 3) + (n + 4);
             });
}

TEST(Dialect, references_keep_temporaries_alive) {
  check_ints(kernel_body(R"(
    struct Pair { int first, second; };
    Pair pair(int x) { return Pair{x, 2 * x}; }
    template <typename T> T middle(T a, T b) { return (a + b) / 2; }
  )",
                         R"(
    const thread Pair& p = pair(in[i]);
    thread const auto& m = middle(p.first, p.second);
    const thread Pair& same = p;
    const thread Pair& q = pair(m);
    out[i] = same.second + q.second;
  )"),
             [](int i, auto& in) { return 2 * in[i] + 3 * in[i] / 2 * 2; });
}

TEST(Dialect, lists_in_braces_become_temporaries_in_thread_memory) {
  check_ints(kernel_body(R"(
    struct Range { int first; int last; };
    struct Box { Range x; Range y; };
    template <typename T> struct Pair { T a, b; };
    int length(const thread Range& r) { return r.last - r.first; }
    int area(thread const Box& box) { return length(box.x) * length(box.y); }
    int total(const thread int4& v, int by) { return (v.x + v.y + v.z + v.w) * by; }
    template <typename T> T difference(const thread Pair<T>& p) { return p.a - p.b; }
    struct Counter {
      int value = 0;
      void add(const thread Range& r) { value += length(r); }
    };
  )",
                         R"(
    Counter counter;
    counter.add({1, in[i]});
    counter.add({length({2, 5}), in[i]});
    out[i] = length({in[i], 7}) + area({{0, 2}, {in[i], 9}}) + total({1, 2, 3, in[i]}, 2) +
             difference<int>({in[i], 3}) + counter.value;
  )"),
             [](int i, auto& in) {
               int n = in[i];
               return (7 - n) + 2 * (9 - n) + 2 * (6 + n) + (n - 3) + (n - 1) + (n - 3);
             });
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
