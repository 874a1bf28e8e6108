// The JSON texts of a document as structs; what capture/description_json.h writes. Trusts nothing.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "codegen/build_kernel.h"
#include "kernel/matrix_product.h"
#include "msl/compile.h"

namespace assay::replay {

struct KernelOptions {
  msl::CompileOptions compile;
  std::vector<codegen::ConstantValue> constants;
};

// An argument of a kernel that something is bound to.
struct ReflectedArgument {
  std::string name;
  bool is_buffer = true;  // otherwise threadgroup memory
  uint32_t slot = 0;
  std::string type;
  bool is_written = false;
  uint64_t element_bytes = 0;
};

// Errors say what is wrong, not where.
Result<KernelOptions> parse_options(std::string_view text);
Result<std::vector<ReflectedArgument>> parse_reflection(std::string_view text);
Result<kernel::MatrixProduct> parse_product(std::string_view text);
// A list of whole numbers.
Result<std::vector<int64_t>> parse_sizes(std::string_view text);

}  // namespace assay::replay
