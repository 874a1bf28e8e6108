// Objects that hold or inherit from classes with assignments and copy constructors of their own.
#include "tests/kernels/int_kernel.h"

namespace assay::testing {
namespace {

TEST(Copy, whole_objects_are_assigned_beside_assignments_from_other_types) {
  check_ints(kernel_body(R"(
    struct Digit {
      int value;
      void operator=(int v) { value = v; }
      void operator=(int v) device { value = v; }
    };
    struct Any {
      int value;
      template <typename T> thread Any& operator=(T v) { value = int(v); return *this; }
    };
    struct Number {
      Digit digits[4];
      Number plus(int by) {
        Number sum;
        sum = *this;
        for (int j = 0; j < 4; ++j) sum.digits[j] = digits[j].value + by;
        return sum;
      }
      void add(int by) { *this = plus(by); }
    };
    struct Named : Number { int name; Any any; };
    struct Both { Named first; Named second; };
    union Either { Digit digit; int bits; };
  )",
                         R"(
    threadgroup Both shared;
    device Digit* place = (device Digit*)&out[i];
    Both both;
    for (int j = 0; j < 4; ++j) both.first.digits[j] = in[i] + j;
    both.first.name = 7;
    both.first.any = 2.5f;
    both.first.add(10);
    both.second = both.first;
    if (i == 0) shared = both;
    Any a, b;
    a.value = 3;
    b = a;
    Either e, f;
    e.digit = 5;
    f = e;
    Both copy;
    copy = both;
    *place = 1;
    const int base = out[i];
    Named last;
    last = copy.second;
    out[i] = base + last.digits[3].value + last.name + last.any.value + b.value + f.bits;
  )"),
             [](int i, auto& in) { return 1 + (in[i] + 13) + 7 + 2 + 3 + 5; });
}

TEST(Copy, objects_go_between_address_spaces_beside_an_assignment_for_one) {
  constexpr uint32_t kCount = 37;
  std::vector<int32_t> all(3 * kCount), out(3 * kCount, -1);
  for (uint32_t i = 0; i < 3 * kCount; ++i) all[i] = static_cast<int32_t>(i * i);
  run_kernel({.source = R"(
    struct Field {
      int v;
      thread Field& operator=(const thread Field& other) { v = other.v; return *this; }
      thread Field& operator=(int other) { v = other; return *this; }
    };
    struct Point { Field x; Field rest[2]; };
    kernel void k(const device Point* from, device Point* to, uint i [[thread_position_in_grid]],
                  uint t [[thread_index_in_threadgroup]]) {
      threadgroup Point shared[8];
      Point p = from[i];
      shared[t] = p;
      Point q;
      q = shared[t];
      q.x = q.rest[1];
      to[i] = q;
    })",
              .grid = {kCount, 1, 1},
              .threadgroup = {8, 1, 1}},
             {buffer(all), buffer(out)});
  for (uint32_t i = 0; i < kCount; ++i) {
    EXPECT_EQ(out[3 * i], all[3 * i + 2]);
    EXPECT_EQ(out[3 * i + 1], all[3 * i + 1]);
    EXPECT_EQ(out[3 * i + 2], all[3 * i + 2]);
  }
}

TEST(Copy, members_are_copied_by_their_own_functions) {
  check_ints(kernel_body(R"(
    struct Counted {
      int v;
      int copies;
      Counted() = default;
      Counted(int x) : v(x), copies(0) {}
      Counted(const thread Counted& o) : v(o.v), copies(o.copies + 1) {}
      thread Counted& operator=(const thread Counted& o) {
        v = o.v;
        copies = o.copies + 100;
        return *this;
      }
    };
    struct Holder { Counted one; int plain[3]; };
    struct Tree { Counted two[2]; Holder holder; };
    struct Derived : Counted { int own; };
  )",
                         R"(
    Holder a;
    a.one.v = in[i];
    a.one.copies = 0;
    a.plain[2] = 5;
    Holder b = a;
    Holder c;
    c = b;
    Tree t;
    t.two[0].v = 1; t.two[0].copies = 0;
    t.two[1].v = 2; t.two[1].copies = 0;
    t.holder = c;
    Tree u = t, w;
    w = u;
    Derived d;
    d.v = 3; d.copies = 0; d.own = 4;
    Derived e = d, f;
    f = e;
    out[i] = b.one.copies + 10 * c.one.copies + w.two[1].copies + w.holder.one.copies +
             f.copies + f.own + w.holder.one.v + w.holder.plain[2] + w.two[0].v;
  )"),
             [](int i, auto& in) { return 1 + 1010 + 101 + 302 + 101 + 4 + in[i] + 5 + 1; });
}

TEST(Copy, constants_and_references_as_members_keep_an_object_from_being_assigned) {
  for (const char* body : {"struct Kept { const int v; }; struct H { Kept k; };",
                           "struct Kept { thread int& v; }; struct H { Kept k; };"}) {
    std::vector<int32_t> out(1);
    std::vector<KernelArgument> arguments = {buffer(out)};
    const std::string error = try_kernel({.source = std::string(body) + R"(
          kernel void k(device int* out) { int z = 1; H a = {{z}}, b = {{z}}; a = b; out[0] = a.k.v; })",
                                          .grid = {1, 1, 1},
                                          .threadgroup = {1, 1, 1}},
                                         arguments);
    EXPECT_NE(error.find("copy assignment operator is implicitly deleted"), std::string::npos)
        << error;
  }
}

}  // namespace
}  // namespace assay::testing
