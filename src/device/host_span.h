// Tells observers what a host thread does, from construction to destruction.
#pragma once

#include <string>
#include <utility>

#include "device/clock.h"
#include "device/current.h"

namespace assay::device {

// Costs a load where nobody listens. `Describe` returns the text of the user's line; it is called
// only when somebody does, and must stay valid.
template <typename Describe>
class HostSpan {
 public:
  HostSpan(kernel::HostActivity activity, std::string_view label, Describe describe)
      : activity_(activity), label_(label), describe_(std::move(describe)) {
    Device* device = find_current_device();
    if (device == nullptr || !device->is_observed()) return;
    device_ = device;
    started_ns_ = now_ns();
  }
  ~HostSpan() { end(); }
  HostSpan(const HostSpan&) = delete;
  HostSpan& operator=(const HostSpan&) = delete;

  void end() {
    if (Device* device = std::exchange(device_, nullptr)) {
      const std::string origin = describe_();
      device->tell({activity_, started_ns_, now_ns(), label_, origin});
    }
  }

 private:
  const kernel::HostActivity activity_;
  const std::string_view label_;
  const Describe describe_;
  Device* device_ = nullptr;
  uint64_t started_ns_ = 0;
};

}  // namespace assay::device
