// Values that only grow, and threads that wait for them.
#include "device/event.h"

#include <gtest/gtest.h>

#include <chrono>
#include <stop_token>
#include <thread>

namespace assay::device {
namespace {

using std::chrono::milliseconds;

TEST(Event, never_goes_back) {
  Event event;
  EXPECT_EQ(event.value(), 0U);
  event.signal(5);
  event.signal(3);
  EXPECT_EQ(event.value(), 5U);
  event.wait(4);
}

TEST(Event, releases_a_thread_that_waited_first) {
  Event event;
  std::thread waiter([&event] { event.wait(2); });
  event.signal(1);
  EXPECT_FALSE(event.wait_for(2, milliseconds(1)));
  event.signal(2);
  waiter.join();
  EXPECT_TRUE(event.wait_for(2, milliseconds(0)));
}

TEST(Event, stops_waiting_on_request) {
  Event event;
  std::stop_source stop;
  bool reached = true;
  std::thread waiter([&] { reached = event.wait(1, stop.get_token()); });
  stop.request_stop();
  waiter.join();
  EXPECT_FALSE(reached);
  event.signal(1);
  EXPECT_TRUE(event.wait(1, stop.get_token()));
}

}  // namespace
}  // namespace assay::device
