#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "cornu/base/error_test_support.h"
#include "cornu/distribute/processes/thread_transport_test_support.h"
#include "cornu/distribute/strategy/process_faults_support.h"

// Threads stand for processes.
namespace cornu::inline v0::distribute {
namespace {

TEST(ProcessFaultsTest, WhatFailsOnOneProcessFailsOnAllAndAllGoOn) {
  on_threads(3, [](ProcessGroup& group) {
    const auto work_that_fails_on = [&](int rank) {
      on_all_processes(group, {.strategy = "Strategy", .failure = "cannot begin", .argument = "devices"},
                       [&] {
                         if (group.rank() == rank) throw std::runtime_error("there is no device");
                       });
    };
    for (const int rank : {2, 0}) {
      if (group.rank() == rank) {
        EXPECT_THROW(work_that_fails_on(rank), std::runtime_error);
        continue;
      }
      const Error error = error_of([&] { work_that_fails_on(rank); });
      EXPECT_EQ(error.code(), ErrorCode::kFailedPrecondition);
      EXPECT_EQ(error.argument(), "devices");
      EXPECT_EQ(error.op(), "Strategy");
      EXPECT_EQ(error.message(), "rank " + std::to_string(rank) + " cannot begin: there is no device");
    }
    EXPECT_NO_THROW(work_that_fails_on(-1));
  });
}

TEST(ProcessFaultsTest, TextsOfAllAreInTheOrderOfRanksAndCut) {
  on_threads(2, [](ProcessGroup& group) {
    const std::vector<std::string> texts =
        gather_texts(group, group.rank() == 0 ? std::string() : std::string(2000, 'x'));
    EXPECT_EQ(texts, (std::vector<std::string>{"", std::string(1023, 'x')}));
  });
}

}  // namespace
}  // namespace cornu::inline v0::distribute
