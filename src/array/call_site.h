// The user's line that created a node, for messages and traces. Kept as a pointer to an interned
// text, so that remembering costs no memory per node.
#pragma once

#include <source_location>
#include <string>

#include "assay/call_site.h"

namespace assay {

// The provider's answer, else the C++ line; nothing for a location that is nowhere.
CallSitePtr find_call_site(const std::source_location& site);

// "file.py:12", or nothing.
std::string describe(CallSitePtr site);

}  // namespace assay
