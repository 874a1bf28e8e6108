#include "runtime/control_page.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

namespace assay::runtime {
namespace {

// The page of this very process, from both sides. The library has none of its own in this program.
struct BothSides {
  std::unique_ptr<ControlPage> program = *ControlPage::create();
  std::unique_ptr<ControlPage> tool = *ControlPage::open(::getpid());
};

TEST(ControlPage, hands_a_request_over) {
  const BothSides sides;
  EXPECT_EQ(sides.program->state(), ControlState::kIdle);
  ASSERT_TRUE(sides.tool->set_request(::getpid(), "something"));
  ASSERT_TRUE(sides.tool->change(ControlState::kIdle, ControlState::kAsked));
  EXPECT_EQ(sides.program->request(), "something");
  EXPECT_TRUE(sides.program->change(ControlState::kAsked, ControlState::kRecording));
  EXPECT_FALSE(sides.tool->change(ControlState::kAsked, ControlState::kIdle)) << "too late";
  sides.program->set_message("why");
  EXPECT_EQ(sides.tool->message(), "why");
}

TEST(ControlPage, requests_are_for_one_process) {
  const BothSides sides;
  ASSERT_TRUE(sides.tool->set_request(::getpid() + 1, "something"));
  EXPECT_EQ(sides.program->request(), "");
}

TEST(ControlPage, refuses_texts_that_do_not_fit) {
  const BothSides sides;
  EXPECT_FALSE(sides.tool->set_request(::getpid(), std::string(5000, 'x')));
  sides.program->set_message(std::string(5000, 'x'));
  EXPECT_LT(sides.tool->message().size(), 1000U) << "messages end where the page does";
}

TEST(ControlPage, has_one_tool_at_a_time) {
  BothSides sides;
  EXPECT_TRUE(sides.program->has_tool());
  const auto second = ControlPage::open(::getpid());
  ASSERT_FALSE(second);
  EXPECT_NE(second.error().message.find("is being recorded by another"), std::string::npos);
  sides.tool.reset();
  EXPECT_FALSE(sides.program->has_tool());
  EXPECT_TRUE(ControlPage::open(::getpid()));
}

TEST(ControlPage, wakes_who_waits_for_a_change) {
  const BothSides sides;
  const auto begin = std::chrono::steady_clock::now();
  std::thread waiting(
      [&] { sides.program->wait_while(ControlState::kIdle, std::chrono::seconds(60)); });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  sides.tool->change(ControlState::kIdle, ControlState::kAsked);
  waiting.join();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
  sides.program->wait_while(ControlState::kIdle, std::chrono::seconds(60));  // is another already
}

TEST(ControlPage, says_why_a_process_has_none) {
  const auto here = ControlPage::open(::getpid());
  ASSERT_FALSE(here);
  EXPECT_NE(here.error().message.find("does not use assay"), std::string::npos);
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  ::waitpid(child, nullptr, 0);
  const auto gone = ControlPage::open(child);
  ASSERT_FALSE(gone);
  EXPECT_NE(gone.error().message.find("there is no process"), std::string::npos);
}

}  // namespace
}  // namespace assay::runtime
