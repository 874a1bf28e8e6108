// Shows an address in the user's browser.
#pragma once

#include <string>

namespace assay::cli {

// Does nothing on a machine that has no way to: the address was printed.
void open_browser(const std::string& url);

}  // namespace assay::cli
