// See version.h.
#include "cli/commands/version.h"

#include <fmt/format.h>

#include "assay/version.h"
#include "cli/json_text.h"

namespace assay::cli {
namespace {

struct Options {
  bool is_json = false;
};

Result<int> run(const Options& options, const Console& console) {
  console.print(options.is_json ? json_text({{"version", version()}})
                                : fmt::format("assay {}\n", version()));
  return 0;
}

}  // namespace

void add_version_command(CLI::App& root, Invocation& invocation) {
  add_command<Options>(
      root, invocation,
      {.name = "version", .summary = "Print the version", .example = "Example:\n  assay version"},
      [](CLI::App&, Options&) {}, run);
}

}  // namespace assay::cli
