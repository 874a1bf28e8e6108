// Since when a thread has been making ops that nobody evaluated yet: what a timeline shows as graph
// building.
#pragma once

#include <cstdint>

namespace assay {

// Called for every op that is made; remembers the first one. Costs a load where nobody listens.
void note_graph_building();
// Nanoseconds of the steady clock, and 0 where no op was made while somebody listened. The next op
// begins anew.
uint64_t take_graph_building_start();

}  // namespace assay
