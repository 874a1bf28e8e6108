// A text file compiled into the program (see assay_embed in the build). Lives as long as the
// process.
#pragma once

#include <string_view>

namespace assay::base {

struct EmbeddedFile {
  std::string_view path;  // relative to the embedded folder, with '/'
  std::string_view text;
};

}  // namespace assay::base
