// Lets a test that runs as root meet the limits of other users.
#pragma once

#include <unistd.h>

#include "base/ensure.h"

namespace assay::trace::testing {

// From construction to destruction; nothing changes for who is no root anyway.
class PlainUser {
 public:
  PlainUser() : is_root_(::geteuid() == 0) {
    if (is_root_) ASSAY_ENSURE(::seteuid(kNobody) == 0, "root cannot become another user");
  }
  ~PlainUser() {
    if (is_root_) ASSAY_ENSURE(::seteuid(0) == 0, "root cannot come back");
  }
  PlainUser(const PlainUser&) = delete;
  PlainUser& operator=(const PlainUser&) = delete;

 private:
  static constexpr uid_t kNobody = 65534;
  const bool is_root_;
};

}  // namespace assay::trace::testing
