// See call_site.h.
#include "array/call_site.h"

#include <atomic>
#include <map>
#include <mutex>
#include <utility>

#include "fmt/format.h"

namespace assay {
namespace {

std::atomic<CallSiteProvider> current_provider = nullptr;

struct InternedSites {
  std::mutex mutex;
  std::map<std::pair<std::string, uint32_t>, CallSite> sites;
};

// Never destroyed: nodes of static arrays may outlive every other static object.
InternedSites& interned_sites() {
  static auto* sites = new InternedSites;
  return *sites;
}

}  // namespace

CallSitePtr intern_call_site(std::string_view file, uint32_t line) {
  InternedSites& interned = interned_sites();
  const std::lock_guard lock(interned.mutex);
  auto [entry, is_new] = interned.sites.try_emplace({std::string(file), line});
  if (is_new) entry->second = {entry->first.first, line};
  return &entry->second;
}

void set_call_site_provider(CallSiteProvider provider) { current_provider = provider; }

CallSitePtr find_call_site(const std::source_location& site) {
  if (const CallSiteProvider provider = current_provider) {
    if (const CallSitePtr found = provider()) return found;
  }
  if (site.line() == 0) return nullptr;
  // Texts of source locations are literals: equal addresses mean equal files.
  struct Last {
    const char* file = nullptr;
    uint32_t line = 0;
    CallSitePtr site = nullptr;
  };
  thread_local Last last;
  if (last.file != site.file_name() || last.line != site.line()) {
    last = {site.file_name(), site.line(), intern_call_site(site.file_name(), site.line())};
  }
  return last.site;
}

std::string describe(CallSitePtr site) {
  return site ? fmt::format("{}:{}", site->file, site->line) : std::string();
}

}  // namespace assay
