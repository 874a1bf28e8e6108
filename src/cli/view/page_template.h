// The viewer as the build made it of viewer/: one page of HTML with its script and style inside,
// and the content security policy that allows exactly those.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/embedded_file.h"

namespace assay::cli {

std::span<const base::EmbeddedFile> viewer_files();

enum class PageOrigin : bool { kServer, kFile };

// Only what is in the page may run; a served page may ask its own server, a file nobody.
std::string page_policy(PageOrigin origin);

// Markup up to where blocks of data go, and behind them.
struct PageParts {
  std::string head;
  std::string_view tail;
};
PageParts page_parts(PageOrigin origin);

}  // namespace assay::cli
