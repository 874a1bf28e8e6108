// Facts about a device as Python sees them.
#pragma once

#include "assay/stream.h"
#include "pybind11/pybind11.h"

namespace assay::python {

pybind11::dict to_dict(const DeviceInfo& info);

}  // namespace assay::python
