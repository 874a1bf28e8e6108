// Captures and recordings of this process, which checks of kernels tell what they find.
#pragma once

#include "capture/session.h"
#include "sanitizer/finding.h"

namespace assay::runtime {

// From now on until it stops. Thread-safe, as the other one.
void add_finding_receiver(const capture::Session& session);
void tell_finding_receivers(const sanitizer::Finding& finding);

}  // namespace assay::runtime
