// A file that had a part in a compilation: whoever keeps the result can tell later whether it would
// still be the same. Plain data.
#pragma once

#include <cstdint>
#include <string>

#include "base/hash.h"

namespace assay::msl {

struct FileUse {
  enum class Kind : uint8_t {
    kAbsent,   // looked for and not there: a new file could be found first
    kPresent,  // only its existence mattered
    kRead,
  };

  std::string path;  // as the compiler asked for it; relative ones to the working folder
  Kind kind = Kind::kAbsent;
  base::Hash128 content;  // of what was read
};

}  // namespace assay::msl
