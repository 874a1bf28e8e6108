// Documents that somebody or something has changed: an error or a report, never a crash.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "replay/command_scan.h"
#include "replay/testing/captured_program.h"

namespace assay::replay {
namespace {

using device::Bindings;
using testing::CapturedProgram;
using testing::change;
using testing::expect;
using testing::replay_error;

// Every kind of command, with sizes that kernels check themselves.
std::string capture_everything(CapturedProgram& program) {
  const auto kernel = program.kernel(
      "kernel void k(device const float* x, device float* y, constant uint& n,\n"
      "              threadgroup float* t [[threadgroup(0)]],\n"
      "              uint i [[thread_position_in_grid]], uint l [[thread_index_in_threadgroup]]) "
      "{\n"
      "  t[l % 32] = 1;\n"
      "  if (i < n) y[i] = 2 * x[i];\n"
      "}\n");
  std::vector<float> values(91, 1.5F);
  const auto x = program.buffer(values, "x"), y = program.buffer(values, "y"),
             z = program.buffer(values, "z");
  const auto event = program.device().create_event();
  auto commands = program.queue().command_buffer("all");
  kernel::ArrayDescription array{.slot = 1, .name = "y", .dtype = "float32", .shape = {7, 13}};
  array.strides = {13, 1};
  array.high = 91 * 4;
  program.dispatch(*commands, kernel,
                   Bindings().buffer(0, x).buffer(1, y).value(2, 91U).threadgroup_memory(0, 128),
                   91, {"Scale", "a.py:1", {array}});
  expect(commands->fill(z, 4, 8, 7));
  expect(commands->copy({.source = y, .target = z, .target_offset = 40, .bytes = 60}));
  device::MatrixProductCommand product;
  product.product = {
      .m = 3, .n = 5, .k = 4, .a = {false, 4}, .b = {false, 5}, .products = {{0, 0}}};
  product.a = {x, 0};
  product.b = {y, 0};
  product.c = {z, 16};
  expect(commands->matrix_product(product));
  expect(commands->signal(event, 1));
  expect(commands->wait(event, 1));
  program.queue().submit(std::move(commands));
  expect(program.queue().wait());
  return program.finish();
}

std::vector<char> read_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_bytes(const std::string& path, const std::vector<char>& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

TEST(DamagedDocument, names_the_row_that_is_wrong) {
  CapturedProgram program;
  const std::string path = capture_everything(program);
  const std::string copy = program.file("copy");
  struct Case {
    const char* change;
    const char* error;
  };
  const Case kCases[] = {
      {"UPDATE commands SET kernel=99 WHERE kind=0",
       "table 'commands', row with id 1: kernel 99 is not in the document"},
      {"UPDATE commands SET kernel=NULL WHERE kind=0",
       "table 'commands', row with id 1: it has no kernel"},
      {"UPDATE commands SET launch=-1 WHERE kind=0", "row with id 1: 'launch' is -1"},
      {"UPDATE commands SET kind=6 WHERE id=2", "row with id 2: 'kind' is 6"},
      {"UPDATE commands SET value=256 WHERE kind=1", "row with id 2: 'value' is no byte"},
      {"UPDATE commands SET label='text' WHERE id=3", "row with id 3: 'label' is no number"},
      {"UPDATE commands SET kind=2 WHERE id=4", "command 4 has not the bindings"},
      {"UPDATE commands SET command_buffer=0", "command buffer 0 is not in the document"},
      {"DELETE FROM commands WHERE id=4", "row for command 4, which is not in the document"},
      {"DELETE FROM bindings WHERE command=3 AND slot=0", "command 3 has not the bindings"},
      {"DELETE FROM bindings WHERE command=1 AND slot=0 AND kind=0",
       "command 1: [dispatch] kernel 'k': argument 'x'"},
      {"UPDATE bindings SET buffer=77 WHERE command=2",
       "buffer 77 is not in the document (slot 1)"},
      {"UPDATE bindings SET start=361 WHERE command=2", "8 bytes from 361 on do not fit buffer"},
      {"UPDATE bindings SET start=4, bytes=9223372036854775807 WHERE command=2", "do not fit"},
      {"UPDATE bindings SET range_end=365 WHERE command=1 AND slot=1", "does not fit buffer"},
      {"UPDATE bindings SET range_begin=12, range_end=8 WHERE command=2", "does not fit buffer"},
      {"UPDATE bindings SET slot=64 WHERE command=1 AND slot=1", "there is no such slot"},
      {"UPDATE bindings SET start=8 WHERE command=1 AND slot=1", "do not fit"},
      {"UPDATE bindings SET bytes=8 WHERE command=1 AND slot=1", "do not end with the buffer"},
      {"UPDATE bindings SET result=NULL WHERE command=1 AND slot=1", "it has no result"},
      {"UPDATE bindings SET result=x'0011' WHERE command=1 AND slot=1", "is no hash of 16 bytes"},
      {"UPDATE bindings SET bytes=5 WHERE kind=1", "has not its 5 bytes"},
      {"UPDATE bindings SET bytes=100000 WHERE kind=2", "over the limit"},
      {"UPDATE bindings SET bytes=24 WHERE command=4 AND slot=2", "are not those of its result"},
      {"UPDATE launches SET grid_x=-5", "table 'launches', row with id 1: 'grid_x' is -5"},
      {"UPDATE launches SET group_x=0", "threadgroup size (0, 1, 1) has a zero"},
      {"UPDATE launches SET group_x=100000", "over the maximum"},
      {"UPDATE kernels SET options='{'", "'options': is no JSON object"},
      {"UPDATE kernels SET options='{\"math_mode\":9}'", "'options': 'math_mode' is no number"},
      {"UPDATE kernels SET reflection='[]'", "'reflection': is no JSON object"},
      {"UPDATE kernels SET name='other'", "no kernel 'other'"},
      {"UPDATE kernels SET source=NULL", "has no source"},
      {"UPDATE kernels SET source=1234", "content 1234 is not in the document"},
      {"UPDATE arrays SET shape='[7,\"a\"]'", "'shape': has an entry that is no number"},
      {"UPDATE arrays SET strides='[1]'", "have not the same length"},
      {"UPDATE arrays SET shape='[-1,3]'", "negative size"},
      {"UPDATE buffers SET first_content=NULL", "are missing"},
      {"UPDATE buffers SET bytes=bytes+1", "bytes, and the buffer"},
      {"UPDATE contents SET data=x'00', encoding=0", "does not give its"},
      {"UPDATE contents SET hash=x'00000000000000000000000000000000'", "does not have the hash"},
      {"UPDATE contents SET bytes=-1", "'bytes' is -1"},
      {"UPDATE texts SET text='{\"m\":0}' WHERE text LIKE '%leading%'",
       "table 'texts', row with id"},
      {"UPDATE texts SET text=replace(text, '\"leading\":4', '\"leading\":400000')",
       "does not lie inside"},
      {"DELETE FROM queues", "is not in the document"},
      {"DELETE FROM facts WHERE name='detail'", "does not say which detail"},
  };
  for (const Case& each : kCases) {
    std::filesystem::copy_file(path, copy, std::filesystem::copy_options::overwrite_existing);
    change(copy, each.change);
    const std::string error = replay_error(copy);
    EXPECT_NE(error.find(each.error), std::string::npos) << each.change << "\n" << error;
  }
  EXPECT_EQ(replay_error(path), "no error");
}

// Reads everything that a replay reads before it runs anything.
void read_all(const std::string& path) {
  const Result<trace::Document> document = trace::Document::open(path);
  if (!document) return;
  const Result<TraceTables> tables = load_tables(*document);
  if (!tables) return;
  (void)make_plan(*document, *tables, {2, 3});
}

TEST(DamagedDocument, is_read_without_a_crash_whatever_bytes_change) {
  CapturedProgram program;
  const std::vector<char> whole = read_bytes(capture_everything(program));
  const std::string copy = program.file("copy");
  std::mt19937 random(11);
  const auto pick = [&](size_t count) {
    return std::uniform_int_distribution<size_t>(0, count - 1)(random);
  };
  for (int i = 0; i < 3000; ++i) {
    std::vector<char> bytes = whole;
    const size_t changes = 1 + pick(4);
    for (size_t j = 0; j < changes; ++j) {
      bytes[pick(bytes.size())] ^= static_cast<char>(1 << pick(8));
    }
    if (i % 10 == 0) bytes.resize(pick(bytes.size()));
    write_bytes(copy, bytes);
    read_all(copy);
  }
}

TEST(DamagedDocument, is_replayed_without_a_crash_whatever_bytes_change) {
  CapturedProgram program;
  const std::vector<char> whole = read_bytes(capture_everything(program));
  const std::string copy = program.file("copy");
  device::cpu::CpuOptions options;
  options.threads = 2;
  options.kernel_time_limit = std::chrono::milliseconds(200);
  pipeline::PipelineCache pipelines(testing::take(device::cpu::CpuDevice::create(options)));
  std::mt19937 random(7);
  const auto pick = [&](size_t count) {
    return std::uniform_int_distribution<size_t>(0, count - 1)(random);
  };
  int reports = 0, errors = 0;
  for (int i = 0; i < 500; ++i) {
    std::vector<char> bytes = whole;
    bytes[pick(bytes.size())] ^= static_cast<char>(1 << pick(8));
    write_bytes(copy, bytes);
    const Result<trace::Document> document = trace::Document::open(copy);
    if (!document) continue;
    const Result<Report> report = replay(*document, pipelines, {});
    ++(report ? reports : errors);
    EXPECT_TRUE(report.ok() || !report.error().message.empty());
  }
  EXPECT_GT(reports, 0);
  EXPECT_GT(errors, 0);
}

}  // namespace
}  // namespace assay::replay
