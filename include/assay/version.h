// The version of the library that runs, which may differ from the headers a program was built with.
#pragma once

#include <string_view>

#include "assay/export.h"

namespace assay {

// "major.minor.patch". Never empty; valid for the life of the process.
ASSAY_API std::string_view version();

}  // namespace assay
