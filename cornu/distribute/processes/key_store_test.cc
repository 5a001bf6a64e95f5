#include "cornu/distribute/processes/key_store.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "cornu/distribute/processes/thread_transport_test_support.h"

// Tests of keys that processes put and get; each process is a thread.
namespace cornu::inline v0::distribute {
namespace {

using std::chrono::milliseconds;

std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUnavailable);
    return error.what();
  }
  return "no error";
}

void expect_has(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

/// The error of check_peers(), as soon as it throws.
std::string loss_of(runtime::KeyValueStore& keys) {
  for (int i = 0; i < 100; ++i) {
    const std::string message = message_of([&] { keys.check_peers(); });
    if (message != "no error") return message;
    std::this_thread::sleep_for(milliseconds(50));
  }
  return "no error";
}

/// A barrier: all processes arrive before one continues.
void meet(ProcessGroup& group) { group.broadcast(0); }

TEST(KeyStoreTest, WhatOneHasPutAllGet) {
  for (const int count : {1, 2, 4})
    on_threads(count, [&](ProcessGroup& group) {
      const auto keys = group.open_store();
      const auto key_of = [](int rank) { return "topology/" + std::to_string(rank); };
      const std::string large(3'000'000, static_cast<char>('a' + group.rank()));
      keys->put(key_of(group.rank()), large);
      for (int rank = 0; rank < count; ++rank) {
        const std::string value = keys->get(key_of(rank), milliseconds(60'000));
        EXPECT_EQ(value.size(), large.size());
        EXPECT_EQ(value.front(), 'a' + rank);
      }
      EXPECT_EQ(keys->try_get("nobody"), std::nullopt);
      keys->put("zeros", std::string("\0\0", 2));
      EXPECT_EQ(keys->try_get("zeros"), std::string("\0\0", 2));
      keys->put("empty", "");
      EXPECT_EQ(keys->get("empty", milliseconds(0)), "");
      EXPECT_NO_THROW(keys->check_peers());
      meet(group);
    });
}

TEST(KeyStoreTest, WhoAsksBeforeWaitsWhateverThreadAndWhatElseIsAsked) {
  on_threads(3, [](ProcessGroup& group) {
    const auto keys = group.open_store();
    std::vector<std::thread> waiting;
    std::atomic<int> sum = 0;
    for (int i = 0; i < 4; ++i)
      waiting.emplace_back([&, i] {
        const auto timeout = i % 2 == 0 ? milliseconds(60'000) : milliseconds(-1);
        sum += std::stoi(keys->get("late/" + std::to_string(i), timeout));
      });
    keys->put("early/" + std::to_string(group.rank()), "x");
    meet(group);
    std::this_thread::sleep_for(milliseconds(50));
    if (group.rank() == 1)
      for (int i = 3; i >= 0; --i) keys->put("late/" + std::to_string(i), std::to_string(1 << i));
    for (std::thread& thread : waiting) thread.join();
    EXPECT_EQ(sum, 15);
    meet(group);
  });
}

TEST(KeyStoreTest, AVeryLongTimeLimitDoesNotEndAWait) {
  on_threads(2, [](ProcessGroup& group) {
    group.set_timeout_seconds(1e10);
    const auto keys = group.open_store();
    if (group.rank() == 0) {
      std::this_thread::sleep_for(milliseconds(50));
      keys->put("late", "came");
    } else {
      std::string value;
      EXPECT_EQ(message_of([&] { value = keys->get("late", milliseconds(-1)); }), "no error");
      EXPECT_EQ(value, "came");
    }
    meet(group);
  });
}

TEST(KeyStoreTest, ASignalDoesNotEndAWait) {
  struct sigaction does_nothing = {}, before = {};
  does_nothing.sa_handler = [](int) {};
  ASSERT_EQ(sigaction(SIGUSR1, &does_nothing, &before), 0);
  on_threads(2, [](ProcessGroup& group) {
    const auto keys = group.open_store();
    meet(group);
    if (group.rank() == 0) {
      std::this_thread::sleep_for(milliseconds(500));
      keys->put("late", "came");
    } else {
      const std::jthread interrupts([waiting = pthread_self()] {
        std::this_thread::sleep_for(milliseconds(100));
        pthread_kill(waiting, SIGUSR1);
      });
      std::string value;
      EXPECT_EQ(message_of([&] { value = keys->get("late", milliseconds(5000)); }), "no error");
      EXPECT_EQ(value, "came");
    }
    meet(group);
  });
  sigaction(SIGUSR1, &before, nullptr);
}

TEST(KeyStoreTest, AStoreHasKeysOfItsOwn) {
  on_threads(2, [](ProcessGroup& group) {
    const auto first = group.open_store(), second = group.open_store();
    if (group.rank() == 1) first->put("name", "first");
    meet(group);
    EXPECT_EQ(first->try_get("name"), "first");
    EXPECT_EQ(second->try_get("name"), std::nullopt);
    meet(group);
  });
}

TEST(KeyStoreTest, AKeyThatNobodyPutsIsNamedAndSoIsWhoDoesSomethingElse) {
  on_threads(3, [](ProcessGroup& group) {
    const auto keys = group.open_store();
    if (group.rank() != 1) {
      const std::string message = message_of([&] { keys->get("id of 1", milliseconds(300)); });
      expect_has(message, "rank " + std::to_string(group.rank()) + " has waited 0.3 s for key \"id of 1\"");
      expect_has(message, "rank 1 (process ");
      EXPECT_EQ(message.find("rank 2 (process"), std::string::npos) << message;
      EXPECT_EQ(message.find("rank 0 (process"), std::string::npos) << message;
      EXPECT_NO_THROW(keys->check_peers());
    }
    meet(group);
    // All wait.
    expect_has(message_of([&] {
                 meet(group);
                 keys->get("nobody's", milliseconds(group.rank() == 0 ? 300 : 2000));
               }),
               group.rank() == 0 ? "all ranks wait for keys" : "which no rank has put");
    meet(group);
  });
}

TEST(KeyStoreTest, NobodyWaitsLongerForAKeyThanForAProcess) {
  on_threads(2, [](ProcessGroup& group) {
    group.set_timeout_seconds(0.2);
    const auto keys = group.open_store();
    for (const milliseconds timeout : {milliseconds(600'000), milliseconds(-1)})
      expect_has(message_of([&] { keys->get("nobody's", timeout); }), "has waited 0.2 s");
    meet(group);
  });
}

TEST(KeyStoreTest, WhoEndsIsNamedToThoseWhoWait) {
  for (const int ends : {0, 1, 2}) {
    on_threads(3, [&](ProcessGroup& group) {
      auto keys = group.open_store();
      meet(group);
      if (group.rank() == ends) {
        keys.reset();
        return;
      }
      const auto start = std::chrono::steady_clock::now();
      const std::string message = message_of([&] { keys->get("of who has ended", milliseconds(60'000)); });
      EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
      expect_has(message, "rank " + std::to_string(ends) + " (process ");
      expect_has(message, "has ended");
      for (int i = 0; i < 2; ++i) expect_has(loss_of(*keys), "rank " + std::to_string(ends) + " (process ");
    });
  }
}

TEST(KeyStoreTest, WhoGivesUpSaysWhyToAll) {
  for (const int who : {0, 2})
    on_threads(3, [&](ProcessGroup& group) {
      const auto keys = group.open_store();
      keys->put("of " + std::to_string(group.rank()), "there");
      meet(group);
      if (group.rank() == who) {
        keys->give_up("there is no GPU 3");
        keys->give_up("a second reason");
      } else {
        const std::string message = message_of([&] { keys->get("what is missing", milliseconds(60'000)); });
        expect_has(message, "rank " + std::to_string(who) + " (process ");
        expect_has(message, "failed: there is no GPU 3");
      }
      meet(group);
      expect_has(loss_of(*keys), "there is no GPU 3");
      EXPECT_EQ(keys->get("of 1", milliseconds(1000)), "there") << "what is there is still there";
      meet(group);
      keys->go_on();
      EXPECT_NO_THROW(keys->check_peers());
      if (group.rank() == who) keys->put("what is missing", "came");
      EXPECT_EQ(keys->get("what is missing", milliseconds(60'000)), "came");
      meet(group);
      // A process that has met the others again receives no late failure from before.
      if (group.rank() == 1) keys->give_up("for the second time");
      if (group.rank() != 1) expect_has(loss_of(*keys), "for the second time");
      meet(group);
    });
}

TEST(KeyStoreTest, ProcessesOfAMachineAreCountedAmongThoseThatSeeTheSame) {
  on_threads(4, [](ProcessGroup& group) {
    EXPECT_EQ(local_rank(group, ""), group.rank());
    EXPECT_EQ(local_rank(group, group.rank() < 2 ? "0,1" : "2,3"), group.rank() % 2);
    EXPECT_EQ(local_rank(group, std::to_string(group.rank())), 0);
  });
}

}  // namespace
}  // namespace cornu::inline v0::distribute
