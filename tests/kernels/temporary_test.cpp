// Values without a name: Metal keeps them in thread memory, the base language in none.
#include "tests/kernels/int_kernel.h"

namespace assay::testing {
namespace {

TEST(Temporary, is_in_thread_memory) {
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

TEST(Temporary, is_served_by_methods_for_thread_objects) {
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

TEST(Temporary, is_kept_alive_by_references) {
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

TEST(Temporary, comes_from_lists_in_braces) {
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

TEST(Temporary, lets_templates_deduce_references_to_thread_memory) {
  // Calls, unary and binary operators, numbers and arithmetic, one inside of the other.
  std::vector<float> out(8);
  run_kernel({.source = R"(
template <typename T> struct dual { T value, slope; };
template <typename T> dual<T> operator-(const thread dual<T>& a) { return {-a.value, -a.slope}; }
template <typename A, typename B>
dual<A> operator/(const thread dual<A>& a, const thread dual<B>& b) {
  return {a.value / b.value, a.slope};
}
template <typename T> dual<T> operator*(const thread dual<T>& a, const thread T& b) {
  return {a.value * b, a.slope * b};
}
template <typename T> thread dual<T>& operator+=(thread dual<T>& a, const thread dual<T>& b) {
  a.value += b.value;
  a.slope += b.slope;
  return a;
}
template <typename T> dual<T> chain(const thread dual<T>& a, const thread T& f, const thread T& d) {
  return {f, d * a.slope};
}
template <typename T, int N> struct row { T values[N]; };
template <typename T, int N> row<T, N> filled(T x) {
  row<T, N> r;
  for (int i = 0; i < N; ++i) r.values[i] = x + T(i);
  return r;
}
template <typename T, int N> T last(const thread row<T, N>& r) { return r.values[N - 1]; }
template <typename T> T twice(const thread T& x) { return x + x; }
dual<float> make(float x) { return {x, 1}; }
dual<float> root(const thread dual<float>& a) {
  const float f = sqrt(a.value);
  return chain(a, f, 0.5f / f);
}
kernel void k(device float* out) {
  const dual<float> b = make(4);
  dual<float> sum = -make(2);
  sum += -(make(8) / b);
  sum += make(3) * 1.0f;
  sum += b * 0.5f;
  sum += make(1) * (b.slope * 1);
  out[0] = sum.value;
  out[1] = sum.slope;
  out[2] = (make(6) / make(3)).value + (make(6) / -b).value;
  out[3] = root(make(16)).slope;
  out[4] = last(filled<float, 5>(1)) + last(filled<int, 3>(1));
  out[5] = twice(1.5f) + twice(-b.value) + twice(b.value * 2);
  dual<float3> wide = {float3(1, 2, 3), float3(4)};
  out[6] = (-(wide * float3(2))).value.z;
})",
              .grid = {1, 1, 1},
              .threadgroup = {1, 1, 1}},
             {buffer(out)});
  EXPECT_EQ(out, (std::vector<float>{2, 0.5F, 0.5F, 0.125F, 8, 11, -6, 0}));
}

}  // namespace
}  // namespace assay::testing
