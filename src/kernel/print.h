// Messages of kernels: printf and os_log. Generated code hands over numbers, the host makes text of
// them when the launch is over.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay::kernel {

inline constexpr uint32_t kMaxPrintWords = 12;
// What a word of a message is, four bits each, the first in the lowest bits.
enum class PrintType : uint8_t { kSigned = 1, kUnsigned = 2, kFloat = 3, kText = 4 };

// One call in one thread. `format` is part of the kernel's code.
struct PrintRecord {
  uint64_t group = 0;   // number of the threadgroup in the grid, x fastest
  uint32_t thread = 0;  // in the threadgroup
  uint32_t count = 0;   // of words
  const char* format = nullptr;
  uint64_t types = 0;
  uint64_t words[kMaxPrintWords] = {};
};

// The messages of one launch, in memory that exists before it: kernel code must not allocate. One
// host thread writes them.
class PrintLog {
 public:
  explicit PrintLog(size_t capacity) { records_.reserve(capacity); }

  void add(const PrintRecord& record) {
    ++count_;
    if (records_.size() < records_.capacity()) records_.push_back(record);
  }
  std::span<const PrintRecord> records() const { return records_; }
  uint64_t count() const { return count_; }

 private:
  std::vector<PrintRecord> records_;
  uint64_t count_ = 0;
};

// One message, ready to be shown.
struct PrintedLine {
  uint32_t thread_position_in_grid[3] = {};
  std::string text;
};

struct PrintedLines {
  std::string_view kernel;
  std::string_view origin;  // the call site; may be empty
  std::vector<PrintedLine> lines;
  uint64_t dropped = 0;  // messages beyond the limit
};

}  // namespace assay::kernel
