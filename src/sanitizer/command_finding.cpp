// See command_finding.h.
#include "sanitizer/command_finding.h"

#include "base/ensure.h"
#include "sanitizer/rules.h"

namespace assay::sanitizer {

Finding begin_finding(std::string_view rule, const kernel::CommandDescription& command) {
  const Rule* known = find_rule(rule);
  ASSAY_ENSURE(known != nullptr, "a finding has a rule that is not in the table");
  Finding finding;
  finding.rule = rule;
  finding.severity = known->severity;
  finding.label = std::string(command.label);
  finding.call_site = std::string(command.origin);
  if (command.kernel != nullptr) {
    finding.kernel = command.kernel->name;
    finding.place = {.file = command.kernel->file, .line = command.kernel->line};
  }
  return finding;
}

std::string argument_name(const kernel::CommandDescription& command, uint32_t slot) {
  if (command.kernel == nullptr) return {};
  const auto* argument = command.kernel->find_argument(kernel::ArgumentKind::kBuffer, slot);
  return argument == nullptr ? std::string() : argument->name;
}

}  // namespace assay::sanitizer
