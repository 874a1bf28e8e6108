// A new command is one line here.
#include "cli/command_table.h"

#include "cli/commands/baseline.h"
#include "cli/commands/cache.h"
#include "cli/commands/capture.h"
#include "cli/commands/check.h"
#include "cli/commands/compare.h"
#include "cli/commands/compile.h"
#include "cli/commands/demo.h"
#include "cli/commands/devices.h"
#include "cli/commands/launch.h"
#include "cli/commands/record.h"
#include "cli/commands/replay.h"
#include "cli/commands/report.h"
#include "cli/commands/run_script.h"
#include "cli/commands/trace.h"
#include "cli/commands/version.h"
#include "cli/commands/view.h"

namespace assay::cli {
namespace {

constexpr AddCommand kCommands[] = {
    add_compile_command, add_launch_command,  add_run_command,    add_capture_command,
    add_check_command,   add_compare_command, add_trace_command,  add_view_command,
    add_replay_command,  add_record_command,  add_report_command, add_baseline_command,
    add_devices_command, add_cache_command,   add_demo_command,   add_version_command,
};

}  // namespace

std::span<const AddCommand> command_table() { return kCommands; }

}  // namespace assay::cli
