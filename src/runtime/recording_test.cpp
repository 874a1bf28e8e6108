#include "runtime/recording.h"

#include <gtest/gtest.h>

namespace assay::runtime {
namespace {

TEST(RecordingRequest, is_what_it_was_written_as) {
  const RecordingRequest request{123456789, 2.5, 0, "/tmp/a folder,with=signs"};
  const auto parsed = parse_recording_request(request.text());
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_EQ(parsed->begin_ns, 123456789U);
  EXPECT_EQ(parsed->limit_s, 2.5);
  EXPECT_EQ(parsed->ring_s, 0);
  EXPECT_EQ(parsed->folder, "/tmp/a folder,with=signs");
}

TEST(RecordingRequest, says_when_somebody_else_wrote_it) {
  for (const char* text :
       {"1", "begin=1,limit=0,ring=0", "begin=x,limit=0,ring=0,folder=/tmp",
        "begin=1,limit=-1,ring=0,folder=/tmp", "begin=1,limit=0,ring=0,folder="}) {
    const auto parsed = parse_recording_request(text);
    ASSERT_FALSE(parsed) << text;
    EXPECT_NE(parsed.error().message.find("for assay record to set"), std::string::npos);
  }
}

}  // namespace
}  // namespace assay::runtime
