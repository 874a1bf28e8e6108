// The observers of one device. Asking whether there are any is one relaxed load.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "device/observer.h"

namespace assay::device {

// Thread-safe; callbacks run without any lock, so they may add and remove observers. An observer
// that is removed while an event is delivered may still see that event.
class ObserverList {
  using Snapshot = std::shared_ptr<const std::vector<std::shared_ptr<Observer>>>;

 public:
  void add(std::shared_ptr<Observer> observer);
  void remove(const Observer* observer);

  bool empty() const { return !any_.load(std::memory_order_relaxed); }
  // The most that any of them needs.
  Interest interest() const { return interest_.load(std::memory_order_relaxed); }

  // Calls `event(Observer&)` for each. Callers test empty() first, before they describe the event.
  template <typename Event>
  void notify(const Event& event) const {
    View(*this).notify(event);
  }

  // For one thread that has many events to tell: takes a lock only where the list has changed.
  // Observers live at least as long as the views that have seen them.
  class View {
   public:
    explicit View(const ObserverList& list) : list_(list) {}

    template <typename Event>
    void notify(const Event& event) {
      if (version_ != list_.version_.load(std::memory_order_acquire)) refresh();
      if (observers_ == nullptr) return;
      for (const std::shared_ptr<Observer>& observer : *observers_) event(*observer);
    }

   private:
    void refresh();

    const ObserverList& list_;
    uint64_t version_ = 0;
    Snapshot observers_;
  };

 private:
  void replace(std::vector<std::shared_ptr<Observer>> observers);

  std::atomic<bool> any_ = false;
  std::atomic<uint64_t> version_ = 0;  // counts changes, under mutex_
  std::atomic<Interest> interest_ = Interest::kTimes;
  mutable std::mutex mutex_;
  Snapshot observers_;
};

}  // namespace assay::device
