// Facts about this process and its threads, as the system knows them.
#pragma once

#include <cstdint>
#include <string>

namespace assay::capture {

int64_t process_number();
std::string command_line();
// Of the steady clock, to a hundredth of a second; the present where the system does not tell.
uint64_t process_start_ns();

// Of the thread that calls. Cheap.
int64_t thread_number();
// As the program named it; the system names threads like the program.
std::string thread_name();

}  // namespace assay::capture
