// Texts of kernels, paths and other processes, made fit for terminals and XML.
#pragma once

#include <string>
#include <string_view>

namespace assay::sanitizer {

// Valid UTF-8 without control characters: what is none becomes a space, bytes that are not UTF-8
// become U+FFFD. Tabs and, where `keeps_lines`, line ends stay.
std::string clean_text(std::string_view text, bool keeps_lines = false);

}  // namespace assay::sanitizer
