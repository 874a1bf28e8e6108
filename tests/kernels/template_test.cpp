// Templates and newer C++ as Metal code bases use them: packs, folds, template template parameters,
// constexpr, lambdas, structured bindings.
#include "tests/kernels/int_kernel.h"

namespace assay::testing {
namespace {

TEST(Template, packs_fold_and_recurse) {
  check_ints(kernel_body(R"(
    template <typename... Ts> int total(Ts... xs) { return (0 + ... + int(xs)); }
    template <typename... Ts> bool all_positive(Ts... xs) { return (... && (xs > 0)); }
    template <typename T> T last(T x) { return x; }
    template <typename T, typename... Rest> auto last(T, Rest... rest) { return last(rest...); }
    template <int... Ns> struct List {
      static constexpr int sum() { return (Ns + ...); }
      static constexpr constant int count = sizeof...(Ns);
    };
    template <int N> struct Factorial { enum { value = N * Factorial<N - 1>::value }; };
    template <> struct Factorial<0> { enum { value = 1 }; };
    template <int N> int power(int x) {
      if constexpr (N == 0) return 1;
      else return x * power<N - 1>(x);
    }
    template <typename F, typename... Args> auto call(F f, Args... args) { return f(args...); }
  )",
                         R"(
    out[i] = total(in[i], 2.5f, short(3)) + (all_positive(in[i], 1) ? 100 : 0) +
             last(1.5f, 2, in[i]) + List<1, 2, 3>::sum() + List<4, 5>::count +
             Factorial<5>::value + power<3>(in[i] % 10) +
             call([](int a, int b) { return a - b; }, in[i], 7);
  )"),
             [](int i, auto& in) {
               int m = in[i] % 10;
               return in[i] + 5 + (in[i] > 0 ? 100 : 0) + in[i] + 6 + 2 + 120 + m * m * m + in[i] -
                      7;
             });
}

TEST(Template, template_template_and_default_arguments) {
  check_ints(
      kernel_body(R"(
    struct AddOp { template <typename T> T operator()(T a, T b) const { return a + b; } };
    struct MaxOp { template <typename T> T operator()(T a, T b) { return a > b ? a : b; } };
    template <typename T> struct Box { T v; T get() const { return v; } };
    template <typename T> struct Negated { T v; T get() const { return -v; } };
    template <template <typename> class Holder, typename T = int> T unwrap(T x) {
      Holder<T> h{x};
      return h.get();
    }
    template <typename Op = AddOp, typename T, int N = 3> T reduce(T x, Op op = Op()) {
      T acc = x;
      for (int j = 0; j < N; ++j) acc = op(acc, T(j));
      return acc;
    }
    template <typename T> using BoxOf = Box<T>;
    template <typename T, typename U = T> struct Mixed { T t; U u; };
    template <typename T> struct Mixed<T, float> { T t; float u; int extra = 50; };
    template <typename T> constexpr constant int kRank = 1;
    template <> constexpr constant int kRank<float> = 2;
  )",
                  R"(
    BoxOf<int> box{in[i]};
    Mixed<int, float> mixed{1, 2.0f};
    out[i] = unwrap<Box>(in[i]) + unwrap<Negated>(3) + reduce(in[i]) + reduce<MaxOp>(in[i]) +
             box.get() + mixed.extra + kRank<int> * 10 + kRank<float>;
  )"),
      [](int i, auto& in) { return in[i] - 3 + in[i] + 3 + std::max(in[i], 2) + in[i] + 50 + 12; });
}

