// Raw findings in words: what happened, to which element, where, and what to change.
#pragma once

#include "sanitizer/finding.h"
#include "sanitizer/launch_checker.h"

namespace assay::sanitizer {

std::vector<Finding> explain(const LaunchChecker& launch);

// The threads of a launch by their numbers.
ThreadPlace thread_place(const RawThread& thread, const kernel::LaunchSize& size);

// Bytes of one element, by the name of its dtype ("float32", "bool", "bfloat16"); 0 when unknown.
uint64_t dtype_bytes(std::string_view dtype);

}  // namespace assay::sanitizer
