// Templates: host names of explicit instantiations, and functions as template arguments.
#pragma once

#include "msl/token_rewriter.h"

namespace assay::msl {

// template [[host_name("n")]] [[kernel]] void f<T>(…); keeps the instantiation, drops its
// attributes and remembers the host name.
void rewrite_explicit_instantiation(TokenRewriter& rewriter);

// Function-pointer parameters become function references, which the base language takes:
// template <float (*F)(float)> → template <float (&F)(float)>
void rewrite_template_parameters(TokenRewriter& rewriter);

// typedef float (*F)(float); the same way, because F may be the type of such a parameter. False if
// the statement is no type definition.
bool rewrite_function_typedef(TokenRewriter& rewriter);

}  // namespace assay::msl
