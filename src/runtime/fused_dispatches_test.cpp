// What compile leaves to launch, counted on a device that records and runs nothing.
#include <assay/assay.h>
#include <gtest/gtest.h>

#include "device/current.h"
#include "device/null/null_device.h"

namespace assay {
namespace {

using Arrays = std::vector<array>;

const std::shared_ptr<device::null::NullDevice>& recording_device() {
  static const std::shared_ptr<device::null::NullDevice> device =
      device::null::NullDevice::create();
  return device;
}

class FusedDispatches : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    device::set_device_opener([]() -> Result<std::shared_ptr<device::Device>> {
      return std::shared_ptr<device::Device>(recording_device());
    });
  }

  // Kernels that `function` launches for inputs of the shapes.
  static std::vector<std::string> kernels_of(const ArrayFunction& function,
                                             const std::vector<Shape>& shapes) {
    Arrays inputs;
    for (const Shape& shape : shapes) inputs.push_back(zeros(shape));
    eval(inputs);
    const size_t before = recording_device()->dispatches().size();
    eval(function(inputs));
    std::vector<std::string> names;
    const auto all = recording_device()->dispatches();
    for (size_t i = before; i < all.size(); ++i) names.push_back(all[i].kernel);
    return names;
  }
  using Names = std::vector<std::string>;
};

TEST_F(FusedDispatches, a_reduction_takes_in_what_makes_its_elements) {
  const auto function = [](const Arrays& in) { return Arrays{sum(square(in[0] - in[1]), -1)}; };
  EXPECT_EQ(kernels_of(function, {{37, 129}, {129}}).size(), 3u);
  EXPECT_EQ(kernels_of(compile(function), {{37, 129}, {129}}), (Names{"subtract_square_sum_rows"}));
  EXPECT_EQ(kernels_of(compile(function), {{37, 129}, {37, 1}}),
            (Names{"subtract_square_sum_rows"}));
}

TEST_F(FusedDispatches, a_reduction_takes_in_what_needs_its_result_alone) {
  const auto function = [](const Arrays& in) {
    return Arrays{rsqrt(mean(square(in[0]), -1, true) + array(1e-5f))};
  };
  EXPECT_EQ(kernels_of(compile(function), {{37, 129}}),
            (Names{"square_sum_multiply_add_rsqrt_rows"}));
}

TEST_F(FusedDispatches, results_and_values_of_several_users_stay_arrays) {
  const auto function = [](const Arrays& in) {
    const array powers = exp(in[0]);
    return Arrays{powers, sum(powers, 0), sum(powers, 0) / in[1]};
  };
  const Names names = kernels_of(compile(function), {{37, 129}, {129}});
  EXPECT_EQ(names, (Names{"exp", "sum_columns", "divide"}));
}

TEST_F(FusedDispatches, several_outputs_of_one_chain_are_one_kernel) {
  const auto function = [](const Arrays& in) {
    const array a = sin(in[0]) * in[1], b = exp(a);
    return Arrays{a, b, b + in[1]};
  };
  EXPECT_EQ(kernels_of(compile(function), {{37, 129}, {129}}).size(), 1u);
}

}  // namespace
}  // namespace assay
