// Classes as template-heavy code uses them: methods, constructors, operators and conversions on
// objects of every address space.
#include "tests/kernels/int_kernel.h"

namespace assay::testing {
namespace {

TEST(Class, constructor_calls_methods_of_its_own_object) {
  check_ints(kernel_body(R"(
    struct Counter {
      int total;
      int steps = 0;
      Counter(int start) { reset(start); add(2); steps = twice(steps); }
      void reset(int value) { total = value; steps = 0; }
      void add(int n) { for (int j = 0; j < n; ++j) step(); }
      void step() { total += 3; ++steps; }
      int twice(int x) const { return 2 * x + total - total; }
    };
    template <typename T>
    struct Cursor {
      T at;
      T end;
      Cursor(T a, T b) : at(a), end(b) { this->clip(); normalise(); }
      thread Cursor& clip() { if (at > end) at = end; return *this; }
      void normalise() { end -= at; }
    };
  )",
                         R"(
    Counter c(in[i]);
    Cursor<int> cursor(in[i], 7);
    out[i] = c.total * 100 + c.steps + cursor.at * 3 + cursor.end;
  )"),
             [](int i, auto& in) {
               int at = std::min(in[i], 7);
               return (in[i] + 6) * 100 + 4 + at * 3 + (7 - at);
             });
}

TEST(Class, constructors_delegate_and_initialise_from_methods) {
  check_ints(kernel_body(R"(
    struct Range {
      int first;
      int last;
      int length = span();
      int span() const { return last - first + 1; }
      Range(int a, int b) : first(a), last(b) {}
      Range(int n) : Range(0, n) { first += offset(); }
      Range() : Range(5) {}
      int offset() { return length > 3 ? 1 : 2; }
    };
  )",
                         R"(
    Range a(in[i], 40);
    Range b(in[i]);
    Range c;
    out[i] = a.length + b.length * 7 + b.first * 1000 + c.length + c.first;
  )"),
             [](int i, auto& in) {
               int b_length = in[i] + 1;
               return (40 - in[i] + 1) + b_length * 7 + (b_length > 3 ? 1 : 2) * 1000 + 6 + 1;
             });
}

TEST(Class, const_methods_serve_objects_of_every_address_space) {
  check_ints(kernel_body(R"(
    struct Pair {
      int a;
      int b;
      int sum() const { return a + b; }
      int weighted(int w) const { return sum() * w + first(); }
      int first() const { return a; }
      int sum() const constant { return a + b; }
      int sum() const device { return a + b; }
      int sum() const threadgroup { return a + b; }
      static int fixed(int x) { return x + kBase; }
      static constexpr constant int kBase = 9;
    };
    constant Pair table[2] = {{1, 2}, {3, 4}};
  )",
                         R"(
    const device Pair* pairs = (const device Pair*)in;
    Pair mine = {in[i], 5};
    const Pair fixed = mine;
    threadgroup Pair shared[40];
    uint t = i % 40;
    shared[t] = mine;
    out[i] = mine.sum() + fixed.weighted(3) + table[i % 2].sum() + shared[t].sum() +
             (i < 15 ? 0 : pairs[i / 4].sum()) + Pair::fixed(1) + mine.fixed(2);
  )"),
             [](int i, auto& in) {
               int sum = in[i] + 5;
               int device = i < 15 ? 0 : in[i / 4 * 2] + in[i / 4 * 2 + 1];
               return sum + sum * 3 + in[i] + (i % 2 ? 7 : 3) + sum + device + 10 + 11;
             });
}

TEST(Class, const_methods_pass_members_on_and_run_on_temporaries) {
  check_ints(kernel_body(R"(
    int total(const thread int (&values)[3]) { return values[0] + values[1] + values[2]; }
    void clear(thread int* values, int n) { for (int j = 0; j < n; ++j) values[j] = 0; }
    struct Triple {
      int values[3];
      Triple(int a, int b, int c) { clear(values, 3); set(a, b, c); }
      void set(int a, int b, int c) { values[0] += a; values[1] += b; values[2] += c; }
      int sum() const { return total(values); }
      Triple plus(const thread Triple& o) const {
        return Triple(values[0] + o.values[0], values[1] + o.values[1], values[2] + o.values[2]);
      }
      Triple twice() const { return plus(*this); }
      auto first() const { return values[0]; }
      void store(device int* out) const { *out = sum(); }
      operator int() const { return sum(); }
      int operator()(int x) const { return x * sum(); }
    };
    Triple make(int x) { return Triple(x, 1, 2); }
  )",
                         R"(
    const Triple t = make(in[i]);
    make(7).store(out + i);
    out[i] += t.twice().sum() + make(in[i]).twice().plus(t).first() + int(make(2)) + make(1)(2);
  )"),
             [](int i, auto& in) { return 10 + 2 * (in[i] + 3) + 3 * in[i] + 5 + 8; });
}

