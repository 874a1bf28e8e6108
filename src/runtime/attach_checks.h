// Checks that the environment asks for.
#pragma once

#include "base/result.h"
#include "base/settings.h"
#include "device/device.h"

namespace assay::runtime {

// Does nothing when ASSAY_CHECK is not set. Fails on names of checks that do not exist.
Result<void> attach_checks(device::Device& device, const base::Settings& settings);

}  // namespace assay::runtime
