// Joins the timelines of several processes into one document.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace assay::trace {

// All parts count their times from the same moment. Facts, measurements and memory are those of the
// first part. Commands keep the order of their part. What is at `output` is never overwritten. Only
// timelines can be joined: contents and buffers have no place in the result.
Result<void> merge_timelines(const std::vector<std::string>& parts, const std::string& output);

}  // namespace assay::trace
