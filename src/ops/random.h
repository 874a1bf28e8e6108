// What the files of assay::random share.
#pragma once

#include "assay/array.h"

namespace assay::random {

// Of the sequence of this thread, which seed() starts; another one each time.
array next_key();

}  // namespace assay::random