TEST(Class, methods_change_objects_in_threadgroup_and_device_memory) {
  check_ints(kernel_body(R"(
    struct Slot {
      int value;
      void set(int v) threadgroup { value = v; }
      void set(int v) device { value = v + 1; }
      void set(int v) { value = v + 2; }
      threadgroup Slot& operator+=(int v) threadgroup { value += v; return *this; }
      threadgroup Slot& operator=(int v) threadgroup { value = v; return *this; }
    };
  )",
                         R"(
    threadgroup Slot shared[40];
    uint t = i % 40;
    shared[t] = 7;
    shared[t].set(in[i]);
    shared[t] += 10;
    device Slot* slots = (device Slot*)out;
    slots[i].set(shared[t].value);
    Slot own;
    own.set(1);
    out[i] += own.value;
  )"),
             [](int i, auto& in) { return in[i] + 10 + 1 + 3; });
}

TEST(Class, operators_are_overloaded_inside_and_outside) {
  check_ints(kernel_body(R"(
    struct Modular {
      int v;
      Modular(int x = 0) : v(x % 97) {}
      Modular operator+(Modular o) const { return Modular(v + o.v); }
      Modular operator-() const { return Modular(-v); }
      thread Modular& operator*=(const thread Modular& o) { v = v * o.v % 97; return *this; }
      thread Modular& operator++() { v = (v + 1) % 97; return *this; }
      Modular operator++(int) { Modular old = *this; ++*this; return old; }
      bool operator<(const Modular o) const { return v < o.v; }
      explicit operator bool() const { return v != 0; }
      friend bool operator==(Modular a, Modular b) { return a.v == b.v; }
    };
    Modular operator*(Modular a, Modular b) { a *= b; return a; }
    Modular operator*(int a, Modular b) { return Modular(a) * b; }
  )",
                         R"(
    Modular a(in[i]), b = 5;
    Modular c = a * b + 2 * a;
    Modular d = c++;
    ++c;
    int result = c.v * 10 + d.v + (-a).v;
    if (a) result += 1000;
    if (a < b) result += 2000;
    if (a == Modular(in[i])) result += 4000;
    out[i] = result;
  )"),
             [](int i, auto& in) {
               int a = in[i] % 97;
               int d = (a * 5 % 97 + 2 * a % 97) % 97;
               int c = ((d + 1) % 97 + 1) % 97;
               return c * 10 + d - a + (a ? 1000 : 0) + (a < 5 ? 2000 : 0) + 4000;
             });
}

TEST(Class, conversions_between_own_types_work_in_every_address_space) {
  check_ints(kernel_body(R"(
    struct Fixed {
      int raw;
      Fixed() = default;
      constexpr Fixed(float x) : raw(int(x * 16)) {}
      operator float() const { return float(raw) / 16; }
      operator float() const constant { return float(raw) / 16; }
      operator float() const device { return float(raw) / 16; }
      operator float() const threadgroup { return float(raw) / 16; }
    };
    struct Wide {
      float x;
      template <typename T> explicit Wide(T v) : x(static_cast<float>(v)) {}
      template <typename T> explicit operator T() const { return static_cast<T>(x); }
    };
    constant Fixed half_one = {0.5f};
  )",
                         R"(
    Fixed f = float(in[i]);
    threadgroup Fixed shared[40];
    shared[i % 40] = f;
    float sum = f + half_one + shared[i % 40];
    Wide w(f);
    Wide v(in[i]);
    out[i] = int(sum * 2) + int(w) + static_cast<int>(v);
  )"),
             [](int i, auto& in) { return in[i] * 4 + 1 + in[i] + in[i]; });
}

TEST(Class, nested_classes_and_bases_keep_their_methods) {
  check_ints(kernel_body(R"(
    template <typename T>
    struct Outer {
      struct Inner {
        T x;
        T get() const { return x + 1; }
        void put(T v) { x = v; }
      };
      enum Kind { kNone, kSome = 4 };
      Inner inner;
      Kind kind = kNone;
      T both() { inner.put(inner.get()); kind = kSome; return inner.get() + T(kind); }
    };
    struct Base {
      int b = 3;
      int scaled(int n) const { return b * n; }
      void grow() { b += 1; }
    };
    struct Derived : Base {
      int d = 2;
      int all() { grow(); return scaled(10) + d; }
      using Value = int;
    };
    template <typename Self>
    struct Crtp {
      int twice() const { return 2 * static_cast<const thread Self*>(this)->one(); }
    };
    struct Leaf : Crtp<Leaf> {
      int v;
      int one() const { return v; }
    };
  )",
                         R"(
    Outer<int> o;
    o.inner.put(in[i]);
    Derived d;
    Derived::Value extra = d.all();
    Leaf leaf;
    leaf.v = in[i];
    typename Outer<int>::Inner copy = o.inner;
    out[i] = o.both() + extra + copy.get() + leaf.twice();
  )"),
             [](int i, auto& in) { return in[i] + 2 + 4 + 42 + in[i] + 1 + 2 * in[i]; });
}

