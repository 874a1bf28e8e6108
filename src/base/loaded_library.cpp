// Reads the notes that the linker put into loaded libraries.
#include "base/loaded_library.h"

#include <elf.h>
#include <link.h>

#include <cstdint>
#include <cstring>

namespace assay::base {
namespace {

struct Search {
  std::string_view prefix;
  std::string found;
};

uint64_t padded(uint64_t size) { return (size + 3) / 4 * 4; }

// Appends the build id among the notes at `notes`; false when there is none.
bool append_build_id(std::string_view notes, std::string& text) {
  constexpr std::string_view kOwner("GNU\0", 4);
  constexpr std::string_view kDigits = "0123456789abcdef";
  while (notes.size() >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) note;
    std::memcpy(&note, notes.data(), sizeof note);
    const uint64_t name_bytes = padded(note.n_namesz);
    const uint64_t all_bytes = sizeof note + name_bytes + padded(note.n_descsz);
    if (all_bytes > notes.size()) return false;
    const std::string_view owner = notes.substr(sizeof note, note.n_namesz);
    if (note.n_type == NT_GNU_BUILD_ID && owner == kOwner) {
      for (const char c : notes.substr(sizeof note + name_bytes, note.n_descsz)) {
        text += kDigits[static_cast<uint8_t>(c) >> 4];
        text += kDigits[static_cast<uint8_t>(c) & 15];
      }
      return true;
    }
    notes.remove_prefix(all_bytes);
  }
  return false;
}

int visit_library(dl_phdr_info* library, size_t, void* data) {
  Search& search = *static_cast<Search*>(data);
  const std::string_view path = library->dlpi_name;
  const std::string_view name = path.substr(path.rfind('/') + 1);
  if (!name.starts_with(search.prefix)) return 0;
  bool has_id = false;
  for (int i = 0; i < library->dlpi_phnum && !has_id; ++i) {
    const ElfW(Phdr)& segment = library->dlpi_phdr[i];
    if (segment.p_type != PT_NOTE) continue;
    const auto* notes = reinterpret_cast<const char*>(library->dlpi_addr + segment.p_vaddr);
    has_id = append_build_id({notes, segment.p_memsz}, search.found);
  }
  if (!has_id) search.found += name;
  search.found += ' ';
  return 0;
}

}  // namespace

std::string loaded_build_ids(std::string_view prefix) {
  Search search{prefix, {}};
  ::dl_iterate_phdr(visit_library, &search);
  return search.found;
}

}  // namespace assay::base
