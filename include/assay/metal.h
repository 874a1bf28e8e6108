// What programs ask about the Metal device.
#pragma once

#include "assay/stream.h"

namespace assay::metal {

// True: assay executes Metal kernels on every machine.
ASSAY_API bool is_available();
// device_name, architecture, memory_size, max_buffer_length, max_recommended_working_set_size,
// resource_limit; the same object each call.
ASSAY_API const DeviceInfo& device_info();

}  // namespace assay::metal
