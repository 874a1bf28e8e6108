// `assay trace`: questions to a trace document. Each part adds commands below it.
#pragma once

#include "cli/command.h"

namespace assay::cli {

void add_trace_command(CLI::App& root, Invocation& invocation);

// In trace_<part>.cpp.
void add_trace_views(CLI::App& trace, Invocation& invocation);
void add_trace_source(CLI::App& trace, Invocation& invocation);
void add_trace_sql(CLI::App& trace, Invocation& invocation);
void add_trace_diff(CLI::App& trace, Invocation& invocation);
void add_trace_export(CLI::App& trace, Invocation& invocation);

}  // namespace assay::cli
