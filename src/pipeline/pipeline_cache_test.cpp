#include "pipeline/pipeline_cache.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <thread>

#include "base/file_bytes.h"
#include "base/testing/temporary_folder.h"
#include "device/cpu/cpu_device.h"
#include "device/cpu/cpu_kernel.h"

namespace assay::pipeline {
namespace {

using base::testing::TemporaryFolder;
using Constants = std::vector<codegen::ConstantValue>;

constexpr uint64_t kLimitBytes = 64 << 20;

// What a new process has: a device and an open cache.
struct Process {
  explicit Process(const std::string& folder)
      : device(*device::cpu::CpuDevice::create({.threads = 1})),
        disk(folder.empty() ? nullptr : std::make_shared<KernelCache>(folder, kLimitBytes)),
        pipelines(device, {}, disk) {}

  // What the kernel writes to its only buffer, and where the kernel came from.
  Result<std::pair<int, bool>> run(const msl::Source& source, std::string_view kernel = "k",
                                   const Constants& constants = {},
                                   const msl::CompileOptions& options = {}) {
    const auto library = pipelines.compile(source, options);
    if (!library) return library.error();
    const auto pipeline = pipelines.get_pipeline(**library, kernel, constants);
    if (!pipeline) return pipeline.error();
    const auto buffer = device->allocate(sizeof(int));
    const auto queue = device->create_queue();
    auto commands = (*queue)->command_buffer();
    device::Bindings bindings;
    bindings.buffer(0, *buffer);
    if (auto encoded = commands->dispatch(pipeline->kernel, std::move(bindings),
                                          kernel::LaunchSize::threads({1, 1, 1}, {1, 1, 1}));
        !encoded) {
      return encoded.error();
    }
    (*queue)->submit(std::move(commands));
    if (auto finished = (*queue)->wait(); !finished) return finished.error();
    int value = 0;
    std::memcpy(&value, (*buffer)->data(), sizeof value);
    return std::pair(value, pipeline->is_from_cache);
  }

