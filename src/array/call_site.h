// The user's line that created a node, for messages and traces. Kept as a pointer to an interned
// text, so that remembering costs no memory per node.
#pragma once

#include <source_location>
#include <string>
#include <string_view>

namespace assay {

struct CallSite {
  std::string file;
  uint32_t line = 0;
};

// Lives as long as the process. Null for an unknown line.
using CallSitePtr = const CallSite*;

CallSitePtr intern_call_site(std::string_view file, uint32_t line);

// Where the user's code stands on this thread now, if a language binding knows better than C++;
// returns null where it does not. One for the process, set when the binding is loaded.
using CallSiteProvider = CallSitePtr (*)();
void set_call_site_provider(CallSiteProvider provider);

// The provider's answer, else the C++ line.
CallSitePtr find_call_site(const std::source_location& site);

// "file.py:12", or nothing.
std::string describe(CallSitePtr site);

}  // namespace assay
