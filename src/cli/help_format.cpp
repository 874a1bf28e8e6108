// See help_format.h. Descriptions may have several lines; all start in the same column.
#include "cli/help_format.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>
#include <vector>

namespace assay::cli {
namespace {

void append_entry(std::string& text, std::string_view left, std::string_view description) {
  text += fmt::format("  {:<{}}", left, HelpFormat::kColumn - 2);
  if (left.size() + 3 > HelpFormat::kColumn) {
    text += fmt::format("\n{:{}}", "", HelpFormat::kColumn);
  }
  while (true) {
    const size_t end = description.find('\n');
    text += description.substr(0, end);
    text += '\n';
    if (end == std::string_view::npos) return;
    description.remove_prefix(end + 1);
    text += fmt::format("{:{}}", "", HelpFormat::kColumn);
  }
}

std::string usage_name(const CLI::Option* option) {
  std::string name = option->get_name(true);
  if (option->get_expected_max() > 1) name += "...";
  return option->get_required() ? name : fmt::format("[{}]", name);
}

// "-I, --include DIR"; flags with an optional value describe it in their option text.
std::string option_name(const CLI::Option* option) {
  std::vector<std::string> names;
  for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  const std::string type =
      option->get_type_size() == 0 ? option->get_option_text() : " " + option->get_type_name();
  return fmt::format("{}{}", fmt::join(names, ", "), type);
}

std::string full_name(const CLI::App* app) {
  if (app->get_parent() == nullptr) return app->get_name();
  return full_name(app->get_parent()) + " " + app->get_name();
}

}  // namespace

std::string HelpFormat::make_help(const CLI::App* app, std::string /*name*/,
                                  CLI::AppFormatMode /*mode*/) const {
  const auto positionals =
      app->get_options([](const CLI::Option* option) { return option->get_positional(); });
  const auto options =
      app->get_options([](const CLI::Option* option) { return option->nonpositional(); });
  const auto commands = app->get_subcommands({});

  std::string text = fmt::format("{}\n\nUsage: {}", app->get_description(), full_name(app));
  if (!commands.empty()) text += " COMMAND";
  for (const CLI::Option* option : options) {
    if (option->get_required()) text += " " + option_name(option);
  }
  text += " [options]";
  for (const CLI::Option* option : positionals) text += " " + usage_name(option);
  text += '\n';
  if (!commands.empty()) text += "\nCommands:\n";
  for (const CLI::App* command : commands) {
    append_entry(text, command->get_name(), command->get_description());
  }
  if (!positionals.empty()) text += "\nArguments:\n";
  for (const CLI::Option* option : positionals) {
    append_entry(text, option->get_name(true), option->get_description());
  }
  text += "\nOptions:\n";
  for (const CLI::Option* option : options) {
    append_entry(text, option_name(option), option->get_description());
  }
  return text + fmt::format("\n{}\n", app->get_footer());
}

}  // namespace assay::cli