  std::shared_ptr<device::Device> device;
  std::shared_ptr<KernelCache> disk;
  PipelineCache pipelines;
};

msl::Source constant_source(int value) {
  return {"k.metal", "kernel void k(device int* x) { x[0] = " + std::to_string(value) + "; }\n"};
}

using Outcome = std::pair<int, bool>;

void expect_run(const Result<Outcome>& run, int value, bool is_from_cache) {
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_EQ(run->first, value);
  EXPECT_EQ(run->second, is_from_cache);
}

TEST(PipelineCache, finds_kernels_of_earlier_processes) {
  const TemporaryFolder place;
  expect_run(Process(place.file("c")).run(constant_source(41)), 41, false);
  expect_run(Process(place.file("c")).run(constant_source(41)), 41, true);
  expect_run(Process(place.file("c")).run(constant_source(42)), 42, false);
  expect_run(Process("").run(constant_source(41)), 41, false);
  const KernelCache cache(place.file("c"), kLimitBytes);
  EXPECT_EQ(cache.load_statistics().hits, 1u);
  EXPECT_EQ(cache.load_statistics().misses, 2u);
}

TEST(PipelineCache, keeps_checked_kernels_beside_others) {
  const TemporaryFolder place;
  expect_run(Process(place.file("c")).run(constant_source(41)), 41, false);
  for (const bool is_from_cache : {false, true}) {
    Process process(place.file("c"));
    codegen::BuildOptions options;
    options.checked = true;
    PipelineCache checked(process.device, options, process.disk);
    const auto library = checked.compile(constant_source(41));
    ASSERT_TRUE(library);
    const auto pipeline = checked.get_pipeline(**library, "k");
    ASSERT_TRUE(pipeline);
    EXPECT_EQ(pipeline->is_from_cache, is_from_cache);
    const auto* loaded = static_cast<const device::cpu::CpuKernel*>(pipeline->kernel.get());
    ASSERT_NE(loaded->checks(), nullptr);
    ASSERT_EQ(loaded->checks()->sites.size(), 1u);
    EXPECT_EQ(loaded->checks()->sites[0].kind, kernel::SiteKind::kStore);
    EXPECT_EQ(loaded->checks()->sites[0].place.line, 1u);
  }
}

TEST(PipelineCache, keeps_reflection_and_warnings) {
  const TemporaryFolder place;
  const msl::Source source{"k.metal",
                           "constant int c [[function_constant(3)]];\n"
                           "kernel void k(device int* out [[buffer(2)]]) { out[0] = c; }\n"
                           "kernel void second() {}\n"};
  Process first(place.file("c"));
  const auto fresh = first.pipelines.compile(source);
  ASSERT_TRUE(fresh) << fresh.error().message;
  EXPECT_FALSE((*fresh)->is_from_cache());
  Process second(place.file("c"));
  const auto cached = second.pipelines.compile(source);
  ASSERT_TRUE(cached);
  EXPECT_TRUE((*cached)->is_from_cache());
  EXPECT_EQ((*cached)->content(), (*fresh)->content());
  EXPECT_EQ(encode((*cached)->compiled()), encode((*fresh)->compiled()));
  EXPECT_EQ(*(*cached)->bitcode(), *(*fresh)->bitcode());
  EXPECT_EQ(msl::render((*cached)->diagnostics()), msl::render((*fresh)->diagnostics()));
}

TEST(PipelineCache, tells_constants_options_and_kernels_apart) {
  const TemporaryFolder place;
  const msl::Source source{"k.metal",
                           "constant int c [[function_constant(0)]];\n"
                           "kernel void k(device int* x) { x[0] = c + BASE; }\n"
                           "kernel void twice(device int* x) { x[0] = 2 * c + BASE; }\n"};
  for (const bool is_second : {false, true}) {
    for (const int base : {100, 200}) {
      msl::CompileOptions options;
      options.defines = {{"BASE", std::to_string(base)}};
      for (const uint8_t value : {5, 6}) {
        const Constants constants = {{0, "", {value, 0, 0, 0}}};
        Process process(place.file("c"));
        expect_run(process.run(source, "k", constants, options), base + value, is_second);
        expect_run(process.run(source, "twice", constants, options), base + 2 * value, is_second);
      }
    }
  }
}

TEST(PipelineCache, notices_a_changed_header) {
  const TemporaryFolder place;
  place.write("include/value.h", "#include \"deeper.h\"\n");
  place.write("include/deeper.h", "#define VALUE 1\n");
  place.write("first/other.h", "");
  const msl::Source source{place.file("k.metal"),
                           "#include \"value.h\"\n"
                           "kernel void k(device int* x) { x[0] = VALUE; }\n"};
  msl::CompileOptions options;
  options.include_folders = {place.file("first"), place.file("include")};
  const auto run = [&] { return Process(place.file("c")).run(source, "k", {}, options); };
  expect_run(run(), 1, false);
  expect_run(run(), 1, true);
  place.write("include/deeper.h", "#define VALUE 2\n");
  expect_run(run(), 2, false);
  expect_run(run(), 2, true);
  // The same code as at first: the library is compiled again, the kernel is there.
  place.write("include/deeper.h", "#define VALUE 1 // once more\n");
  expect_run(run(), 1, true);
  // A header that is found earlier hides the old one.
  place.write("first/value.h", "#define VALUE 3\n");
  expect_run(run(), 3, false);
  std::filesystem::remove(place.path() / "first/value.h");
  expect_run(run(), 1, true);
  std::filesystem::remove(place.path() / "include/value.h");
  EXPECT_FALSE(run());
}

TEST(PipelineCache, does_not_keep_what_tells_the_time) {
  const TemporaryFolder place;
  const msl::Source source{"k.metal",
                           "constant char now[] = __TIME__;\n"
                           "kernel void k(device int* x) { x[0] = now[2]; }\n"};
  for (int i = 0; i < 2; ++i) {
    Process process(place.file("c"));
    const auto library = process.pipelines.compile(source);
    ASSERT_TRUE(library) << library.error().message;
    EXPECT_FALSE((*library)->is_from_cache());
  }
}

TEST(PipelineCache, does_not_keep_failures) {
  const TemporaryFolder place;
  Process process(place.file("c"));
  for (int i = 0; i < 2; ++i) {
    const auto broken = process.run({"k.metal", "kernel void k( {}"});
    ASSERT_FALSE(broken);
    EXPECT_NE(broken.error().message.find("error:"), std::string::npos);
    const auto unknown = process.run(constant_source(1), "absent");
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().message, "[pipeline] no kernel 'absent'; the source has: k");
  }
}

TEST(PipelineCache, builds_again_what_is_missing_or_damaged) {
  const TemporaryFolder place;
  const std::string folder = place.file("c");
  expect_run(Process(folder).run(constant_source(7)), 7, false);
  for (const char* kind : {".kernel", ".bitcode", ".library"}) {
    for (const bool is_removed : {true, false}) {
      for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() != kind && entry.path().extension() != ".kernel") continue;
        if (is_removed) {
          std::filesystem::remove(entry.path());
        } else {
          std::filesystem::resize_file(entry.path(), 100);
        }
      }
      expect_run(Process(folder).run(constant_source(7)), 7, false);
      expect_run(Process(folder).run(constant_source(7)), 7, true);
    }
  }
}

