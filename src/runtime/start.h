// The composition root of arrays: picks the device. Everything above uses it through interfaces.
#pragma once

namespace assay::runtime {

// Makes the machine's CPU the device of arrays. Cheap: the device opens when it is first used. The
// installed library calls it when it is loaded; tests that link modules call it themselves.
void start();

}  // namespace assay::runtime
