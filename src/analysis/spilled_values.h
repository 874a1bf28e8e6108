// A long sequence of small values of which mostly the recent ones are asked for: those are in
// memory, the others in a file without a name.
#pragma once

#include <cstdint>
#include <vector>

#include "base/file_descriptor.h"
#include "base/result.h"

namespace assay::analysis {

class SpilledValues {
 public:
  struct Value {
    int64_t time = 0;
    int64_t count = 0;
  };

  explicit SpilledValues(size_t recent = size_t{1} << 18) : recent_(recent) {}

  // At index size().
  Result<void> push(const Value& value);
  Result<Value> at(int64_t index);
  int64_t size() const { return size_; }

 private:
  Result<void> spill();

  std::vector<Value> ring_;
  const size_t recent_;
  int64_t size_ = 0;
  base::FileDescriptor file_;
};

}  // namespace assay::analysis