TEST(Template, constexpr_functions_size_arrays_and_tables) {
  check_ints(kernel_body(R"(
    constexpr int log2_of(int n) { int r = 0; while (n > 1) { n >>= 1; ++r; } return r; }
    constexpr bool is_even(int n) { return n % 2 == 0; }
    struct Table {
      int v[8];
      constexpr Table() : v() { for (int j = 0; j < 8; ++j) v[j] = j * j; }
    };
    constant constexpr Table squares = Table();
    template <int N, bool = is_even(N)> struct Pick { static constexpr constant int value = 1; };
    template <int N> struct Pick<N, false> { static constexpr constant int value = 2; };
    static_assert(log2_of(64) == 6, "six");
  )",
                         R"(
    constexpr int n = log2_of(16);
    int a[n];
    for (int j = 0; j < n; ++j) a[j] = in[i] + j;
    threadgroup int shared[log2_of(1 << 20) * 2];
    shared[i % 40] = a[3];
    out[i] = shared[i % 40] + squares.v[i % 8] + Pick<4>::value * 10 + Pick<5>::value;
  )"),
             [](int i, auto& in) { return in[i] + 3 + (i % 8) * (i % 8) + 12; });
}

TEST(Template, lambdas_capture_and_return) {
  check_ints(kernel_body(R"(
    template <typename F> void each(int n, F f) { for (int j = 0; j < n; ++j) f(j); }
    template <typename F> auto twice(F f) { return [=](int x) { return f(f(x)); }; }
  )",
                         R"(
    int sum = 0;
    int bias = 3;
    each(4, [&](int j) { sum += j * bias; });
    auto add = [bias](int x) { return x + bias; };
    auto scale = [=, factor = 2](auto x) { return x * factor + bias; };
    auto store = [&](uint at, int v) { out[at] = v; };
    int row[4] = {1, 2, 3, 4};
    auto at = [&row](int j) -> int { return row[j]; };
    auto count = [n = 0]() mutable { return ++n; };
    count();
    store(i, sum + twice(add)(in[i]) + scale(in[i]) + at(2) + count());
  )"),
             [](int i, auto& in) { return 18 + in[i] + 6 + in[i] * 2 + 3 + 3 + 2; });
}

TEST(Template, structured_bindings_and_auto_results) {
  check_ints(kernel_body(R"(
    struct Split { int whole; int rest; };
    Split split(int x) { return {x / 10, x % 10}; }
    template <typename A, typename B> struct Two { A first; B second; };
    template <typename A, typename B> Two<A, B> two(A a, B b) { return {a, b}; }
    auto third(int x) -> int { return x / 3; }
    decltype(auto) same(thread int& x) { return (x); }
  )",
                         R"(
    auto [whole, rest] = split(in[i]);
    auto [a, b] = two(in[i], 2.0f);
    int pair[2] = {1, 2};
    auto& [p, q] = pair;
    p = 5;
    const auto [x, y] = split(77);
    int own = 4;
    same(own) = 6;
    if (int t = third(in[i]); t > 4) own += t;
    out[i] = whole * 2 + rest + a + int(b) + pair[0] + q + x + y + own;
  )"),
             [](int i, auto& in) {
               int t = in[i] / 3;
               return in[i] / 10 * 2 + in[i] % 10 + in[i] + 2 + 5 + 2 + 14 + 6 + (t > 4 ? t : 0);
             });
}

TEST(Template, deduces_address_spaces_of_pointers_and_references) {
  check_ints(kernel_body(R"(
    template <typename P> int head(P p) { return p[0]; }
    template <typename T> int first(const device T* p) { return int(p[0]); }
    template <typename T> int first(const threadgroup T* p) { return int(p[0]) + 1; }
    template <typename T> int first(const thread T* p) { return int(p[0]) + 2; }
    template <typename T> int first(constant T* p) { return int(p[0]) + 3; }
    template <typename T, int N> int sum(thread const T (&a)[N]) {
      int s = 0;
      for (int j = 0; j < N; ++j) s += a[j];
      return s;
    }
    template <typename T> struct pointer_to { using type = const device T*; };
    template <typename T> void assign(threadgroup T& to, T v) { to = v; }
    template <typename T> void assign(thread T& to, T v) { to = v + 1; }
    template <typename T> void assign(device T& to, T v) { to = v + 2; }
    constant int table[2] = {30, 40};
  )",
                         R"(
    threadgroup int shared[40];
    threadgroup int* slot = shared + i % 40;
    assign(*slot, in[i]);
    int own[3] = {1, 2, 3};
    assign(own[2], 8);
    typename pointer_to<int>::type p = in + i;
    int result = head(p) + head(slot) + head(own) + first(p) + first(slot) + first(own) +
                 first(table) + sum(own);
    assign(out[i], result);
  )"),
             [](int i, auto& in) {
               return in[i] + in[i] + 1 + in[i] + in[i] + 1 + 3 + 33 + (1 + 2 + 9) + 2;
             });
}

