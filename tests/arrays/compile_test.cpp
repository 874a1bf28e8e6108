// compile against the same function without it.
#include <assay/assay.h>
#include <gtest/gtest.h>

#include <cmath>

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

TEST(Compile, refuses_no_function) {
  EXPECT_THROW(mx::compile(nullptr), std::invalid_argument);
  mx::disable_compile();
  EXPECT_NO_THROW(mx::compile(nullptr));
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

struct ReducedCase {
  mx::Shape left, right;
  std::vector<int> axes;
};

// Elements made from two arrays, one of them transposed where both have the same rank; every form
// of reduction, shapes that no vector length divides, and steps behind the result.
TEST(Compile, fuses_steps_around_reductions) {
  const std::vector<ReducedCase> cases{
      {{7, 131}, {131}, {1}},       {{7, 131}, {7, 1}, {0}},
      {{3, 5, 67}, {5, 1}, {0, 2}}, {{33, 17}, {33, 17}, {0}},
      {{129, 3}, {1, 3}, {1}},      {{2, 300, 40}, {40}, {1}},
      {{70001}, {1}, {0}},          {{5, 0}, {1}, {1}},
      {{1, 1}, {1, 1}, {0, 1}},     {{4, 9, 1, 21}, {9, 6, 1}, {1, 3}},
      {{300, 500}, {500}, {0, 1}}};
  for (const ReducedCase& each : cases) {
    for (const bool keepdims : {false, true}) {
      for (const mx::Dtype dtype : {mx::float32, mx::float16, mx::int32}) {
        const auto function = [&](const Arrays& in) {
          const mx::array elements = mx::abs(in[0]) * in[1] + mx::array(1, dtype);
          return Arrays{mx::sum(elements, each.axes, keepdims) * mx::array(2, dtype),
                        mx::prod(mx::sign(elements), each.axes, keepdims),
                        mx::any(mx::less(in[0], in[1]), each.axes, keepdims),
                        mx::mean(mx::square(in[0] - in[1]), each.axes, keepdims)};
        };
        const Arrays in{make(numbers(reference::count(each.left), 3.0, 1), each.left, dtype),
                        make(numbers(reference::count(each.right), 3.0, 2), each.right, dtype)};
        const Arrays expected = function(in), got = mx::compile(function)(in);
        for (size_t i = 0; i < expected.size(); ++i) {
          ASSERT_EQ(got[i].shape(), expected[i].shape());
          ASSERT_EQ(got[i].dtype(), expected[i].dtype());
          const std::vector<double> a = values_of(got[i]), b = values_of(expected[i]);
          for (size_t j = 0; j < a.size(); ++j) {
            const bool is_same = a[j] == b[j] || (std::isnan(a[j]) && std::isnan(b[j])) ||
                                 std::abs(a[j] - b[j]) <= 1e-5 * std::abs(b[j]) + 1e-5;
            ASSERT_TRUE(is_same) << i << " " << j << ": " << a[j] << " and " << b[j];
          }
        }
      }
    }
  }
}

TEST(Compile, reduces_views_without_copies_of_their_elements) {
  const mx::array matrix = make(numbers(63 * 35), {63, 35});
  const auto function = [](const Arrays& in) {
    return Arrays{mx::max(mx::exp(in[0]) - in[1], 0), mx::min(in[0] * in[1], 1)};
  };
  const Arrays in{mx::transpose(matrix), mx::slice(matrix, {62, 0}, {-64, 35}, {-1, 1})};
  const Arrays square{mx::slice(in[0], {0, 0}, {35, 35}), mx::slice(in[1], {3, 0}, {38, 35})};
  const Arrays expected = function(square), got = mx::compile(function)(square);
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(values_of(got[i]), values_of(expected[i])) << i;
  }
}

TEST(Compile, follows_new_shapes_of_fills_and_indices_if_shapeless) {
  const auto function = [](const Arrays& in) {
    return Arrays{mx::zeros_like(in[0]), mx::full_like(in[0], mx::array(2.5f)),
                  mx::sum(mx::take(in[0], in[1], 0), 0)};
  };
  const mx::ArrayFunction compiled = mx::compile(function, true);
  for (const int count : {1, 2, 5}) {
    const Arrays in{make(numbers(7 * count), {7 * count}), mx::arange(count)};
    const Arrays expected = function(in), got = compiled(in);
    for (size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(got[i].shape(), expected[i].shape()) << i;
      EXPECT_EQ(values_of(got[i]), values_of(expected[i])) << i;
    }
  }
}

