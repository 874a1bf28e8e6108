// Inputs of the demo: typed views of buffers, and numbers that are the same in every run.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <span>
#include <string_view>

#include "base/result.h"
#include "device/device.h"

namespace assay::cli {

template <typename T>
struct DemoArray {
  std::shared_ptr<device::Buffer> buffer;

  std::span<T> values() const {
    return {reinterpret_cast<T*>(buffer->data()), buffer->size() / sizeof(T)};
  }
  T& operator[](size_t index) const { return values()[index]; }
};

// Allocates the arrays of one case. The first failure is kept and ends the case.
class DemoMemory {
 public:
  explicit DemoMemory(device::Device& device) : device_(device) {}

  template <typename T>
  DemoArray<T> zeros(size_t count, std::string_view label) {
    auto buffer = device_.allocate(count * sizeof(T), label, {.zeroed = true});
    if (!buffer) {
      error_ = buffer.error();
      // Nothing to look at: cases return at the first error before they use an array.
      return {};
    }
    return {std::move(*buffer)};
  }

  bool ok() const { return error_.message.empty(); }
  const Error& error() const { return error_; }

 private:
  device::Device& device_;
  Error error_;
};

// Uniform numbers of [low, high).
inline void fill_random(const DemoArray<float>& array, float low, float high) {
  std::mt19937 random(7);
  for (float& value : array.values()) {
    value = low + (high - low) * static_cast<float>(random() >> 8) * 0x1p-24f;
  }
}

// |actual - expected| within `relative` of the larger one, or within `absolute`.
struct Tolerance {
  double relative = 0;
  double absolute = 0;

  bool accepts(double actual, double expected) const {
    const double difference = std::abs(actual - expected);
    return difference <= absolute || difference <= relative * std::abs(expected);
  }
};

}  // namespace assay::cli