TEST(Class, arrays_of_structs_live_in_threadgroup_memory) {
  check_ints(kernel_body(R"(
    struct Cell {
      int key;
      struct { short lo; short hi; } part;
      int4 data;
    };
    template <int N>
    int sum(const threadgroup Cell (&cells)[N], uint t) {
      int s = 0;
      for (int j = 0; j < 4; ++j) s += cells[t].data[j];
      return s + cells[t].part.lo - cells[t].part.hi + N;
    }
    void fill(threadgroup Cell* cells, uint t, int v) {
      cells[t].key = v;
      cells[t].part.lo = short(v);
      cells[t].part.hi = 1;
      cells[t].data = int4(v, 1, 2, 3);
    }
    void scale(threadgroup int (&row)[40], uint t, int v) { row[t] = v * 2; }
  )",
                         R"(
    threadgroup Cell cells[40];
    threadgroup int rows[3][40];
    uint t = i % 40;
    fill(cells, t, in[i]);
    scale(rows[1], t, in[i]);
    threadgroup Cell& mine = cells[t];
    out[i] = sum(cells, t) + mine.key + rows[1][t];
  )"),
             [](int i, auto& in) { return in[i] + 6 + in[i] - 1 + 40 + in[i] + 2 * in[i]; });
}

TEST(Class, unions_bitfields_and_enums_hold_their_bits) {
  check_ints(kernel_body(R"(
    enum class Mode : ushort { kAdd = 1, kSub, kBoth = 7 };
    enum Plain { kFirst, kSecond = 10 };
    union Bits {
      float f;
      uint u;
      uchar bytes[4];
    };
    struct Packed {
      uint low : 5;
      uint mid : 11;
      int high : 16;
    };
    int apply(Mode m, int x) {
      switch (m) {
        case Mode::kAdd: return x + 1;
        case Mode::kSub: return x - 1;
        default: break;
      }
      return static_cast<int>(m);
    }
  )",
                         R"(
    Bits b;
    b.f = float(in[i]);
    Packed p;
    p.low = uint(in[i]);
    p.mid = 77;
    p.high = in[i];
    Mode m = i % 3 == 0 ? Mode::kAdd : i % 3 == 1 ? Mode::kSub : Mode::kBoth;
    out[i] = int(b.u >> 24) + b.bytes[3] + int(p.low) + int(p.mid) + p.high + apply(m, in[i]) +
             kSecond;
  )"),
             [](int i, auto& in) {
               auto x = static_cast<float>(in[i]);
               uint32_t bits;
               std::memcpy(&bits, &x, 4);
               int applied = i % 3 == 0 ? in[i] + 1 : i % 3 == 1 ? in[i] - 1 : 7;
               return static_cast<int>(bits >> 24) * 2 + (in[i] & 31) + 77 + in[i] + applied + 10;
             });
}

TEST(Class, own_array_type_is_indexed_in_every_address_space) {
  check_ints(kernel_body(R"(
    template <typename T, size_t N>
    struct Array {
      T items[N];
      constexpr size_t size() const { return N; }
      constexpr thread T& operator[](size_t j) thread { return items[j]; }
      constexpr const thread T& operator[](size_t j) const thread { return items[j]; }
      constexpr device T& operator[](size_t j) device { return items[j]; }
      constexpr threadgroup T& operator[](size_t j) threadgroup { return items[j]; }
      constexpr const constant T& operator[](size_t j) const constant { return items[j]; }
      thread T* begin() { return items; }
      thread T* end() { return items + N; }
    };
    constant Array<int, 3> weights = {{1, 2, 3}};
  )",
                         R"(
    Array<int, 3> a = {{in[i], 1, 2}};
    threadgroup Array<int, 3> shared[40];
    shared[i % 40][1] = 5;
    a[2] += int(a.size());
    int sum = 0;
    for (int x : a) sum += x;
    const Array<int, 3> frozen = a;
    out[i] = sum * weights[2] + shared[i % 40][1] + frozen[0];
  )"),
             [](int i, auto& in) { return (in[i] + 1 + 5) * 3 + 5 + in[i]; });
}