// Kernels trust the shapes that ops check, and a trace for several shapes does not run the ops
// again.
TEST(Compile, refuses_shapes_that_do_not_fit_each_other_if_shapeless) {
  struct Case {
    std::string name;
    mx::ArrayFunction function;
    std::vector<mx::Shape> fitting, other;
  };
  const auto ones = [](mx::Shape shape) { return mx::ones(std::move(shape)); };
  const std::vector<Case> cases = {
      {"matmul",
       [](const Arrays& in) { return Arrays{mx::matmul(in[0], in[1])}; },
       {{4, 6}, {6, 3}},
       {{4, 9}, {6, 3}}},
      {"matmul batches",
       [](const Arrays& in) { return Arrays{mx::matmul(in[0], in[1])}; },
       {{2, 4, 6}, {2, 6, 3}},
       {{5, 4, 6}, {2, 6, 3}}},
      {"concatenate",
       [](const Arrays& in) { return Arrays{mx::concatenate({in[0], in[1]}, 1)}; },
       {{4, 2}, {4, 6}},
       {{4, 2}, {70, 6}}},
      {"pad", [](const Arrays& in) { return Arrays{mx::pad(in[0], 1)}; }, {{4, 6}}, {{70, 6}}},
      {"rms_norm",
       [](const Arrays& in) { return Arrays{mx::fast::rms_norm(in[0], in[1], 1e-5f)}; },
       {{4, 6}, {6}},
       {{4, 900}, {6}}},
      {"layer_norm",
       [](const Arrays& in) { return Arrays{mx::fast::layer_norm(in[0], in[1], in[2], 1e-5f)}; },
       {{4, 6}, {6}, {6}},
       {{4, 6}, {6}, {5}}},
      {"rope",
       [](const Arrays& in) {
         return Arrays{mx::fast::rope(in[0], 8, false, 1e4f, 1.0f, mx::array(0))};
       },
       {{1, 1, 4, 8}},
       {{1, 1, 4, 4}}},
      {"rope frequencies",
       [](const Arrays& in) {
         return Arrays{mx::fast::rope(in[0], 8, false, {}, 1.0f, mx::array(0), in[1])};
       },
       {{1, 1, 4, 8}, {4}},
       {{1, 1, 4, 8}, {1}}},
      {"attention",
       [](const Arrays& in) {
         return Arrays{mx::fast::scaled_dot_product_attention(in[0], in[1], in[2], 1.0f)};
       },
       {{1, 2, 3, 8}, {1, 2, 5, 8}, {1, 2, 5, 8}},
       {{1, 2, 3, 8}, {1, 2, 300, 8}, {1, 2, 5, 8}}},
      {"attention mask",
       [](const Arrays& in) {
         return Arrays{
             mx::fast::scaled_dot_product_attention(in[0], in[0], in[0], 1.0f, "array", in[1])};
       },
       {{1, 2, 3, 8}, {1, 2, 3, 3}},
       {{1, 2, 30, 8}, {1, 2, 3, 3}}},
      {"squeeze",
       [](const Arrays& in) { return Arrays{mx::squeeze(in[0], 0)}; },
       {{1, 6}},
       {{2, 6}}},
      {"gather",
       [](const Arrays& in) {
         const mx::array rows = mx::astype(in[1], mx::int32),
                         columns = mx::astype(in[2], mx::int32);
         return Arrays{mx::gather(in[0], {rows, columns}, {0, 1}, {1, 1})};
       },
       {{4, 6}, {3}, {3}},
       {{4, 6}, {300}, {3}}},
  };
  for (const Case& each : cases) {
    const mx::ArrayFunction compiled = mx::compile(each.function, true);
    Arrays fitting, other;
    for (const mx::Shape& shape : each.fitting) fitting.push_back(ones(shape));
    for (const mx::Shape& shape : each.other) other.push_back(ones(shape));
    const Arrays expected = each.function(fitting), got = compiled(fitting);
    EXPECT_EQ(values_of(got[0]), values_of(expected[0])) << each.name;
    EXPECT_THROW(compiled(other), std::invalid_argument) << each.name;
  }
}

TEST(Compile, splits_and_picks_along_axes_for_other_shapes_if_shapeless) {
  const auto function = [](const Arrays& in) {
    return Arrays{mx::transpose(mx::unflatten(in[0], -1, {2, -1}), {1, 0, 2}),
                  mx::unflatten(in[0], 0, {-1, 1, 3}),
                  mx::take_along_axis(in[0], mx::argsort(in[0], 0), 0),
                  mx::put_along_axis(in[0], mx::argmax(in[0], 1, true), mx::array(7.0f), 1)};
  };
  const mx::ArrayFunction compiled = mx::compile(function, true);
  for (const mx::Shape& shape : std::vector<mx::Shape>{{3, 4}, {9, 4}, {6, 10}}) {
    const Arrays in{make(numbers(reference::count(shape)), shape)};
    const Arrays expected = function(in), got = compiled(in);
    for (size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(got[i].shape(), expected[i].shape());
      EXPECT_EQ(values_of(got[i]), values_of(expected[i])) << i;
    }
  }
  EXPECT_THROW(compiled({mx::ones({3, 5})}), std::invalid_argument);
}

TEST(Compile, reduces_for_other_shapes_if_shapeless) {
  const auto function = [](const Arrays& in) {
    return Arrays{mx::sum(mx::abs(in[0]) * in[1], -1) + mx::array(1.0f), mx::mean(in[0], 0),
                  mx::var(in[0], 1, false, 2),
                  mx::number_of_elements(in[0], {0, -1}, false, mx::int32)};
  };
  const mx::ArrayFunction compiled = mx::compile(function, true);
  for (const mx::Shape& shape : std::vector<mx::Shape>{{3, 4}, {71, 130}, {1, 9}}) {
    const Arrays in{make(numbers(reference::count(shape)), shape), mx::array(0.5f)};
    const Arrays expected = function(in), got = compiled(in);
    for (size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(got[i].shape(), expected[i].shape());
      EXPECT_EQ(values_of(got[i]), values_of(expected[i])) << i;
    }
  }
}

}  // namespace
