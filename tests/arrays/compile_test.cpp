// compile against the same function without it.
#include <assay/assay.h>
#include <gtest/gtest.h>

#include "tests/arrays/reference.h"

namespace mx = assay;
using reference::make;
using reference::numbers;
using reference::values_of;

namespace {

using Arrays = std::vector<mx::array>;

Arrays chain(const Arrays& in) {
  return {mx::log(mx::exp(mx::cos(mx::sin(in[0])))) * mx::array(2.0f) + in[1]};
}

TEST(Compile, gives_what_the_function_gives) {
  const mx::ArrayFunction compiled = mx::compile(chain);
  for (const int size : {0, 1, 33, 1000, 70001}) {
    const Arrays in{make(numbers(size), {size}), mx::array(0.5f)};
    EXPECT_EQ(values_of(compiled(in)[0]), values_of(chain(in)[0])) << size;
  }
}

TEST(Compile, follows_new_shapes_and_dtypes) {
  int traces = 0;
  const mx::ArrayFunction compiled = mx::compile([&](const Arrays& in) {
    ++traces;
    return Arrays{mx::exp(in[0]) + in[1]};
  });
  const mx::array row = make(numbers(5), {5});
  const mx::array matrix = mx::transpose(make(numbers(35), {5, 7}));
  EXPECT_EQ(compiled({matrix, row})[0].shape(), (mx::Shape{7, 5}));
  EXPECT_EQ(values_of(compiled({matrix, row})[0]), values_of(mx::exp(matrix) + row));
  EXPECT_EQ(traces, 1);
  EXPECT_EQ(compiled({row, row})[0].shape(), (mx::Shape{5}));
  EXPECT_EQ(compiled({mx::astype(row, mx::float16), row})[0].dtype(), mx::float32);
  EXPECT_EQ(traces, 3);
}

TEST(Compile, keeps_one_trace_for_all_shapes_if_shapeless) {
  int traces = 0;
  const mx::ArrayFunction compiled = mx::compile(
      [&](const Arrays& in) {
        ++traces;
        return Arrays{mx::abs(in[0]) * mx::array(3)};
      },
      true);
  EXPECT_EQ(values_of(compiled({mx::arange(4)})[0]), (std::vector<double>{0, 3, 6, 9}));
  EXPECT_EQ(values_of(compiled({mx::arange(-1, 1)})[0]), (std::vector<double>{3, 0}));
  EXPECT_EQ(traces, 1);
}

TEST(Compile, returns_values_that_others_use_as_well) {
  const auto function = [](const Arrays& in) {
    const mx::array a = mx::sin(in[0]), b = mx::exp(a), c = mx::sum(b);
    return Arrays{a, b / c, in[0], mx::array(4)};
  };
  const mx::ArrayFunction compiled = mx::compile(function);
  const Arrays in{make(numbers(97), {97})};
  const Arrays expected = function(in), got = compiled(in);
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(values_of(got[i]), values_of(expected[i])) << i;
  }
}

TEST(Compile, runs_inside_itself_and_can_be_switched_off) {
  const mx::ArrayFunction inner = mx::compile(chain);
  const mx::ArrayFunction outer = mx::compile(
      [&](const Arrays& in) { return Arrays{inner(in)[0] + inner({in[1], in[0]})[0]}; });
  const Arrays in{make(numbers(11), {11}), make(numbers(11, 2.0, 5), {11})};
  const std::vector<double> expected = values_of(chain(in)[0] + chain({in[1], in[0]})[0]);
  EXPECT_EQ(values_of(outer(in)[0]), expected);
  mx::disable_compile();
  EXPECT_EQ(values_of(outer(in)[0]), expected);
  mx::enable_compile();
}

TEST(Compile, refuses_to_evaluate_while_tracing) {
  const mx::ArrayFunction compiled = mx::compile([](const Arrays& in) {
    mx::array a = mx::exp(in[0]);
    a.eval();
    return Arrays{a};
  });
  EXPECT_THROW(compiled({mx::array(1.0f)}), std::invalid_argument);
}

}  // namespace