TEST(Class, methods_return_references_and_chain) {
  check_ints(kernel_body(R"(
    struct Builder {
      int parts[4];
      int used;
      Builder() : used(0) {}
      thread Builder& add(int v) { parts[used++] = v; return *this; }
      thread int& last() { return parts[used - 1]; }
      auto total() const { int s = 0; for (int j = 0; j < used; ++j) s += parts[j]; return s; }
      template <typename F> int map(F f) const { return f(parts[0]) + f(parts[1]); }
      bool empty() const;
    };
    bool Builder::empty() const { return used == 0; }
  )",
                         R"(
    Builder b;
    bool empty = b.empty();
    b.add(in[i]).add(2).add(3).last() = 9;
    int captured = 4;
    out[i] = b.total() + b.map([&](int x) { return x * captured; }) + (empty ? 100 : 0) +
             Builder().add(5).total();
  )"),
             [](int i, auto& in) { return in[i] + 11 + (in[i] + 2) * 4 + 100 + 5; });
}

TEST(Class, specialised_members_replace_the_general_ones) {
  check_ints(kernel_body(R"(
    template <typename T> struct Writer {
      T x;
      METAL_FUNC int write() const thread { return int(x); }
      METAL_FUNC int twice() { return write() + write(); }
      template <int N> int scaled() const { return int(x) * N; }
    };
    template <> METAL_FUNC int Writer<float>::write() const thread { return int(x) + 1000; }
    template <> template <> int Writer<int>::scaled<0>() const { return -1; }
  )",
                         R"(
    Writer<int> plain{in[i]};
    Writer<float> special{float(in[i])};
    out[i] = plain.write() + special.twice() + plain.scaled<2>() + plain.scaled<0>();
  )"),
             [](int i, auto& in) { return in[i] + 2 * (in[i] + 1000) + 2 * in[i] - 1; });
}

TEST(Class, members_are_defined_outside_of_the_class) {
  check_ints(kernel_body(R"(
    template <typename T> struct Sum {
      T total;
      Sum(T start);
      void reset(T value);
      thread Sum& operator+=(T value);
      Sum operator+(const thread Sum& other) const;
      T operator()(T scale) const;
      T get() const;
      void get(thread T& to) const;
      template <typename U> U as() const;
    };
    template <typename T> Sum<T>::Sum(T start) { reset(start); }
    template <typename T> void Sum<T>::reset(T value) { total = value; }
    template <typename T> thread Sum<T>& Sum<T>::operator+=(T value) {
      total += value;
      return *this;
    }
    template <typename T> Sum<T> Sum<T>::operator+(const thread Sum& other) const {
      return Sum(total + other.total);
    }
    template <typename T> T Sum<T>::operator()(T scale) const { return total * scale; }
    template <typename T> T Sum<T>::get() const { return total; }
    template <typename T> void Sum<T>::get(thread T& to) const { to = total; }
    template <typename T> template <typename U> U Sum<T>::as() const { return U(total); }
  )",
                         R"(
    Sum<int> a(in[i]);
    a += 3;
    int copy;
    a.get(copy);
    Sum<int> one(1);
    out[i] = (a + one).get() + a(2) + copy + int(a.as<float>());
  )"),
             [](int i, auto& in) {
               int a = in[i] + 3;
               return a + 1 + 2 * a + a + a;
             });
}

TEST(Class, methods_that_may_be_constants_use_arrays_of_the_library) {
  check_ints(kernel_body(R"(
    enum Sign : uchar { negative, positive };
    struct Digits final {
      metal::array<uint, 4> digit;
      constexpr uint at(uint i) const { return digit[i]; }
      enum Sign sign(int n) const { return n < 0 ? negative : positive; }
    };
    struct Table {
      metal::array<int, 2> entry;
      constexpr Table() : entry{} {}
      constexpr Table(int a, int b) : entry{a, b} {}
    };
    struct Scaled final {
      int value;
      Scaled(int n) : value(n * 3) {}
    };
  )",
                         R"(
    Digits d;
    for (uint k = 0; k < 4; ++k) d.digit[k] = uint(in[i]) >> (8 * k) & 0xFF;
    Table table;
    table.entry[1] = 0;
    out[i] = int(d.at(0) + 10 * d.at(3)) + d.sign(in[i]) + Scaled(in[i]).value + table.entry[1];
  )"),
             [](int i, auto& in) {
               const auto bits = static_cast<unsigned>(in[i]);
               return static_cast<int>((bits & 0xFF) + 10 * (bits >> 24)) + (in[i] < 0 ? 0 : 1) +
                      in[i] * 3;
             });
}

}  // namespace
}  // namespace assay::testing
