// Functions of graphics stages, which assay does not run.
#pragma once

#include "msl/token_rewriter.h"

namespace assay::msl {

// Leaves out the vertex, fragment, mesh, object or intersection function that begins at the
// rewriter's position, with its template parameters, and notes it: the compute kernels of the file
// do not need it. False if no such function begins there.
bool leave_out_graphics_function(TokenRewriter& rewriter);

// Tells of what was left out: as warnings where the file has kernels, else as errors.
void report_graphics_functions(TokenRewriter& rewriter);

}  // namespace assay::msl
