// Ids of a document's rows as indexes of a page: 0 stands for none and for ids that do not exist.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "trace/records.h"

namespace assay::analysis {

// Ids of our own documents count from 1 without holes, which needs no map; others may be anything.
class RowIndex {
 public:
  // In the order of rows; returns the row's index, from 1.
  uint32_t add(trace::Id id) {
    ++count_;
    if (is_dense_ && id == static_cast<trace::Id>(count_)) return count_;
    if (is_dense_) spread();
    others_.emplace(id, count_);
    return count_;
  }
  uint32_t find(trace::Id id) const {
    if (is_dense_) return id >= 1 && id <= static_cast<trace::Id>(count_) ? uint32_t(id) : 0;
    const auto found = others_.find(id);
    return found == others_.end() ? 0 : found->second;
  }
  uint32_t count() const { return count_; }
  bool is_dense() const { return is_dense_; }

 private:
  void spread() {
    is_dense_ = false;
    for (uint32_t i = 1; i < count_; ++i) others_.emplace(i, i);
  }

  uint32_t count_ = 0;
  bool is_dense_ = true;
  std::unordered_map<trace::Id, uint32_t> others_;
};

}  // namespace assay::analysis
