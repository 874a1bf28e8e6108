// Reads /proc, /sys and the C library.
#include "device/cpu/host_info.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string_view>
#include <thread>

namespace assay::device::cpu {

std::string find_cpu_name(const std::string& cpuinfo) {
  constexpr std::string_view kKey = "model name";
  size_t line = 0;
  while (line < cpuinfo.size()) {
    const size_t end = std::min(cpuinfo.find('\n', line), cpuinfo.size());
    const std::string_view text = std::string_view(cpuinfo).substr(line, end - line);
    const size_t colon = text.find(':');
    if (text.starts_with(kKey) && colon != text.npos) {
      const size_t begin = text.find_first_not_of(" \t", colon + 1);
      if (begin == text.npos) return {};
      return std::string(text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin));
    }
    line = end + 1;
  }
  return {};
}

std::string read_cpu_name() {
  std::ifstream file("/proc/cpuinfo");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::string name = find_cpu_name(text);
  return name.empty() ? "CPU" : name;
}

uint64_t read_total_memory_bytes() {
  const uint64_t machine =
      static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  // Holds a number, or "max" where the container sets no limit.
  std::ifstream file("/sys/fs/cgroup/memory.max");
  uint64_t container = 0;
  if (file >> container && container != 0) return std::min(machine, container);
  return machine;
}

uint64_t find_cache_bytes(const std::string& folder) {
  uint64_t largest = 0;
  for (int index = 0;; ++index) {
    std::ifstream file(folder + "/index" + std::to_string(index) + "/size");
    uint64_t size = 0;
    char unit = 0;
    if (!(file >> size)) return largest;
    file >> unit;
    if (unit == 'K') size <<= 10;
    if (unit == 'M') size <<= 20;
    largest = std::max(largest, size);
  }
}

uint64_t read_cache_bytes() {
  constexpr uint64_t kUnknown = uint64_t{32} << 20;
  // Virtual machines are told of caches that many cores of others share.
  const uint64_t usable = read_core_count() * kUnknown;
  const uint64_t bytes = find_cache_bytes("/sys/devices/system/cpu/cpu0/cache");
  if (bytes > 0) return std::min(bytes, usable);
  // Only now: for some processors the C library adds up what single cores cannot use.
  const int64_t known = std::max(sysconf(_SC_LEVEL3_CACHE_SIZE), sysconf(_SC_LEVEL2_CACHE_SIZE));
  return known > 0 ? static_cast<uint64_t>(known) : kUnknown;
}

unsigned read_core_count() {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof(allowed), &allowed) == 0) {
    return static_cast<unsigned>(std::max(1, CPU_COUNT(&allowed)));
  }
  return std::max(1U, std::thread::hardware_concurrency());
}

}  // namespace assay::device::cpu
