// See run_script.h.
#include "cli/commands/run_script.h"

#include "cli/program_start.h"

namespace assay::cli {

void add_run_command(CLI::App& root, Invocation& invocation) {
  CLI::App* app = root.add_subcommand("run", "Run a Python script with assay as its mlx.core");
  app->footer(
      "Python gets the rest: SCRIPT [arguments], or -m MODULE [arguments]. In it, import mlx.core\n"
      "means assay.core.\n\n"
      "Examples:\n"
      "  assay run train.py --steps 10\n"
      "  assay run -m model.generate");
  // Everything behind the script belongs to it, options too.
  app->prefix_command();
  app->callback([app, &invocation] {
    const std::vector<std::string> arguments = app->remaining();
    if (arguments.empty()) throw CLI::RequiredError("SCRIPT or -m MODULE");
    invocation.run = [arguments](const Console&) -> Result<int> { return start_python(arguments); };
  });
}

}  // namespace assay::cli
