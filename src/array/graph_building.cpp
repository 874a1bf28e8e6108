// See graph_building.h.
#include "array/graph_building.h"

#include <utility>

#include "device/clock.h"
#include "device/current.h"

namespace assay {
namespace {

thread_local uint64_t building_since_ns = 0;

}  // namespace

void note_graph_building() {
  if (building_since_ns != 0) return;
  const device::Device* device = device::find_current_device();
  if (device != nullptr && device->is_observed()) building_since_ns = device::now_ns();
}

uint64_t take_graph_building_start() { return std::exchange(building_since_ns, 0); }

}  // namespace assay
