// See attach_checks.h.
#include "runtime/attach_checks.h"

#include <fmt/format.h>

#include <cstdio>

#include "sanitizer/check_service.h"

namespace assay::runtime {

Result<void> attach_checks(device::Device& device, const base::Settings& settings) {
  if (settings.checks.empty()) return {};
  const Result<sanitizer::CheckSet> checks = sanitizer::parse_checks(settings.checks);
  if (!checks) return checks.error();
  sanitizer::CheckService::attach(
      device, {.checks = *checks, .schedule_seed = settings.check_seed},
      [](const sanitizer::Finding& finding) {
        fmt::print(stderr, "{}:{}:{}: {} [{}] x{} {}\n  {}\n  fix: {}\n", finding.place.file,
                   finding.place.line, finding.place.column, finding.message, finding.rule,
                   finding.occurrences, finding.call_site, finding.place.text, finding.fix);
        for (const auto& related : finding.related)
          fmt::print(stderr, "  {}:{}: {}\n", related.place.line, related.place.column,
                     related.message);
      });
  return {};
}

}  // namespace assay::runtime