TEST(Template, nested_loops_and_switches_leave_early) {
  check_ints(kernel_body(R"(
    int search(int limit) {
      for (int a = 0; a < 10; ++a) {
        for (int b = 0; b < 10; ++b) {
          if ((a + b) % 7 == 6) continue;
          if (a * b > limit) return a * 100 + b;
        }
      }
      return -1;
    }
    int collatz(int n) {
      int steps = 0;
      do {
        n = n % 2 ? 3 * n + 1 : n / 2;
        if (++steps > 50) break;
      } while (n != 1);
      return steps;
    }
    int name(int x) {
      switch (x) {
        case 0:
        case 1: x += 5; [[fallthrough]];
        case 2: return x * 2;
        case 3: { int y = x; while (true) { if (++y > 6) break; } return y; }
        default: return -x;
      }
    }
  )",
                         R"(
    out[i] = search(in[i] % 40) + collatz(int(i) + 2) + name(int(i) % 5);
  )"),
             [](int i, auto& in) {
               auto search = [](int limit) {
                 for (int a = 0; a < 10; ++a) {
                   for (int b = 0; b < 10; ++b) {
                     if ((a + b) % 7 != 6 && a * b > limit) return a * 100 + b;
                   }
                 }
                 return -1;
               };
               int steps = 0;
               for (int n = i + 2; steps == 0 || (n != 1 && steps <= 50); ++steps) {
                 n = n % 2 ? 3 * n + 1 : n / 2;
               }
               const int names[5] = {10, 12, 4, 7, -4};
               return search(in[i] % 40) + steps + names[i % 5];
             });
}

TEST(Template, traits_and_constraints_choose_overloads) {
  check_ints(kernel_body(R"(
    template <typename T, typename...> using first_of = T;
    template <typename T, typename = void> struct has_size { enum { value = 0 }; };
    template <typename T> struct has_size<T, first_of<void, decltype(T::size)>> { enum { value = 1 }; };
    struct Sized { static constexpr constant int size = 3; };
    struct Bare {};
    template <typename T, enable_if_t<is_integral_v<T>, bool> = true> int kind(T) { return 1; }
    template <typename T, enable_if_t<is_floating_point_v<T>, bool> = true> int kind(T) { return 2; }
    template <typename T> constexpr int size_class() {
      if constexpr (is_same_v<T, half> || is_same_v<T, bfloat>) return 2;
      else if constexpr (is_same_v<T, float>) return 4;
      else return 0;
    }
    namespace outer { namespace inner { template <typename T> T twice(T x) { return x + x; } } }
    namespace alias = outer::inner;
    using outer::inner::twice;
    template <typename T> struct Traits;
    template <> struct Traits<float> { using wide = float; using narrow = half; };
    template <typename T> typename Traits<T>::narrow shrink(T x) {
      using N = typename Traits<T>::narrow;
      return static_cast<N>(x);
    }
  )",
                         R"(
    out[i] = has_size<Sized>::value * 10 + has_size<Bare>::value + kind(in[i]) + kind(1.0h) * 3 +
             kind(bfloat(2)) + size_class<half>() + size_class<bfloat>() * 3 +
             size_class<float>() * 5 + size_class<int>() + twice(in[i]) + alias::twice(1) +
             int(shrink(2.5f) * 2);
  )"),
             [](int i, auto& in) { return 10 + 1 + 6 + 2 + 2 + 6 + 20 + 2 * in[i] + 2 + 5; });
}

}  // namespace
}  // namespace assay::testing
