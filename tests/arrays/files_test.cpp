// Arrays written and read again.
#include <assay/assay.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/arrays/reference.h"

namespace mx = assay;
using reference::values_of;

namespace {

class Files : public ::testing::Test {
 protected:
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("assay_files_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

 private:
  std::filesystem::path folder_;
};

TEST_F(Files, npy_keeps_values_of_views) {
  const mx::array a = mx::transpose(mx::reshape(mx::arange(0, 35), {5, 7}));
  mx::save(path("a"), a);
  const mx::array b = mx::load(path("a.npy"));
  EXPECT_EQ(b.dtype(), mx::int32);
  EXPECT_EQ(b.shape(), a.shape());
  EXPECT_EQ(values_of(b), values_of(a));
  EXPECT_THROW(mx::load(path("missing.npy")), std::runtime_error);
}

TEST_F(Files, safetensors_keeps_names_types_and_metadata) {
  const mx::array a = mx::astype(mx::arange(0, 7), mx::bfloat16);
  mx::save_safetensors(path("m"), {{"a", a}, {"empty", mx::zeros({0, 3})}, {"s", mx::array(2.5f)}},
                       {{"who", "me"}});
  const auto [arrays, metadata] = mx::load_safetensors(path("m.safetensors"));
  EXPECT_EQ(arrays.at("a").dtype(), mx::bfloat16);
  EXPECT_EQ(values_of(arrays.at("a")), values_of(a));
  EXPECT_EQ(arrays.at("empty").shape(), (mx::Shape{0, 3}));
  EXPECT_EQ(values_of(arrays.at("s")), std::vector<double>{2.5});
  EXPECT_EQ(metadata.at("who"), "me");
}

TEST_F(Files, damaged_safetensors_are_errors) {
  auto load_text = [&](uint64_t length, const std::string& text) {
    std::ofstream file(path("x.safetensors"), std::ios::binary);
    file.write(reinterpret_cast<const char*>(&length), sizeof length);
    file << text;
    file.close();
    mx::load_safetensors(path("x.safetensors"));
  };
  const std::string entry = R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})";
  EXPECT_THROW(load_text(1000, entry), std::runtime_error);
  EXPECT_THROW(load_text(entry.size(), entry), std::runtime_error);
  EXPECT_THROW(load_text(2, "[]"), std::runtime_error);
  EXPECT_THROW(load_text(3, "{\"a"), std::runtime_error);
  EXPECT_NO_THROW(load_text(entry.size(), entry + "12345678"));
}

TEST(Memory, counts_what_arrays_hold) {
  mx::clear_cache();
  const size_t before = mx::get_active_memory();
  {
    mx::array a = mx::ones({1 << 20});
    a.eval();
    EXPECT_GE(mx::get_active_memory(), before + (4u << 20));
  }
  EXPECT_LT(mx::get_active_memory(), before + (4u << 20));
  mx::reset_peak_memory();
  EXPECT_EQ(mx::get_peak_memory(), 0u);
  const size_t limit = mx::set_cache_limit(0);
  EXPECT_EQ(mx::get_cache_memory(), 0u);
  EXPECT_EQ(mx::set_cache_limit(limit), 0u);
}

}  // namespace
