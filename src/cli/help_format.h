// The layout of --help texts.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace assay::cli {

class HelpFormat : public CLI::FormatterBase {
 public:
  static constexpr size_t kColumn = 26;  // where descriptions start

  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override;
};

}  // namespace assay::cli
