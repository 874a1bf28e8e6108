// Links with LLVM's JITLink, without an ORC session: a kernel is one object with one entry, so
// symbol tables, dylibs and lazy materialisation would only add time.
#include "device/cpu/object_linker.h"

#include <fmt/format.h>
#include <llvm/ExecutionEngine/JITLink/JITLink.h>
#include <llvm/ExecutionEngine/JITLink/JITLinkMemoryManager.h>
#include <llvm/Object/ObjectFile.h>
#include <llvm/Support/DataExtractor.h>
#include <llvm/Support/Error.h>
#include <llvm/Support/MemoryBufferRef.h>

#include <optional>
#include <string_view>
#include <utility>

#include "device/cpu/runtime_symbols.h"

namespace assay::device::cpu {
namespace {

namespace jitlink = llvm::jitlink;
using FinalizedCode = jitlink::JITLinkMemoryManager::FinalizedAlloc;

class JitLinkedObject : public LinkedObject {
 public:
  explicit JitLinkedObject(std::unique_ptr<jitlink::InProcessMemoryManager> memory)
      : memory_(std::move(memory)) {}
  ~JitLinkedObject() override {
    if (!code_.has_value()) return;
    // Unmapping memory that was mapped here cannot fail in a way anyone could act on.
    llvm::consumeError(memory_->deallocate(std::move(*code_)));
  }

  const void* entry() const override { return entry_; }
  uint64_t stack_bytes() const override { return stack_bytes_; }
  const DebugObject* debug_object() const override { return debug_object_.get(); }

  jitlink::InProcessMemoryManager& memory() { return *memory_; }
  void set_entry(const void* entry) { entry_ = entry; }
  void set_stack_bytes(uint64_t bytes) { stack_bytes_ = bytes; }
  void add_section(DebugObject::PlacedSection section) { sections_.push_back(std::move(section)); }
  // Once the code can run: a debugger may set breakpoints in it at once.
  void show_to_debuggers(std::span<const uint8_t> object) {
    debug_object_ = DebugObject::create(object, sections_);
  }
  void set_code(FinalizedCode code) { code_.emplace(std::move(code)); }
  bool is_complete() const { return entry_ != nullptr && code_.has_value(); }

 private:
  const std::unique_ptr<jitlink::InProcessMemoryManager> memory_;
  std::optional<FinalizedCode> code_;
  const void* entry_ = nullptr;
  uint64_t stack_bytes_ = 0;
  std::vector<DebugObject::PlacedSection> sections_;
  std::unique_ptr<DebugObject> debug_object_;
};

// Everything happens inside jitlink::link(), on the calling thread: all our continuations are
// called at once.
class LinkContext : public jitlink::JITLinkContext {
 public:
  LinkContext(JitLinkedObject& target, llvm::StringRef entry_symbol, std::string& failure)
      : JITLinkContext(nullptr), target_(target), entry_symbol_(entry_symbol), failure_(failure) {}

  jitlink::JITLinkMemoryManager& getMemoryManager() override { return target_.memory(); }

  void notifyFailed(llvm::Error error) override { failure_ = llvm::toString(std::move(error)); }

  void lookup(const LookupMap& symbols,
              std::unique_ptr<jitlink::JITLinkAsyncLookupContinuation> continuation) override {
    jitlink::AsyncLookupResult found;
    for (const auto& [name, flags] : symbols) {
      const void* address = find_runtime_symbol({name.data(), name.size()});
      if (address == nullptr) {
        continuation->run(llvm::make_error<llvm::StringError>(
            "it calls '" + name + "', which the CPU device does not provide",
            llvm::inconvertibleErrorCode()));
        return;
      }
      found[name] = {llvm::orc::ExecutorAddr::fromPtr(address), llvm::JITSymbolFlags::Callable};
    }
    continuation->run(std::move(found));
  }

  llvm::Error notifyResolved(jitlink::LinkGraph& graph) override {
    for (const jitlink::Section& section : graph.sections()) {
      const jitlink::SectionRange range(section);
      if (range.empty()) continue;
      target_.add_section({section.getName().str(), range.getStart().getValue()});
    }
    for (const jitlink::Symbol* symbol : graph.defined_symbols()) {
      if (!symbol->hasName() || symbol->getName() != entry_symbol_) continue;
      target_.set_entry(symbol->getAddress().toPtr<const void*>());
      return llvm::Error::success();
    }
    return llvm::make_error<llvm::StringError>(
        "it does not define its entry '" + llvm::Twine(entry_symbol_) + "'",
        llvm::inconvertibleErrorCode());
  }

  void notifyFinalized(FinalizedCode code) override { target_.set_code(std::move(code)); }

 private:
  JitLinkedObject& target_;
  const llvm::StringRef entry_symbol_;
  std::string& failure_;
};

Error link_error(std::string_view entry_symbol, std::string_view reason) {
  return Error{fmt::format("[load] the code of '{}' cannot be loaded: {}; build the kernel again",
                           entry_symbol, reason)};
}

// Kernels cannot recurse, so no chain of calls needs more than all functions together. The section
// holds an address of 8 bytes and a size in LEB128 form for each; damaged ones say nothing.
uint64_t read_stack_bytes(llvm::MemoryBufferRef object) {
  auto file = llvm::object::ObjectFile::createELFObjectFile(object);
  if (!file) {
    llvm::consumeError(file.takeError());
    return 0;
  }
  uint64_t total = 0;
  for (const llvm::object::SectionRef& section : (*file)->sections()) {
    auto name = section.getName();
    auto contents = section.getContents();
    const bool is_readable = name && contents;
    llvm::consumeError(name.takeError());
    llvm::consumeError(contents.takeError());
    if (!is_readable || *name != ".stack_sizes") continue;
    llvm::DataExtractor data(*contents, /*IsLittleEndian=*/true, /*AddressSize=*/8);
    llvm::DataExtractor::Cursor cursor(0);
    while (cursor && cursor.tell() < contents->size()) {
      data.getU64(cursor);
      total += data.getULEB128(cursor);
    }
    llvm::consumeError(cursor.takeError());
  }
  return total;
}

}  // namespace

Result<std::unique_ptr<LinkedObject>> link_object(std::span<const uint8_t> object,
                                                  const std::string& entry_symbol) {
  const llvm::StringRef bytes(reinterpret_cast<const char*>(object.data()), object.size());
  const llvm::MemoryBufferRef buffer(bytes, entry_symbol);
  auto graph = jitlink::createLinkGraphFromObject(buffer);
  if (!graph) return link_error(entry_symbol, llvm::toString(graph.takeError()));
  auto memory = jitlink::InProcessMemoryManager::Create();
  if (!memory) return link_error(entry_symbol, llvm::toString(memory.takeError()));

  auto linked = std::make_unique<JitLinkedObject>(std::move(*memory));
  linked->set_stack_bytes(read_stack_bytes(buffer));
  std::string failure;
  jitlink::link(std::move(*graph), std::make_unique<LinkContext>(*linked, entry_symbol, failure));
  if (!failure.empty()) return link_error(entry_symbol, failure);
  if (!linked->is_complete()) return link_error(entry_symbol, "the linker gave no code");
  linked->show_to_debuggers(object);
  return std::unique_ptr<LinkedObject>(std::move(linked));
}

}  // namespace assay::device::cpu
