// Number types of a launch file by NumPy's names, and arrays of them.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "cli/check/launch_file.h"
#include "cli/scalar_type.h"

namespace assay::cli {

// "float32", "bfloat16", "bool": types of NumPy that MSL has too, and MSL's own vectors ("float4").
std::optional<ValueType> find_number_type(std::string_view name);
// For messages.
std::string number_type_names();

// Gives every element a value. Does nothing for FillKind::kNone. `seed` makes random arrays differ.
Result<void> fill_array(const NewArray& array, uint32_t seed, std::span<std::byte> memory);

}  // namespace assay::cli
