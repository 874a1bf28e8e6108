// A growing block of memory, aligned for every threadgroup variable, whose contents nobody needs to
// keep.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>

namespace assay::device::cpu {

class AlignedMemory {
 public:
  // At least `bytes`, with undefined contents; null when there is no memory. The block of an
  // earlier call may move.
  uint8_t* reserve(uint64_t bytes) {
    if (bytes > kMaxBytes) return nullptr;
    if (bytes > bytes_) {
      data_.reset();
      const uint64_t rounded = (bytes + kAlignment - 1) / kAlignment * kAlignment;
      data_.reset(static_cast<uint8_t*>(std::aligned_alloc(kAlignment, rounded)));
      bytes_ = data_ == nullptr ? 0 : rounded;
    }
    return data_.get();
  }

 private:
  static constexpr uint64_t kAlignment = 256;
  // 16 MiB for each of 1024 threads. The system would promise more, and end the process later.
  static constexpr uint64_t kMaxBytes = uint64_t{1} << 34;
  struct Free {
    void operator()(uint8_t* data) const { std::free(data); }
  };
  std::unique_ptr<uint8_t, Free> data_;
  uint64_t bytes_ = 0;
};

}  // namespace assay::device::cpu
