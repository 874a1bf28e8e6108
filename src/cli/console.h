// Where commands write: results to standard output, everything about them to standard error.
#pragma once

#include <string>
#include <string_view>

#include "base/format.h"

namespace assay::cli {

class Console {
 public:
  // Colours only where a person looks: on a terminal, and if `is_colour_allowed`.
  explicit Console(bool is_colour_allowed);

  void print(std::string_view text) const;
  // "note: text" on standard error.
  void print_note(std::string_view text) const;
  // "error: text" on standard error; compiler output, which has its own marks, as it is.
  void print_error(std::string_view text) const;
  // Any text on standard error.
  void print_aside(std::string_view text) const;

  bool is_output_coloured() const { return is_output_coloured_; }
  bool is_error_coloured() const { return is_error_coloured_; }

  // Colour for standard output.
  std::string paint(std::string_view text, base::Colour colour) const {
    return base::paint(text, colour, is_output_coloured_);
  }

 private:
  bool is_output_coloured_;
  bool is_error_coloured_;
};

}  // namespace assay::cli
