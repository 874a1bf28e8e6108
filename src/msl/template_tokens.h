// Templates: host names of explicit instantiations, and functions as template arguments.
#pragma once

#include <set>
#include <string_view>

#include "msl/token_rewriter.h"

namespace assay::msl {

// template [[host_name("n")]] [[kernel]] void f<T>(…); keeps the instantiation, drops its
// attributes and remembers the host name.
void rewrite_explicit_instantiation(TokenRewriter& rewriter);

// The names that the source gives to types of pointers to functions.
std::set<std::string_view> find_function_types(const TokenSequence& in);

// Function-pointer parameters become function references, which the base language takes:
// template <float (*F)(float)> → template <float (&F)(float)>, also where their type has a name.
void rewrite_template_parameters(TokenRewriter& rewriter);

}  // namespace assay::msl
