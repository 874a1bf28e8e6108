// Element types of arrays on the command line: NumPy's, and bfloat16, which NumPy does not have.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/npy_file.h"

namespace assay::cli {

struct ArrayType {
  base::NpyType storage = base::NpyType::kFloat32;  // what a file holds
  bool is_bfloat = false;                           // perhaps stored as its bits in uint16

  std::string_view name() const;
  uint64_t bytes() const { return base::npy_type_info(storage).bytes; }
  bool is_float() const;
};

std::optional<ArrayType> find_array_type(std::string_view name);
// "bool, int8, …, bfloat16" for messages.
std::string array_type_names();

// "[0.5, 1, 1.5, …, 63.5]": the first and last elements of a long array.
std::string preview_text(const ArrayType& type, std::span<const std::byte> data);

}  // namespace assay::cli
