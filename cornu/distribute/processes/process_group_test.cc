#include "cornu/distribute/processes/process_group.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cornu/distribute/processes/thread_transport_test_support.h"

// Collectives among threads that stand for processes.
namespace cornu::inline v0::distribute {
namespace {

std::vector<float> numbers(int rank, std::size_t count) {
  std::vector<float> values(count);
  std::uint32_t bits = static_cast<std::uint32_t>(rank) * 40503u + 1;
  for (std::size_t i = 0; i < count; ++i) {
    bits = bits * 1664525u + 1013904223u;
    values[i] = static_cast<float>(static_cast<std::int32_t>(bits)) * static_cast<float>(1u << (i % 20));
  }
  return values;
}

std::vector<float> added(const std::vector<float>& a, const std::vector<float>& b) {
  std::vector<float> sum(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) sum[i] = a[i] + b[i];
  return sum;
}

TEST(ProcessGroupTest, SumsAreBalancedTreesAtAnyCountAndSize) {
  for (const int count : {1, 2, 3, 4, 8})
    for (const std::size_t size :
         {std::size_t{1}, std::size_t{17}, std::size_t{4096}, std::size_t{4097}, std::size_t{600'001}}) {
      SCOPED_TRACE(std::to_string(count) + " of " + std::to_string(size));
      std::vector<std::vector<float>> parts;
      for (int rank = 0; rank < count; ++rank) parts.push_back(numbers(rank, size));
      while (parts.size() > 1) {
        std::vector<std::vector<float>> sums;
        for (std::size_t i = 0; i < parts.size(); i += 2)
          sums.push_back(i + 1 < parts.size() ? added(parts[i], parts[i + 1]) : parts[i]);
        parts = std::move(sums);
      }
      on_threads(count, [&](ProcessGroup& group) {
        std::vector<float> values = numbers(group.rank(), size);
        group.all_reduce(ir::DType::kF32, std::as_writable_bytes(std::span(values)));
        EXPECT_TRUE(values == parts[0]) << "rank " << group.rank();
      });
    }
}

TEST(ProcessGroupTest, ManyCollectivesFollowEachOther) {
  on_threads(3, [](ProcessGroup& group) {
    for (std::int64_t i = 0; i < 200; ++i) {
      EXPECT_EQ(group.broadcast(group.rank() + i), i);
      std::vector<std::int32_t> values(static_cast<std::size_t>(i) * 50, group.rank() + 1);
      group.all_reduce(ir::DType::kI32, std::as_writable_bytes(std::span(values)));
      EXPECT_EQ(values, std::vector<std::int32_t>(values.size(), 6));
    }
    std::vector<std::byte> bytes(group.is_chief() ? 12'345 : 0, std::byte{7});
    group.broadcast(bytes);
    EXPECT_EQ(bytes, std::vector<std::byte>(12'345, std::byte{7}));
  });
}

TEST(ProcessGroupTest, SumsThatWereBegunKeepTheirOrderAmongTheOthers) {
  on_threads(3, [](ProcessGroup& group) {
    for (std::int32_t i = 1; i <= 50; ++i) {
      std::vector<std::vector<std::int32_t>> values;
      std::vector<std::int64_t> begun;
      for (const std::size_t size :
           {std::size_t{10}, std::size_t{9000}, std::size_t{300'000} / static_cast<std::size_t>(i)})
        values.emplace_back(size, (group.rank() + 1) * i);
      for (std::vector<std::int32_t>& each : values)
        begun.push_back(group.start_all_reduce(ir::DType::kI32, std::as_writable_bytes(std::span(each))));
      EXPECT_EQ(group.broadcast(group.rank() + i), i);  // behind all three
      for (std::size_t k = 0; k < values.size(); ++k) {
        group.finish_all_reduce(begun[k]);
        EXPECT_EQ(values[k], std::vector<std::int32_t>(values[k].size(), 6 * i));
      }
    }
    const runtime::ProcessCounts counts = group.counts();
    EXPECT_EQ(counts.calls, 200);
    EXPECT_GT(counts.sent_bytes, 50 * 2 * 9000 * 4 * 2 / 3.0);
    EXPECT_GT(counts.seconds, 0);
  });
}

TEST(ProcessGroupTest, TheThreadOfBegunSumsTakesNoSignals) {
  struct sigaction does_nothing = {}, action_before = {};
  does_nothing.sa_handler = [](int) {};
  ASSERT_EQ(sigaction(SIGUSR1, &does_nothing, &action_before), 0);
  sigset_t signals, mask_before;
  sigemptyset(&signals);
  sigaddset(&signals, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &signals, &mask_before);
  on_threads(2, [&](ProcessGroup& group) {
    pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);  // the thread of the group would inherit the mask
    std::vector<float> values(3, 1);
    group.finish_all_reduce(
        group.start_all_reduce(ir::DType::kF32, std::as_writable_bytes(std::span(values))));
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    group.broadcast(0);
    if (group.rank() == 0) {
      kill(getpid(), SIGUSR1);
      const timespec patience{.tv_sec = 5, .tv_nsec = 0};
      EXPECT_EQ(sigtimedwait(&signals, nullptr, &patience), SIGUSR1);
    }
    group.broadcast(0);
  });
  pthread_sigmask(SIG_SETMASK, &mask_before, nullptr);
  sigaction(SIGUSR1, &action_before, nullptr);
}

TEST(ProcessGroupTest, ASumThatWasBegunFailsWhereItIsFinished) {
  Mail mail;
  mail.gone = 1;
  ProcessGroup group(std::make_unique<ThreadTransport>(mail, 0, 2));
  std::vector<float> values(100'000, 1);
  const std::int64_t begun =
      group.start_all_reduce(ir::DType::kF32, std::as_writable_bytes(std::span(values)));
  for (int i = 0; i < 2; ++i) try {
      group.finish_all_reduce(begun);
      ADD_FAILURE() << "the other is gone";
    } catch (const Error& error) {
      EXPECT_STREQ(error.what(), "rank 1 is gone");
    }
  EXPECT_THROW(group.broadcast(1), Error);
}

TEST(ProcessGroupTest, WhatHasFailedFailsEverAfter) {
  Mail mail;
  mail.gone = 1;
  ProcessGroup group(std::make_unique<ThreadTransport>(mail, 0, 2));
  for (int i = 0; i < 2; ++i) try {
      group.broadcast(1);
      ADD_FAILURE() << "the other is gone";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kUnavailable);
      EXPECT_STREQ(error.what(), "rank 1 is gone");
      mail.gone = -1;  // the transport would wait now
    }
}

TEST(ProcessGroupTest, AllSayWhatTwoDoDifferently) {
  on_threads(3, [](ProcessGroup& group) {
    const auto message_of = [](const auto& call) {
      try {
        call();
      } catch (const Error& error) {
        return std::string(error.what());
      }
      return std::string("none");
    };
    const std::string steps = message_of(
        [&] { group.agree({.program = "step", .fingerprint = 1, .num_steps = group.rank() == 2 ? 5 : 4}); });
    EXPECT_NE(
        steps.find(
            "rank 0 \"step\" (0000000000000001) for 4 steps, rank 2 \"step\" (0000000000000001) for 5 steps"),
        std::string::npos)
        << steps;
    const std::string seeds = message_of([&] { group.require_same("a seed", group.rank() == 1 ? 7 : 8); });
    EXPECT_NE(seeds.find("rank 1 and rank 0 differ in a seed"), std::string::npos) << seeds;
    EXPECT_TRUE(
        group.agree({.program = "step", .fingerprint = 1, .num_steps = 1, .stop = group.rank() == 2}));
    EXPECT_FALSE(group.agree({.program = "step", .fingerprint = 1, .num_steps = 1}));
  });
}

/// One process whose bytes must stay on its own connections.
class ClosedTransport final : public Transport {
 public:
  int rank() const override { return 0; }
  int size() const override { return 1; }
  std::string name() const override { return "closed"; }
  bool may_open_sockets() const override { return false; }
  void exchange(std::span<const Outgoing>, std::span<const Incoming>, const ExchangeOptions&) override {}
};

TEST(ProcessGroupTest, OpensNoStoreWhereSocketsAreNotAllowed) {
  ProcessGroup group(std::make_shared<ClosedTransport>());
  try {
    group.open_store();
    ADD_FAILURE() << "opened";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUnimplemented);
    EXPECT_TRUE(std::string(error.what()).starts_with("[closed] this group has no rendezvous store"))
        << error.what();
  }
}

}  // namespace
}  // namespace cornu::inline v0::distribute
