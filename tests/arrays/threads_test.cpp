// Many threads at once: graphs on shared inputs, evaluation of shared arrays, compiled functions,
// custom kernels, streams. ThreadSanitizer runs this too.
#include <assay/assay.h>
#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <cmath>
#include <functional>
#include <string>
#include <thread>

#include "tests/arrays/reference.h"

namespace mx = assay;
using reference::make;
using reference::numbers;
using reference::values_of;

namespace {

using Arrays = std::vector<mx::array>;

constexpr int kThreads = 4;

// Runs `work` on many threads, which wait for each other at every call of the barrier they get.
void run_together(const std::function<void(int, std::barrier<>&)>& work) {
  std::barrier<> together(kThreads);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] { work(t, together); });
  }
  for (std::thread& thread : threads) thread.join();
}

mx::array run_custom(const mx::fast::CustomKernelFunction& kernel, const mx::array& in,
                     mx::StreamOrDevice where = {}) {
  return kernel({in}, {in.shape()}, {mx::float32}, {static_cast<int>(in.size()), 1, 1}, {32, 1, 1},
                {}, std::nullopt, false, where)[0];
}

TEST(Threads, have_random_keys_of_their_own) {
  mx::random::seed(3);
  const std::vector<double> first = values_of(mx::random::uniform({5}));
  const std::vector<double> second = values_of(mx::random::uniform({5}));
  mx::random::seed(3);
  EXPECT_EQ(values_of(mx::random::uniform({5})), first);
  run_together([&](int t, std::barrier<>&) {
    EXPECT_NE(values_of(mx::random::uniform({5})), second);
    mx::random::seed(static_cast<uint64_t>(t));
  });
  EXPECT_EQ(values_of(mx::random::uniform({5})), second);
}

TEST(Threads, share_streams_that_are_one_for_each) {
  const mx::ThreadLocalStream shared = mx::new_thread_local_stream(mx::Device::cpu);
  const mx::Stream mine = mx::stream_from_thread_local_stream(shared);
  EXPECT_EQ(mx::stream_from_thread_local_stream(shared), mine);
  run_together([&](int, std::barrier<>&) {
    EXPECT_NE(mx::stream_from_thread_local_stream(shared), mine);
    EXPECT_EQ(mx::sum(mx::ones({7}), shared).item<float>(), 7.0f);
    mx::synchronize(shared);
  });
}

TEST(Threads, evaluate_one_array_at_the_same_time) {
  constexpr int kRounds = 100;
  std::vector<mx::array> sums;
  for (int round = 0; round < kRounds; ++round) {
    sums.push_back(mx::sum(mx::square(mx::arange(0, 101 + round))));
  }
  std::atomic<int> wrong = 0;
  run_together([&](int t, std::barrier<>& together) {
    for (int round = 0; round < kRounds; ++round) {
      together.arrive_and_wait();
      // Different ways to the same values.
      mx::array sum = sums[round];
      if (t == 0) mx::eval(sum);
      if (t == 1) mx::async_eval(sum);
      const int n = 101 + round;
      if (sum.item<int>() != (n - 1) * n * (2 * n - 1) / 6) ++wrong;
      if (sum.has_primitive() || !sum.is_available()) ++wrong;
    }
  });
  EXPECT_EQ(wrong, 0);
}

TEST(Threads, see_an_array_become_available) {
  constexpr int kRounds = 50;
  std::vector<mx::array> values;
  for (int round = 0; round < kRounds; ++round) values.push_back(mx::arange(0, 5000) + round);
  std::atomic<int> wrong = 0;
  run_together([&](int t, std::barrier<>& together) {
    for (int round = 0; round < kRounds; ++round) {
      together.arrive_and_wait();
      mx::array value = values[round];
      if (t == 0) mx::async_eval(value);
      while (!value.is_available()) {
        if (!value.has_primitive()) value.wait();
        std::this_thread::yield();
      }
      if (value.data<int>()[4999] != 4999 + round) ++wrong;
    }
  });
  EXPECT_EQ(wrong, 0);
}

TEST(Threads, build_on_shared_inputs_on_their_own_streams) {
  const mx::array shared = mx::exp(make(numbers(1003), {1003}));  // not evaluated yet
  const mx::array rows = mx::reshape(mx::arange(0.0, 35.0), {5, 7});
  const std::vector<double> expected = values_of(mx::exp(make(numbers(1003), {1003})));
  std::atomic<int> wrong = 0;
  run_together([&](int t, std::barrier<>& together) {
    const mx::Stream first = mx::new_stream(mx::Device::gpu);
    const mx::Stream second = mx::new_stream(mx::Device::gpu);
    together.arrive_and_wait();
    for (int round = 0; round < 20; ++round) {
      const mx::array doubled = mx::add(shared, shared, first);
      const mx::array moved = mx::add(doubled, mx::array(float(t)), second);
      const std::vector<double> got = values_of(moved);
      for (size_t i = 0; i < got.size(); ++i) {
        if (got[i] != static_cast<double>(float(2 * expected[i]) + float(t))) ++wrong;
      }
      // Views and products of memory that all threads read.
      const mx::array product = mx::matmul(rows, mx::transpose(rows, first), first);
      if (mx::trace(product, 0, 0, 1, mx::float32, second).item<float>() != 13685.0f) ++wrong;
    }
    mx::synchronize(first);
    mx::synchronize(second);
  });
  EXPECT_EQ(wrong, 0);
}

