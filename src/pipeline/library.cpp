// See library.h.
#include "pipeline/library.h"

#include <fmt/format.h>

#include "base/ensure.h"
#include "device/clock.h"
#include "pipeline/cache_key.h"

namespace assay::pipeline {
namespace {

using LibraryPtr = std::shared_ptr<const Library>;

Library::OriginPtr make_origin(const msl::Source& source, const msl::CompileOptions& options,
                               uint64_t build_ns) {
  auto origin = std::make_shared<kernel::KernelOrigin>();
  origin->file = source.name;
  origin->source = std::make_shared<const std::string>(source.text);
  origin->include_folders = options.include_folders;
  origin->defines = options.defines;
  origin->math_mode = static_cast<int>(options.math_mode);
  origin->allows_double = options.allow_double;
  origin->build_ns = build_ns;
  return origin;
}

Result<LibraryPtr> compile_now(const msl::Source& source, const msl::CompileOptions& options,
                               KernelCache* cache) {
  const uint64_t start_ns = device::now_ns();
  msl::CompileResult result = msl::compile(source, options);
  const uint64_t build_ns = device::now_ns() - start_ns;
  if (!result.library) return Error{msl::render(result.diagnostics)};
  const bool is_kept = cache != nullptr && !result.uses_clock;
  auto library =
      std::make_shared<const Library>(std::move(result), make_origin(source, options, build_ns));
  if (is_kept) {
    cache->store_library(source_key(source, options), source.name, library->make_record(),
                         *library->bitcode());
  }
  return LibraryPtr(std::move(library));
}

// The code of a library that came from the cache.
Result<std::string> load_bitcode(const msl::Source& source, const msl::CompileOptions& options,
                                 const base::Hash128& content, KernelCache& cache) {
  if (auto bitcode = cache.find_bitcode(content)) return std::move(*bitcode);
  const Result<LibraryPtr> again = compile_now(source, options, &cache);
  if (!again) return again.error();
  if ((*again)->content() != content) {
    return Error{
        fmt::format("[pipeline] a file that {} includes has changed since it was compiled; "
                    "compile it again",
                    source.name)};
  }
  return std::string(*(*again)->bitcode());
}

}  // namespace

Library::Library(msl::CompileResult compiled, OriginPtr origin)
    : origin_(std::move(origin)),
      reflection_(std::move(static_cast<msl::Reflection&>(*compiled.library))),
      bitcode_(std::move(compiled.library->bitcode)) {
  record_.content = content_key(reflection_, *bitcode_);
  record_.diagnostics = std::move(compiled.diagnostics);
  record_.files = std::move(compiled.files);
}

Library::Library(LibraryRecord record, LoadBitcode load_bitcode, OriginPtr origin)
    : record_(std::move(record)),
      origin_(std::move(origin)),
      load_bitcode_(std::move(load_bitcode)),
      bitcode_(std::string()) {}

const msl::Reflection& Library::compiled() const {
  if (!is_from_cache()) return reflection_;
  std::call_once(reflection_once_, [this] {
    std::optional<msl::Reflection> reflection = decode_reflection(record_.reflection);
    ASSAY_ENSURE(reflection, "an entry of the cache is whole but cannot be read");
    reflection_ = std::move(*reflection);
  });
  return reflection_;
}

Result<std::string_view> Library::bitcode() const {
  if (is_from_cache()) std::call_once(bitcode_once_, [this] { bitcode_ = load_bitcode_(); });
  if (!bitcode_) return bitcode_.error();
  return std::string_view(*bitcode_);
}

LibraryRecord Library::make_record() const {
  LibraryRecord record = record_;
  record.function_constants = function_constants();
  record.reflection = encode(compiled());
  return record;
}

Result<LibraryPtr> compile_library(msl::Source source, const msl::CompileOptions& options,
                                   const std::shared_ptr<KernelCache>& cache) {
  if (!cache) return compile_now(source, options, nullptr);
  std::optional<LibraryRecord> record = cache->find_library(source_key(source, options));
  if (!record) return compile_now(source, options, cache.get());
  Library::OriginPtr origin = make_origin(source, options, 0);
  auto load = [cache, origin, options, content = record->content] {
    return load_bitcode({origin->file, *origin->source}, options, content, *cache);
  };
  return LibraryPtr(
      std::make_shared<const Library>(std::move(*record), std::move(load), std::move(origin)));
}

}  // namespace assay::pipeline
