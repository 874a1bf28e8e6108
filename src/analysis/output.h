// Where long texts go, piece by piece.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace assay::analysis {

using WriteText = std::function<Result<void>(std::string_view)>;

// Collects small pieces into large ones. The first error is kept; nothing is written behind it.
class Output {
 public:
  explicit Output(WriteText write) : write_(std::move(write)) {}

  Output& operator<<(std::string_view text) {
    text_ += text;
    if (text_.size() >= kPieceBytes) flush();
    return *this;
  }
  // Whether everything has arrived.
  Result<void> finish() {
    flush();
    return result_;
  }

 private:
  static constexpr size_t kPieceBytes = 1 << 16;

  void flush() {
    if (result_ && !text_.empty()) result_ = write_(text_);
    text_.clear();
  }

  WriteText write_;
  std::string text_;
  Result<void> result_;
};

}  // namespace assay::analysis