TEST(Threads, share_and_make_compiled_functions) {
  const auto function = [](const Arrays& in) {
    return Arrays{mx::square(in[0]) + in[1], mx::sum(in[0])};
  };
  const mx::ArrayFunction shared = mx::compile(function);
  std::atomic<int> wrong = 0;
  run_together([&](int t, std::barrier<>& together) {
    for (int round = 0; round < 20; ++round) {
      together.arrive_and_wait();
      // A signature that all threads meet for the first time now, and a function of this thread.
      const int size = 3 + round;
      const mx::array in = mx::arange(0, size);
      const Arrays got = shared({in, mx::array(t)});
      const mx::ArrayFunction own =
          mx::compile([t](const Arrays& x) { return Arrays{mx::abs(x[0]) * mx::array(t) + x[0]}; });
      const std::vector<double> squares = values_of(got[0]), scaled = values_of(own({in})[0]);
      for (int i = 0; i < size; ++i) {
        if (squares[i] != i * i + t || scaled[i] != i * t + i) ++wrong;
      }
      if (mx::array(got[1]).item<int>() != size * (size - 1) / 2) ++wrong;
    }
  });
  EXPECT_EQ(wrong, 0);
}

TEST(Threads, make_and_share_custom_kernels) {
  const mx::array in = mx::arange(0.0, 77.0) + mx::array(0.5f);
  const mx::fast::CustomKernelFunction shared =
      mx::fast::metal_kernel("shared_by_threads", {"x"}, {"out"},
                             "uint i = thread_position_in_grid.x; out[i] = x[i] * 2.0f;");
  std::atomic<int> wrong = 0;
  run_together([&](int t, std::barrier<>& together) {
    const mx::Stream stream = mx::new_stream(mx::Device::gpu);
    for (int round = 0; round < 3; ++round) {
      const int number = round * kThreads + t;
      const std::string body =
          "uint i = thread_position_in_grid.x; out[i] = x[i] + " + std::to_string(number) + ".0f;";
      const mx::fast::CustomKernelFunction own =
          mx::fast::metal_kernel("own_" + std::to_string(number), {"x"}, {"out"}, body);
      together.arrive_and_wait();
      const std::vector<double> twice = values_of(run_custom(shared, in, stream));
      const std::vector<double> added = values_of(run_custom(own, run_custom(shared, in), stream));
      for (int i = 0; i < 77; ++i) {
        if (twice[i] != 2 * i + 1 || added[i] != 2 * i + 1 + number) ++wrong;
      }
    }
  });
  EXPECT_EQ(wrong, 0);
}

TEST(Threads, do_not_notice_the_errors_of_others) {
  const mx::array in = mx::arange(0.0, 33.0);
  const mx::fast::CustomKernelFunction broken =
      mx::fast::metal_kernel("broken_in_threads", {"x"}, {"out"}, "out[0] = x[0] * nothing;");
  const mx::array failing = run_custom(broken, in);
  std::atomic<int> wrong = 0, caught = 0;
  run_together([&](int t, std::barrier<>& together) {
    together.arrive_and_wait();
    for (int round = 0; round < 3; ++round) {
      if (t % 2 == 0) {
        try {
          mx::eval(failing + in);
          ++wrong;
        } catch (const std::runtime_error&) {
          ++caught;
        }
      }
      if (mx::sum(in).item<float>() != 528.0f) ++wrong;
    }
  });
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(caught, 6);
}

TEST(Threads, drop_graphs_and_count_memory_while_others_evaluate) {
  const mx::array base = mx::arange(0, 256);
  std::atomic<int> wrong = 0;
  run_together([&](int t, std::barrier<>& together) {
    together.arrive_and_wait();
    for (int round = 0; round < 30; ++round) {
      mx::array chain = base + t;
      for (int i = 0; i < 20; ++i) chain = chain + 1;
      if (round % 3 == 0) mx::async_eval(chain);  // dropped before anybody waits
      if (round % 3 == 1 && mx::max(chain).item<int>() != 275 + t) ++wrong;
      const mx::array random = mx::random::uniform({17});
      if (mx::max(random).item<float>() >= 1.0f) ++wrong;
      if (mx::get_active_memory() > mx::get_peak_memory()) ++wrong;
      if (t == 0) mx::clear_cache();
      if (mx::get_streams().size() < 2) ++wrong;
    }
  });
  EXPECT_EQ(wrong, 0);
  mx::clear_streams();
  EXPECT_TRUE(mx::gpu::is_available());
}

}  // namespace
