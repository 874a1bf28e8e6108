// One sentence for every row of elementwise.def.
#pragma once

namespace assay::python {

const char* find_doc(const char* name);

}  // namespace assay::python
