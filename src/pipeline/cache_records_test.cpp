#include "pipeline/cache_records.h"

#include <gtest/gtest.h>

namespace assay::pipeline {
namespace {

kernel::KernelInfo sample_info() {
  kernel::Argument buffer;
  buffer.name = "x";
  buffer.slot = 3;
  buffer.type = "const device float*";
  buffer.access = kernel::Access::kRead;
  buffer.element_bytes = 4;
  buffer.present_if = "has_x";
  kernel::Argument position;
  position.kind = kernel::ArgumentKind::kThreadAttribute;
  position.attribute = kernel::ThreadAttribute::kQuadgroupsPerThreadgroup;
  position.components = 3;
  position.component_bytes = 2;
  kernel::KernelInfo info;
  info.name = "axpy";
  info.symbol = "_Z4axpy";
  info.file = "axpy.metal";
  info.line = 12;
  info.arguments = {buffer, position};
  info.max_total_threads_per_threadgroup = 256;
  info.static_threadgroup_bytes = 4096;
  info.function_constants = {"has_x"};
  return info;
}

TEST(CacheRecords, keep_every_field_of_an_image) {
  kernel::KernelImage image;
  image.form = kernel::ExecutionForm::kResumable;
  image.target_cpu = "x86-64-v3 +avx2";
  image.entry_symbol = "entry";
  image.object = {0x7f, 'E', 'L', 'F', 0};
  image.info = sample_info();
  kernel::CheckTable table;
  table.sites = {{.kind = kernel::SiteKind::kStore,
                  .place = {"axpy.metal", 14, 3},
                  .callers = {{"axpy.metal", 20, 5}},
                  .memory = kernel::SiteMemory::kBuffer,
                  .slot = 3,
                  .object = "x",
                  .type = "float",
                  .bytes = 4,
                  .alignment = 4,
                  .is_update = true},
                 {.kind = kernel::SiteKind::kThreadgroupBarrier,
                  .orders_threadgroup = true,
                  .acquires = true}};
  image.checks = std::make_shared<const kernel::CheckTable>(table);
  const std::string payload = encode(image);
  const auto copy = decode_image(payload);
  ASSERT_TRUE(copy);
  EXPECT_EQ(copy->form, image.form);
  EXPECT_EQ(copy->target_cpu, image.target_cpu);
  EXPECT_EQ(copy->entry_symbol, "entry");
  EXPECT_EQ(copy->object, image.object);
  EXPECT_EQ(copy->info.name, "axpy");
  EXPECT_EQ(copy->info.line, 12u);
  EXPECT_EQ(copy->info.static_threadgroup_bytes, 4096u);
  EXPECT_EQ(copy->info.function_constants, image.info.function_constants);
  ASSERT_EQ(copy->info.arguments.size(), 2u);
  EXPECT_EQ(copy->info.arguments[0].present_if, "has_x");
  EXPECT_EQ(copy->info.arguments[0].access, kernel::Access::kRead);
  EXPECT_EQ(copy->info.arguments[1].attribute, kernel::ThreadAttribute::kQuadgroupsPerThreadgroup);
  EXPECT_EQ(copy->info.arguments[1].component_bytes, 2u);
  ASSERT_TRUE(copy->checks);
  ASSERT_EQ(copy->checks->sites.size(), 2u);
  EXPECT_EQ(copy->checks->sites[0].place.line, 14u);
  EXPECT_EQ(copy->checks->sites[0].callers.at(0).column, 5u);
  EXPECT_TRUE(copy->checks->sites[0].is_update);
  EXPECT_TRUE(copy->checks->sites[1].orders_threadgroup);
  EXPECT_EQ(encode(*copy), payload);
  for (size_t size = 0; size < payload.size(); ++size) {
    EXPECT_FALSE(decode_image(std::string_view(payload).substr(0, size))) << size;
  }
}

TEST(CacheRecords, keep_every_field_of_a_reflection) {
  msl::Reflection reflection;
  reflection.kernels = {sample_info(), sample_info()};
  reflection.function_constants = {{"has_x", 7, "bool", "c7", "d7", 1}};
  const std::string payload = encode(reflection);
  const auto copy = decode_reflection(payload);
  ASSERT_TRUE(copy);
  EXPECT_EQ(copy->kernels.at(1).arguments.at(0).type, "const device float*");
  EXPECT_EQ(copy->function_constants.at(0).index, 7u);
  EXPECT_EQ(encode(*copy), payload);
}

TEST(CacheRecords, keep_every_field_of_a_library) {
  LibraryRecord record;
  record.content = {.low = 5, .high = 6};
  record.function_constants = {{"has_x", 7, "bool", "c7", "d7", 1}};
  record.reflection = "as it was";
  msl::Diagnostic note;
  note.severity = msl::Severity::kNote;
  note.message = "here";
  msl::Diagnostic warning;
  warning.severity = msl::Severity::kWarning;
  warning.line = 4;
  warning.message = "careful";
  warning.notes = {note};
  record.diagnostics = {warning};
  record.files = {{"a.h", msl::FileUse::Kind::kRead, {.low = 8, .high = 9}}};
  const std::string payload = encode(record);
  const auto copy = decode_library(payload);
  ASSERT_TRUE(copy);
  EXPECT_EQ(copy->content, record.content);
  EXPECT_EQ(copy->function_constants.at(0).defined_symbol, "d7");
  EXPECT_EQ(copy->reflection, "as it was");
  EXPECT_EQ(msl::render(copy->diagnostics), msl::render(record.diagnostics));
  EXPECT_EQ(copy->files.at(0).path, "a.h");
  EXPECT_EQ(copy->files.at(0).content.high, 9u);
  EXPECT_EQ(encode(*copy), payload);
  for (size_t size = 0; size < payload.size(); ++size) {
    EXPECT_FALSE(decode_library(std::string_view(payload).substr(0, size))) << size;
  }
}

}  // namespace
}  // namespace assay::pipeline