TEST(PipelineCache, says_when_a_header_changed_under_a_library_in_use) {
  const TemporaryFolder place;
  place.write("value.h", "#define VALUE 1\n");
  const msl::Source source{
      place.file("k.metal"),
      "#include \"value.h\"\nkernel void k(device int* x) { x[0] = VALUE; }\n"};
  ASSERT_TRUE(Process(place.file("c")).pipelines.compile(source));
  Process process(place.file("c"));
  const auto library = process.pipelines.compile(source);
  ASSERT_TRUE(library && (*library)->is_from_cache());
  place.write("value.h", "#define VALUE 2\n");
  process.disk->clear(0);
  const auto kernel = process.pipelines.get(**library, "k");
  ASSERT_FALSE(kernel);
  EXPECT_NE(kernel.error().message.find("has changed since it was compiled"), std::string::npos);
  expect_run(process.run(source), 2, false);
}

TEST(PipelineCache, builds_once_for_all_threads) {
  const TemporaryFolder place;
  auto process = std::make_unique<Process>(place.file("c"));
  std::vector<LoadedKernelPtr> kernels(6);
  std::vector<std::thread> threads;
  for (LoadedKernelPtr& kernel : kernels) {
    threads.emplace_back([&] {
      const auto library = process->pipelines.compile(constant_source(3));
      if (library) kernel = *process->pipelines.get(**library, "k");
    });
  }
  for (std::thread& thread : threads) thread.join();
  ASSERT_TRUE(kernels[0]);
  for (const LoadedKernelPtr& kernel : kernels) EXPECT_EQ(kernel, kernels[0]);
  process.reset();  // its counts go to the folder
  EXPECT_EQ(KernelCache(place.file("c"), kLimitBytes).load_statistics().misses, 1u);
}

TEST(PipelineCache, works_where_nothing_can_be_stored) {
  const TemporaryFolder place;
  place.write("file", "");
  for (int i = 0; i < 2; ++i) {
    expect_run(Process(place.file("file")).run(constant_source(9)), 9, false);
  }
}

// Many processes build the same kernels in one folder that is emptied all the time. Each must get
// right results; what they find and what they build is chance.
bool run_all_kernels(const std::string& folder, int start) {
  constexpr int kSources = 4;
  constexpr int kKernels = 5;
  Process process(folder);
  for (int i = 0; i < kSources * kKernels; ++i) {
    const int number = (start + i) % (kSources * kKernels);
    std::string text;
    for (int k = 0; k < kKernels; ++k) {
      text += "kernel void k" + std::to_string(k) +
              "(device int* x) { x[0] = " + std::to_string(100 * (number / kKernels) + k) + "; }\n";
    }
    const auto run = process.run({"k.metal", text}, "k" + std::to_string(number % kKernels));
    if (!run || run->first != 100 * (number / kKernels) + number % kKernels) return false;
  }
  return true;
}

TEST(PipelineCache, serves_many_processes_while_one_clears_it) {
  const TemporaryFolder place;
  std::vector<pid_t> workers;
  for (int i = 0; i < 8; ++i) {
    const pid_t pid = ::fork();
    ASSERT_GE(pid, 0);
    if (pid == 0) {
      const bool is_good =
          run_all_kernels(place.file("c"), 3 * i) && run_all_kernels(place.file("c"), 5 * i);
      ::_exit(is_good ? 0 : 1);
    }
    workers.push_back(pid);
  }
  KernelCache cache(place.file("c"), kLimitBytes);
  uint64_t removed = 0;
  for (size_t running = workers.size(); running > 0;) {
    removed += cache.clear(0).count;
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    int status = 0;
    while (running > 0 && ::waitpid(-1, &status, WNOHANG) > 0) {
      --running;
      EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
    }
  }
  EXPECT_GT(removed, 0u);
  EXPECT_TRUE(run_all_kernels(place.file("c"), 0));
  for (const EntryFile& file : cache.folder().list()) {
    CacheFolder folder(place.file("c"), kLimitBytes);
    EXPECT_TRUE(folder.load(file.id));
  }
}

}  // namespace
}  // namespace assay::pipeline
