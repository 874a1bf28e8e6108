// The user's line that created an array. For language bindings, which know better than C++ where
// the program stands.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "assay/export.h"

namespace assay {

struct CallSite {
  std::string file;
  uint32_t line = 0;
};

// Lives as long as the process. Null for an unknown line.
using CallSitePtr = const CallSite*;

ASSAY_API CallSitePtr intern_call_site(std::string_view file, uint32_t line);

// Where the user's code stands on this thread now; null where the binding does not know. One for
// the process, set when the binding is loaded.
using CallSiteProvider = CallSitePtr (*)();
ASSAY_API void set_call_site_provider(CallSiteProvider provider);

}  // namespace assay
