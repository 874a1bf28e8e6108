// Declarators in parentheses, and types that are declared together with a variable.
#include "tests/kernels/int_kernel.h"

namespace assay::testing {
namespace {

TEST(Declarator, members_point_to_arrays_and_functions) {
  check_ints(kernel_body(R"(
    int twice(int x) { return 2 * x; }
    int square(int x) { return x * x; }
    int sum(int x, int y) { return x + y; }
    typedef struct view { threadgroup int (*rows)[8]; uint count; } view_t;
    struct Fields {
      typedef int (*Step)(int);
      const device int (&first)[1];
      device int (*out)[1];
      int (*table[2])(int);
      int (*binary)(int, int);
      Step step;
      int (scale);
      int run(int x) { return binary(table[x & 1](x), step(x)) * scale; }
    };
    template <typename T> struct Rows { threadgroup T (*rows)[8]; T at(int r, int c) { return rows[r][c]; } };
    struct Pair { int a, b; };
    struct Pick { int Pair::*member; };
  )",
                         R"(
    threadgroup int tile[4][8];
    view_t view;
    view.rows = tile;
    if (i % 40 < 8) view.rows[3][i % 40] = int(i % 40);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    Rows<int> rows = {tile};
    Fields fields = {*(const device int(*)[1])in, (device int(*)[1])out, {twice, square}, sum, twice, 1};
    if (i & 1) fields.step = square;
    Fields copy = fields;
    Pick pick;
    pick.member = i & 1 ? &Pair::a : &Pair::b;
    Pair pair = {10, 20};
    copy.out[i][0] = copy.run(in[i]) + rows.at(3, 0) + copy.first[0] + pair.*pick.member;
  )"),
             [](int i, auto& in) {
               const int x = in[i];
               const int table = (x & 1) != 0 ? x * x : 2 * x;
               const int step = (i & 1) != 0 ? x * x : 2 * x;
               return table + step + in[0] + ((i & 1) != 0 ? 10 : 20);
             });
}

TEST(Declarator, names_of_function_pointers_are_values_and_template_parameters) {
  check_ints(kernel_body(R"(
    typedef int (*Step)(int);
    using Join = int (*)(int, int);
    template <typename T> using Map = T (*)(T);
    int twice(int x) { return 2 * x; }
    int square(int x) { return x * x; }
    int sum(int x, int y) { return x + y; }
    struct Holder { static int next(int x) { return x + 1; } };
    template <Step F> int apply(int x) { return F(x); }
    template <typename T, Map<T> F> T map(T x) { return F(x); }
    template <Step F, Join J> struct Both { int run(int x) { return J(F(x), x); } };
    int call(Step f, int x) { return f(x); }
    Step choose(bool first) { return first ? twice : square; }
    constant Step steps[2] = {twice, square};
  )",
                         R"(
    const int x = in[i];
    Step p = twice;
    if (i & 1) p = &square;
    Step table[2] = {twice, p};
    Join j = &sum;
    int total = p(x) + (*p)(x) + table[1](x) + table[i & 1](x) + j(x, 3) + call(p, x);
    total += apply<twice>(x) + apply<&square>(x) + apply<Holder::next>(x) + map<int, square>(x);
    out[i] = total + Both<twice, sum>().run(x) + choose(i & 1)(x) + steps[i & 1](x);
  )"),
             [](int i, auto& in) {
               const int x = in[i], chosen = (i & 1) != 0 ? x * x : 2 * x;
               const int total = 5 * chosen + x + 3 + 2 * x + x * x + x + 1 + x * x;
               return total + 3 * x + ((i & 1) != 0 ? 2 * x : x * x) + chosen;
             });
}

TEST(Declarator, threadgroup_variables_have_names_in_parentheses_and_types_of_their_own) {
  check_ints(kernel_body(R"(
    template <typename T> T shared(T x, uint lane) {
      threadgroup struct { T first[40]; int count; } kept;
      kept.first[lane] = x;
      if (lane == 0) kept.count = 3;
      threadgroup_barrier(mem_flags::mem_threadgroup);
      return kept.first[lane] + T(kept.count);
    }
  )",
                         R"(
    const uint lane = i % 40;
    threadgroup int (values)[40], (one);
    threadgroup vec<int, 4> (wide)[40];
    threadgroup metal::int2 (pairs)[40];
    threadgroup struct { int a[40]; union { int bits; float f; }; } state, states[2];
    threadgroup union alignas(16) Word { uint bits; float value; } word;
    values[lane] = in[i];
    wide[lane] = 2;
    pairs[lane] = int2(7, 8);
    state.a[lane] = 4;
    if (lane == 0) state.bits = 1;
    states[1].a[lane] = 5;
    if (lane == 0) word.value = 1.0f;
    if (lane == 0) one = 6;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    Word copy = word;
    out[i] = values[lane] + one + wide[lane].w + pairs[lane].y + state.a[lane] + state.bits +
             states[1].a[lane] + int(copy.bits >> 23) + shared(in[i], lane) + int(shared(0.5f, lane) * 2);
  )"),
             [](int i, auto& in) { return 2 * in[i] + 6 + 2 + 8 + 4 + 1 + 5 + 127 + 3 + 7; });
}

}  // namespace
}  // namespace assay::testing
