// Links with LLVM's JITLink, without an ORC session: a kernel is one object with one entry, so
// symbol tables, dylibs and lazy materialisation would only add time.
#include "device/cpu/object_linker.h"

#include <fmt/format.h>
#include <llvm/ExecutionEngine/JITLink/JITLink.h>
#include <llvm/ExecutionEngine/JITLink/JITLinkMemoryManager.h>
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

  jitlink::InProcessMemoryManager& memory() { return *memory_; }
  void set_entry(const void* entry) { entry_ = entry; }
  void set_code(FinalizedCode code) { code_.emplace(std::move(code)); }
  bool is_complete() const { return entry_ != nullptr && code_.has_value(); }

 private:
  const std::unique_ptr<jitlink::InProcessMemoryManager> memory_;
  std::optional<FinalizedCode> code_;
  const void* entry_ = nullptr;
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

}  // namespace

Result<std::unique_ptr<LinkedObject>> link_object(std::span<const uint8_t> object,
                                                  const std::string& entry_symbol) {
  const llvm::StringRef bytes(reinterpret_cast<const char*>(object.data()), object.size());
  auto graph = jitlink::createLinkGraphFromObject(llvm::MemoryBufferRef(bytes, entry_symbol));
  if (!graph) return link_error(entry_symbol, llvm::toString(graph.takeError()));
  auto memory = jitlink::InProcessMemoryManager::Create();
  if (!memory) return link_error(entry_symbol, llvm::toString(memory.takeError()));

  auto linked = std::make_unique<JitLinkedObject>(std::move(*memory));
  std::string failure;
  jitlink::link(std::move(*graph), std::make_unique<LinkContext>(*linked, entry_symbol, failure));
  if (!failure.empty()) return link_error(entry_symbol, failure);
  if (!linked->is_complete()) return link_error(entry_symbol, "the linker gave no code");
  return std::unique_ptr<LinkedObject>(std::move(linked));
}

}  // namespace assay::device::cpu
