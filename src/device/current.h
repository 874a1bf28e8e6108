// The device that arrays use: one slot for the process. Nothing else in the array layers knows
// which device there is.
#pragma once

#include <memory>

#include "device/device.h"

namespace assay::device {

// Opens the device when it is first needed. Set once, by the composition root, before any array.
using DeviceOpener = Result<std::shared_ptr<Device>> (*)();
void set_device_opener(DeviceOpener opener);

// Throws std::runtime_error when there is no device; the reason is in its text. Thread-safe.
Device& current_device();
// Null before anybody has needed one.
Device* find_current_device();
std::shared_ptr<Device> current_device_ptr();

}  // namespace assay::device
