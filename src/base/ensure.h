// ASSAY_ENSURE: stops the program when assay itself is wrong, in every build. For mistakes of the
// user and expected failures use Result instead.
#pragma once

#include <string_view>

namespace assay::base {

// Writes "file:line: condition: message" to standard error and aborts.
[[noreturn]] void fail_ensure(const char* file, int line, const char* condition,
                              std::string_view message);

}  // namespace assay::base

// The message is only built when the condition is false.
#define ASSAY_ENSURE(condition, message)                                     \
  do {                                                                       \
    if (!(condition)) [[unlikely]] {                                         \
      ::assay::base::fail_ensure(__FILE__, __LINE__, #condition, (message)); \
    }                                                                        \
  } while (false)
