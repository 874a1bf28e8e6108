// How an array's element type fits the argument of a kernel that it is given to.
#pragma once

#include <string>
#include <string_view>

#include "cli/array_type.h"
#include "cli/scalar_type.h"
#include "kernel/kernel_info.h"

namespace assay::cli {

// "'x' (buffer 0, const device float*)", for messages.
std::string argument_text(const kernel::Argument& argument);

// The kernel cannot write it.
bool is_read_only(const kernel::Argument& argument);

struct TypeFit {
  bool has_right_size = true;
  bool has_right_kind = true;    // not whole numbers for floats, half for bfloat and so on
  ScalarType scalar = {};        // what the argument has
  std::string_view wanted = {};  // NumPy's name for it
};

// Arguments that do not point to numbers take everything.
TypeFit compare_type(const kernel::Argument& argument, const ArrayType& type);

}  // namespace assay::cli
