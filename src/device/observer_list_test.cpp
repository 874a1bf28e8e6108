#include "device/observer_list.h"

#include <gtest/gtest.h>

#include <memory>

namespace assay::device {
namespace {

class Silent final : public Observer {};

int count(ObserverList::View& view) {
  int heard = 0;
  view.notify([&](Observer&) { ++heard; });
  return heard;
}

TEST(ObserverList, views_follow_every_change) {
  ObserverList list;
  ObserverList::View view(list);
  EXPECT_EQ(count(view), 0);
  const auto first = std::make_shared<Silent>();
  list.add(first);
  EXPECT_EQ(count(view), 1);
  EXPECT_EQ(count(view), 1);
  list.add(std::make_shared<Silent>());
  EXPECT_EQ(count(view), 2);
  list.remove(first.get());
  EXPECT_EQ(count(view), 1);
}

TEST(ObserverList, views_keep_what_they_tell_alive) {
  ObserverList list;
  auto observer = std::make_shared<Silent>();
  const std::weak_ptr<Silent> watched = observer;
  list.add(std::move(observer));
  ObserverList::View view(list);
  view.notify([&](Observer& heard) {
    list.remove(&heard);
    EXPECT_FALSE(watched.expired());
  });
  EXPECT_EQ(count(view), 0);
  EXPECT_TRUE(watched.expired());
}

}  // namespace
}  // namespace assay::device
