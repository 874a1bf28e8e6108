// Checks on a device: those that the environment asks for, and those of a command.
#pragma once

#include <memory>

#include "base/result.h"
#include "base/settings.h"
#include "device/device.h"
#include "sanitizer/check_service.h"
#include "sanitizer/finding_log.h"

namespace assay::runtime {

// Findings and kernels that ran go to `log`. Before the device is used.
void attach_checks(device::Device& device, const sanitizer::CheckOptions& options,
                   std::shared_ptr<sanitizer::FindingLog> log);

// As ASSAY_CHECK says: findings are told on standard error when they are found, or go to the file
// of ASSAY_CHECK_REPORT. Does nothing when it is not set. Fails on what makes no sense.
Result<void> attach_checks(device::Device& device, const base::Settings& settings);

// Lets single commands be checked. Errors make them fail, with the text of all of them; what is
// less is told on standard error.
void allow_call_checks(device::Device& device, const base::Settings& settings);

}  // namespace assay::runtime
