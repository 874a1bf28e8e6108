// Captures through the public headers: scopes, and the one that the environment asks for.
#include <assay/assay.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace assay {
namespace {

namespace fs = std::filesystem;

class Capture : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "assay_capture_XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
    ::setenv("MTL_CAPTURE_ENABLED", "1", 1);
    ::unsetenv("METAL_CAPTURE_ENABLED");
    ::unsetenv("MLX_METAL_CAPTURE");
    metal::reset_capture_consumed_for_test();
  }
  void TearDown() override {
    ::unsetenv("MLX_METAL_CAPTURE");
    ::unsetenv("MTL_CAPTURE_ENABLED");
    fs::remove_all(folder_);
  }

  static void work() { eval(add(ones({7, 3}), array(2.0F))); }
  std::string path(const char* name = "a.gputrace") const { return (folder_ / name).string(); }
  // What a call writes to stderr.
  template <typename Call>
  static std::string stderr_of(const Call& call) {
    ::testing::internal::CaptureStderr();
    call();
    return ::testing::internal::GetCapturedStderr();
  }

  fs::path folder_;
};

TEST_F(Capture, a_scope_writes_one_file) {
  {
    const metal::CaptureScope scope(path());
    work();
  }
  EXPECT_GT(fs::file_size(path()), 1000U);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 1);
  EXPECT_THROW(metal::stop_capture(), std::runtime_error) << "the scope has stopped it";
}

TEST_F(Capture, errors_leave_the_program_able_to_go_on) {
  EXPECT_THROW(metal::start_capture(""), std::runtime_error);
  EXPECT_THROW(metal::start_capture(path("no/folder")), std::runtime_error);
  metal::start_capture(path());
  EXPECT_THROW(metal::start_capture(path("b")), std::runtime_error);
  work();
  metal::stop_capture();
  EXPECT_THROW(metal::start_capture(path()), std::runtime_error) << "nothing is overwritten";
  metal::start_capture(path("b"));
  work();
  metal::stop_capture();
}

TEST_F(Capture, an_empty_capture_says_why) {
  const std::string text = stderr_of([&] {
    metal::start_capture(path());
    metal::stop_capture();
  });
  EXPECT_NE(text.find("is empty: nothing was submitted between start and stop"), std::string::npos);
}

TEST_F(Capture, the_environment_asks_for_nothing) {
  EXPECT_FALSE(metal::MetalCapture::from_env());
  ::setenv("MLX_METAL_CAPTURE", "", 1);
  EXPECT_FALSE(metal::MetalCapture::from_env());
  EXPECT_EQ(stderr_of([] { metal::MetalCapture::from_env(); }), "");
}

TEST_F(Capture, the_environment_has_one_turn) {
  ::setenv("MLX_METAL_CAPTURE", path().c_str(), 1);
  std::optional<metal::MetalCapture> capture = metal::MetalCapture::from_env(Device::gpu);
  ASSERT_TRUE(capture);
  EXPECT_EQ(capture->path(), path());
  EXPECT_FALSE(metal::MetalCapture::from_env()) << "a second one";
  const std::string text = stderr_of([&] {
    capture->end();
    EXPECT_FALSE(capture->is_capturing()) << "an end without a begin";
    capture->begin();
    capture->begin();
    EXPECT_TRUE(capture->is_capturing());
    work();
    capture->end();
    capture->end();
    capture->begin();
    EXPECT_FALSE(capture->is_capturing()) << "it is over";
  });
  EXPECT_NE(text.find("captured"), std::string::npos);
  EXPECT_TRUE(fs::exists(path()));
  metal::reset_capture_consumed_for_test();
  EXPECT_NE(stderr_of([] { EXPECT_FALSE(metal::MetalCapture::from_env()); }).find("already exists"),
            std::string::npos);
}

TEST_F(Capture, its_destructor_flushes) {
  ::setenv("MLX_METAL_CAPTURE", path().c_str(), 1);
  stderr_of([&] {
    std::optional<metal::MetalCapture> capture = metal::MetalCapture::from_env();
    ASSERT_TRUE(capture);
    capture->begin();
    work();
    metal::MetalCapture moved = std::move(*capture);
    EXPECT_TRUE(moved.is_capturing());
    EXPECT_FALSE(capture->is_capturing());
  });
  metal::start_capture(path("b"));  // nothing runs any more
  metal::stop_capture();
}

TEST_F(Capture, failures_are_warnings) {
  ::setenv("MLX_METAL_CAPTURE", path().c_str(), 1);
  ::unsetenv("MTL_CAPTURE_ENABLED");
  EXPECT_NE(stderr_of([] {
              EXPECT_FALSE(metal::MetalCapture::from_env());
            }).find("set MTL_CAPTURE_ENABLED=1"),
            std::string::npos);
  ::setenv("METAL_CAPTURE_ENABLED", "1", 1);
  EXPECT_EQ(stderr_of([] { EXPECT_FALSE(metal::MetalCapture::from_env()); }), "") << "said once";
  metal::reset_capture_consumed_for_test();
  std::optional<metal::MetalCapture> capture = metal::MetalCapture::from_env();
  ASSERT_TRUE(capture);
  metal::start_capture(path("b"));
  EXPECT_NE(stderr_of([&] { capture->begin(); }).find("already running"), std::string::npos);
  EXPECT_FALSE(capture->is_capturing());
  metal::stop_capture();
}

}  // namespace
}  // namespace assay
