// Vectors of three numbers, which take as much memory as those of four.
#pragma once

#include <cstdint>

#include "kernel/kernel_info.h"

namespace assay::sanitizer {

// Whether the argument points to such vectors of numbers of this size. It may be null.
inline bool holds_padded_vectors(const kernel::Argument* argument, uint64_t number_bytes) {
  if (argument == nullptr || number_bytes == 0 || argument->element_bytes != 4 * number_bytes)
    return false;
  const std::string& type = argument->type;
  const bool is_three = type.find("3*") != std::string::npos ||
                        type.find("3 *") != std::string::npos ||
                        type.find(", 3>") != std::string::npos;
  return is_three && type.find("packed") == std::string::npos;
}

}  // namespace assay::sanitizer
