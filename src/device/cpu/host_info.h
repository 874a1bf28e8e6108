// What the machine says about itself.
#pragma once

#include <cstdint>
#include <string>

namespace assay::device::cpu {

// The processor's marketing name, "CPU" where the system does not tell.
std::string read_cpu_name();
// Memory this process may use: the machine's, or less inside a container.
uint64_t read_total_memory_bytes();
// Of the largest cache that one core can use.
uint64_t read_cache_bytes();
// Cores this process may use, at least 1.
unsigned read_core_count();

// The largest of a folder in the form of /sys/devices/system/cpu/cpu0/cache; 0 when there is none.
uint64_t find_cache_bytes(const std::string& folder);
// The "model name" of a text in the form of /proc/cpuinfo; empty when there is none.
std::string find_cpu_name(const std::string& cpuinfo);

}  // namespace assay::device::cpu
