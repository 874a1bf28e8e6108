// The observers of one device. Asking whether there are any is one relaxed load.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "device/observer.h"

namespace assay::device {

// Thread-safe; callbacks run without any lock, so they may add and remove observers. An observer
// that is removed while an event is delivered may still see that event.
class ObserverList {
 public:
  void add(std::shared_ptr<Observer> observer);
  void remove(const Observer* observer);

  bool empty() const { return !any_.load(std::memory_order_relaxed); }
  // The most that any of them needs.
  Interest interest() const { return interest_.load(std::memory_order_relaxed); }

  // Calls `event(Observer&)` for each. Callers test empty() first, before they describe the event.
  template <typename Event>
  void notify(const Event& event) const {
    const Snapshot observers = snapshot();
    if (observers == nullptr) return;
    for (const std::shared_ptr<Observer>& observer : *observers) event(*observer);
  }

 private:
  using Snapshot = std::shared_ptr<const std::vector<std::shared_ptr<Observer>>>;
  Snapshot snapshot() const;
  void replace(std::vector<std::shared_ptr<Observer>> observers);

  std::atomic<bool> any_ = false;
  std::atomic<Interest> interest_ = Interest::kTimes;
  mutable std::mutex mutex_;
  Snapshot observers_;
};

}  // namespace assay::device
