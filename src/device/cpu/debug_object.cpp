// The interface that gdb and lldb have for compilers at run time: a list of object files in memory,
// and a function that both sides know, called whenever the list has changed. The list and the
// function are LLVM's, so that a process has one of each; nothing in LLVM uses them here.
#include "device/cpu/debug_object.h"

#include <llvm/BinaryFormat/ELF.h>
#include <llvm/DebugInfo/DWARF/DWARFContext.h>
#include <llvm/Object/ELFObjectFile.h>

#include <mutex>

// Names and layout are fixed by the debuggers.
extern "C" {
struct jit_code_entry {
  jit_code_entry* next_entry;
  jit_code_entry* prev_entry;
  const char* symfile_addr;
  uint64_t symfile_size;
};
struct jit_descriptor {
  uint32_t version;
  uint32_t action_flag;
  jit_code_entry* relevant_entry;
  jit_code_entry* first_entry;
};
extern jit_descriptor __jit_debug_descriptor;  // NOLINT(bugprone-reserved-identifier)
void __jit_debug_register_code();              // NOLINT(bugprone-reserved-identifier)
}

namespace assay::device::cpu {
namespace {

using Elf = llvm::object::ELF64LEObjectFile;

enum JitAction : uint32_t { kNoAction = 0, kRegister = 1, kUnregister = 2 };

std::mutex& list_mutex() {
  static std::mutex mutex;
  return mutex;
}

// Tells debuggers, which stop inside of the call.
void announce(JitAction action, jit_code_entry& entry) {
  __jit_debug_descriptor.relevant_entry = &entry;
  __jit_debug_descriptor.action_flag = action;
  __jit_debug_register_code();
  __jit_debug_descriptor.relevant_entry = nullptr;
  __jit_debug_descriptor.action_flag = kNoAction;
}

// On the list of the debuggers as long as it lives.
class ListedObject {
 public:
  explicit ListedObject(std::span<const char> bytes) {
    entry_.symfile_addr = bytes.data();
    entry_.symfile_size = bytes.size();
    const std::lock_guard lock(list_mutex());
    entry_.next_entry = __jit_debug_descriptor.first_entry;
    if (entry_.next_entry != nullptr) entry_.next_entry->prev_entry = &entry_;
    __jit_debug_descriptor.first_entry = &entry_;
    announce(kRegister, entry_);
  }
  ~ListedObject() {
    const std::lock_guard lock(list_mutex());
    if (entry_.next_entry != nullptr) entry_.next_entry->prev_entry = entry_.prev_entry;
    jit_code_entry*& before = entry_.prev_entry != nullptr ? entry_.prev_entry->next_entry
                                                           : __jit_debug_descriptor.first_entry;
    before = entry_.next_entry;
    announce(kUnregister, entry_);
  }
  ListedObject(const ListedObject&) = delete;
  ListedObject& operator=(const ListedObject&) = delete;

 private:
  jit_code_entry entry_ = {};
};

// Writes addresses into the section headers: relocatable files have none of their own, and a
// debugger finds code by them. True if the file has debug information.
bool place_sections(std::span<char> bytes, std::span<const DebugObject::PlacedSection> sections) {
  const llvm::MemoryBufferRef buffer(llvm::StringRef(bytes.data(), bytes.size()), "kernel");
  auto file = Elf::create(buffer);
  if (!file) {
    llvm::consumeError(file.takeError());
    return false;
  }
  bool has_debug_info = false;
  for (const llvm::object::SectionRef& section : file->sections()) {
    llvm::Expected<llvm::StringRef> name = section.getName();
    if (!name) {
      llvm::consumeError(name.takeError());
      return false;
    }
    has_debug_info |= *name == ".debug_info";
    for (const DebugObject::PlacedSection& placed : sections) {
      if (placed.name != *name) continue;
      // The header lies in `bytes`, which are ours to change.
      auto* header = const_cast<Elf::Elf_Shdr*>(file->getSection(section.getRawDataRefImpl()));
      if (header->sh_flags & llvm::ELF::SHF_ALLOC) header->sh_addr = placed.address;
    }
  }
  return has_debug_info;
}

class ElfDebugObject : public DebugObject {
 public:
  explicit ElfDebugObject(std::vector<char> bytes) : bytes_(std::move(bytes)), listed_(bytes_) {}

  std::optional<SourceLine> find_line(uintptr_t instruction) const override {
    const llvm::MemoryBufferRef buffer(llvm::StringRef(bytes_.data(), bytes_.size()), "kernel");
    auto file = Elf::create(buffer);
    if (!file) {
      llvm::consumeError(file.takeError());
      return std::nullopt;
    }
    for (const llvm::object::SectionRef& section : file->sections()) {
      if (!section.isText() || instruction < section.getAddress() ||
          instruction - section.getAddress() >= section.getSize()) {
        continue;
      }
      const std::unique_ptr<llvm::DWARFContext> debug = llvm::DWARFContext::create(*file);
      const llvm::DILineInfo line = debug->getLineInfoForAddress(
          {instruction, section.getIndex()},
          {llvm::DILineInfoSpecifier::FileLineInfoKind::RawValue, llvm::DINameKind::None});
      if (!line || line.Line == 0) return std::nullopt;
      return SourceLine{line.FileName, line.Line};
    }
    return std::nullopt;
  }

 private:
  const std::vector<char> bytes_;
  const ListedObject listed_;
};

}  // namespace

std::unique_ptr<DebugObject> DebugObject::create(std::span<const uint8_t> object,
                                                 std::span<const PlacedSection> sections) {
  std::vector<char> bytes(object.begin(), object.end());
  if (!place_sections(bytes, sections)) return nullptr;
  return std::make_unique<ElfDebugObject>(std::move(bytes));
}

}  // namespace assay::device::cpu
