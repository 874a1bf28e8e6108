#include "base/settings.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <thread>

namespace assay::base {
namespace {

using Variables = std::map<std::string, std::string>;

Result<Settings> load(const Variables& variables) {
  return load_settings([&](const char* name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    if (found == variables.end()) return std::nullopt;
    return found->second;
  });
}

TEST(Settings, has_defaults_without_variables) {
  const Result<Settings> settings = load({});
  ASSERT_TRUE(settings);
  EXPECT_EQ(settings->threads, std::max(1u, std::thread::hardware_concurrency()));
  EXPECT_TRUE(settings->is_colour_allowed);
}

TEST(Settings, takes_thread_counts) {
  EXPECT_EQ(load({{"ASSAY_THREADS", "1"}})->threads, 1u);
  EXPECT_EQ(load({{"ASSAY_THREADS", "1024"}})->threads, 1024u);
  EXPECT_EQ(load({{"ASSAY_THREADS", ""}})->threads, load({})->threads);
}

TEST(Settings, refuses_thread_counts_that_make_no_sense) {
  for (const char* text : {"0", "-1", "1025", "4x", " 4", "many", "99999999999999999999"}) {
    const Result<Settings> settings = load({{"ASSAY_THREADS", text}});
    ASSERT_FALSE(settings) << text;
    EXPECT_EQ(settings.error().message, "ASSAY_THREADS is \"" + std::string(text) +
                                            "\"; set it to a number from 1 to 1024 or unset it");
  }
}

TEST(Settings, takes_kernel_timeouts_in_seconds) {
  EXPECT_FALSE(load({})->kernel_timeout_s.has_value());
  EXPECT_EQ(load({{"ASSAY_KERNEL_TIMEOUT", "0"}})->kernel_timeout_s, 0);
  EXPECT_EQ(load({{"ASSAY_DEBUG", "1"}})->kernel_timeout_s, 0);
  EXPECT_EQ(load({{"ASSAY_DEBUG", "1"}, {"ASSAY_KERNEL_TIMEOUT", "3"}})->kernel_timeout_s, 3);
  EXPECT_EQ(load({{"ASSAY_KERNEL_TIMEOUT", "2.5"}})->kernel_timeout_s, 2.5);
  for (const char* text : {"-1", "nan", "inf", "1e7", "5s", " 5", "soon"}) {
    const Result<Settings> settings = load({{"ASSAY_KERNEL_TIMEOUT", text}});
    ASSERT_FALSE(settings) << text;
    EXPECT_EQ(settings.error().message.find("ASSAY_KERNEL_TIMEOUT is \"" + std::string(text)), 0U);
  }
}

TEST(Settings, follows_no_color) {
  EXPECT_FALSE(load({{"NO_COLOR", "1"}})->is_colour_allowed);
  EXPECT_TRUE(load({{"NO_COLOR", ""}})->is_colour_allowed);
}

TEST(Settings, finds_the_place_of_the_cache) {
  const std::pair<Variables, std::string> cases[] = {
      {{}, ""},
      {{{"HOME", "/home/ann"}}, "/home/ann/.cache/assay"},
      {{{"HOME", "/home/ann"}, {"XDG_CACHE_HOME", "/caches"}}, "/caches/assay"},
      {{{"HOME", "/home/ann"}, {"XDG_CACHE_HOME", "caches"}}, "/home/ann/.cache/assay"},
      {{{"HOME", "/home/ann"}, {"XDG_CACHE_HOME", "/caches"}, {"ASSAY_CACHE_DIR", "/here"}},
       "/here"},
      {{{"HOME", ""}, {"ASSAY_CACHE_DIR", ""}}, ""},
  };
  for (const auto& [variables, folder] : cases) {
    EXPECT_EQ(load(variables)->cache_folder, folder);
  }
}

TEST(Settings, switches_the_cache_off) {
  EXPECT_TRUE(load({})->is_cache_on);
  EXPECT_TRUE(load({{"ASSAY_CACHE", "on"}})->is_cache_on);
  EXPECT_FALSE(load({{"ASSAY_CACHE", "off"}})->is_cache_on);
  EXPECT_EQ(load({{"ASSAY_CACHE", "no"}}).error().message,
            "ASSAY_CACHE is \"no\"; set it to on or off, or unset it");
}

TEST(Settings, takes_sizes_of_the_cache) {
  EXPECT_EQ(load({})->cache_limit_bytes, 512u << 20);
  EXPECT_EQ(load({{"ASSAY_CACHE_SIZE", "1048576"}})->cache_limit_bytes, 1u << 20);
  EXPECT_EQ(load({{"ASSAY_CACHE_SIZE", "2048K"}})->cache_limit_bytes, 2u << 20);
  EXPECT_EQ(load({{"ASSAY_CACHE_SIZE", "7M"}})->cache_limit_bytes, 7u << 20);
  EXPECT_EQ(load({{"ASSAY_CACHE_SIZE", "6G"}})->cache_limit_bytes, 6ULL << 30);
  for (const char* text : {"0", "1048575", "-1", "M", "1.5G", "5T", "99999999999G"}) {
    const Result<Settings> settings = load({{"ASSAY_CACHE_SIZE", text}});
    ASSERT_FALSE(settings) << text;
    EXPECT_TRUE(settings.error().message.starts_with("ASSAY_CACHE_SIZE is \"")) << text;
  }
}

TEST(Settings, reads_the_process_environment) {
  setenv("ASSAY_THREADS", "37", 1);
  const Result<Settings> settings = load_settings();
  unsetenv("ASSAY_THREADS");
  ASSERT_TRUE(settings);
  EXPECT_EQ(settings->threads, 37u);
}

TEST(Settings, describes_each_variable_it_reads_itself) {
  for (const SettingDescription& row : setting_descriptions()) {
    bool was_read = false;
    const Result<Settings> settings = load_settings([&](const char* name) {
      was_read |= row.variable == name;
      return std::optional<std::string>();
    });
    EXPECT_TRUE(settings && was_read) << row.variable;
  }
}

}  // namespace
}  // namespace assay::base
