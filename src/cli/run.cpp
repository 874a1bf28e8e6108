// See run.h. Exceptions of CLI11 end here.
#include "cli/run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "assay/version.h"
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
  app.set_version_flag("--version", fmt::format("assay {}", version()), "Print the version");
  app.require_subcommand(1);
  for (const AddCommand add : command_table()) add(app, invocation);
  std::string footer = "Environment:\n";
  for (const base::SettingDescription& setting : base::setting_descriptions()) {
    // A name that is too long for its column has a line of its own, as options have.
    const bool fits = setting.variable.size() + 3 <= HelpFormat::kColumn;
    const std::string gap = fits ? "" : fmt::format("\n{:{}}", "", HelpFormat::kColumn);
    footer += fmt::format("  {:<{}}{}{}\n", setting.variable, HelpFormat::kColumn - 2, gap,
                          setting.meaning);
  }
  footer += "\n'assay COMMAND --help' explains a command and shows an example.";
  app.footer(footer);
}

struct WrongCommand {
  std::string message;  // empty: it is right
  std::string above;    // names of the commands above it, each with a space at its end
};

// Whether the first words are commands, as far as commands have commands.
WrongCommand check_commands(const CLI::App& root, std::span<const char* const> words) {
  const CLI::App* app = &root;
  std::string above;
  for (size_t i = 0;; ++i) {
    const std::vector<const CLI::App*> commands = app->get_subcommands({});
    if (commands.empty() || (i < words.size() && words[i][0] == '-')) return {};
    std::vector<std::string> names;
    for (const CLI::App* each : commands) names.push_back(each->get_name());
    const std::string of = above.empty() ? "" : fmt::format(" of 'assay {}'", app->get_name());
    if (i == words.size()) {
      return {
          fmt::format("a command{} is missing; the commands are: {}", of, fmt::join(names, ", ")),
          above};
    }
    const auto command = std::ranges::find(names, words[i]);
    if (command == names.end()) {
      return {fmt::format("'{}' is not a command{}; the commands are: {}", words[i], of,
                          fmt::join(names, ", ")),
              above};
    }
    app = commands[static_cast<size_t>(command - names.begin())];
    above += app->get_name() + " ";
  }
}

// The command that the user chose, with the names of those above it.
struct Chosen {
  const CLI::App* app;
  std::string name;  // empty, or with a space at its end
};
Chosen find_chosen(const CLI::App& root) {
  Chosen chosen{&root, {}};
  while (true) {
    const std::vector<CLI::App*> next = chosen.app->get_subcommands();
    if (next.empty()) return chosen;
    chosen = {next.front(), chosen.name + next.front()->get_name() + " "};
  }
}

// `command` is empty or ends in a space.
int report_usage(std::string_view command, std::string_view message, const Console& console) {
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
  const std::span words(argv + 1, static_cast<size_t>(argc) - 1);
  if (const WrongCommand wrong = check_commands(app, words); !wrong.message.empty()) {
    return report_usage(wrong.above, wrong.message, console);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    console.print(find_chosen(app).app->help());
    return 0;
  } catch (const CLI::CallForVersion& text) {
    console.print(fmt::format("{}\n", text.what()));
    return 0;
  } catch (const CLI::ParseError& error) {
    return report_usage(find_chosen(app).name, error.what(), console);
  }
  return run_invocation(invocation, console);
}

}  // namespace assay::cli
