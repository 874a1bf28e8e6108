// See console.h.
#include "cli/console.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace assay::cli {
namespace {

void write(std::FILE* file, std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), file);
  std::fflush(file);
}

std::string_view without_line_end(std::string_view text) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  return text;
}

}  // namespace

Console::Console(bool is_colour_allowed)
    : is_output_coloured_(is_colour_allowed && isatty(STDOUT_FILENO) == 1),
      is_error_coloured_(is_colour_allowed && isatty(STDERR_FILENO) == 1) {}

void Console::print(std::string_view text) const { write(stdout, text); }

void Console::print_note(std::string_view text) const {
  write(stderr,
        fmt::format("{} {}\n", base::paint("note:", base::Colour::kBlue, is_error_coloured_),
                    without_line_end(text)));
}

void Console::print_error(std::string_view text) const {
  const std::string_view first_line = text.substr(0, text.find('\n'));
  const bool is_compiler_output = first_line.starts_with("error: ") ||
                                  first_line.find(": error: ") != std::string_view::npos ||
                                  first_line.find(": warning: ") != std::string_view::npos;
  const std::string mark = base::paint("error:", base::Colour::kRed, is_error_coloured_);
  write(stderr, fmt::format("{}{}{}\n", is_compiler_output ? "" : mark,
                            is_compiler_output ? "" : " ", without_line_end(text)));
}

void Console::print_aside(std::string_view text) const { write(stderr, text); }

}  // namespace assay::cli
