// Starting the user's program in place of this one, with assay as its mlx.core.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace assay::cli {

// `arguments` as Python takes them: SCRIPT …, or -m MODULE …. Returns only if it cannot start.
Error start_python(const std::vector<std::string>& arguments);

// Any program; one that begins with a Python script, or -m, is Python's. Returns only if it cannot
// start.
Error start_program(const std::vector<std::string>& command);

}  // namespace assay::cli
