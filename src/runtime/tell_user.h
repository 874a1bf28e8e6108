// The one way in which the library writes to standard error.
#pragma once

#include <string_view>

namespace assay::runtime {

// In one piece, so that lines of other threads do not come between. What cannot be written is lost:
// there is nobody left to tell.
void tell_user(std::string_view text);

// The same for a message of one line, under the library's name.
void tell_user_line(std::string_view message);

}  // namespace assay::runtime
