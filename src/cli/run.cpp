// See run.h. Exceptions of CLI11 end here.
#include "cli/run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/settings.h"
#include "cli/command_table.h"
#include "cli/help_format.h"
#include "cli/json_text.h"

namespace assay::cli {
namespace {

constexpr int kFailed = 1;
constexpr int kWrongUsage = 2;

void declare_program(CLI::App& app, Invocation& invocation) {
  app.description("assay compiles and runs Metal compute kernels on this machine.");
  app.formatter(std::make_shared<HelpFormat>());
  app.require_subcommand(1);
  for (const AddCommand add : command_table()) add(app, invocation);
  std::string footer = "Environment:\n";
  for (const base::SettingDescription& setting : base::setting_descriptions()) {
    footer +=
        fmt::format("  {:<{}}{}\n", setting.variable, HelpFormat::kColumn - 2, setting.meaning);
  }
  footer += "\n'assay COMMAND --help' explains a command and shows an example.";
  app.footer(footer);
}

// Empty when it is one.
std::string check_command(const CLI::App& app, const std::string& given) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  if (given.starts_with('-') || std::ranges::find(names, given) != names.end()) return {};
  return fmt::format("'{}' is not a command; the commands are: {}", given, fmt::join(names, ", "));
}

int report_usage(const CLI::App& app, std::string_view message, const Console& console) {
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  const std::string command = chosen.empty() ? "" : chosen.front()->get_name() + " ";
  console.print_error(message);
  console.print_aside(fmt::format("Run 'assay {}--help' for usage and an example.\n", command));
  return kWrongUsage;
}

int run_invocation(const Invocation& invocation, const Console& console) {
  const Result<int> code = invocation.run(console);
  if (code) return *code;
  if (invocation.is_json) console.print(json_text({{"error", code.error().message}}));
  console.print_error(code.error().message);
  return kFailed;
}

}  // namespace

int run(int argc, const char* const* argv) {
  const Result<base::Settings> settings = base::load_settings();
  const Console console(settings && settings->is_colour_allowed);
  CLI::App app;
  app.name("assay");
  Invocation invocation;
  declare_program(app, invocation);
  if (argc < 2) {
    console.print_aside(app.help());
    return kWrongUsage;
  }
  if (const std::string wrong = check_command(app, argv[1]); !wrong.empty()) {
    return report_usage(app, wrong, console);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    const std::vector<CLI::App*> chosen = app.get_subcommands();
    console.print(chosen.empty() ? app.help() : chosen.front()->help());
    return 0;
  } catch (const CLI::ParseError& error) {
    return report_usage(app, error.what(), console);
  }
  return run_invocation(invocation, console);
}

}  // namespace assay::cli
