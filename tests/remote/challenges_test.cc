/// The challenges of a worker as its listener keeps them.
#include "cornu/backends/remote/worker/challenges.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "cornu/backends/remote/wire/admission.h"

namespace cornu::inline v0::backends::remote {
namespace {

constexpr const char* kToken = "a token of these tests";

struct ChallengesTest : testing::Test {
  Challenges challenges{kToken};
  Challenges::Clock::time_point now = Challenges::Clock::now();

  std::string answered() { return admission_value(kToken, challenges.make(now)); }
};

TEST_F(ChallengesTest, NumbersOfAnsweredOnesAreForgottenInTheirOrder) {
  const std::string first = answered();
  EXPECT_EQ(challenges.check(first, now), Answer::kRight);
  now += std::chrono::seconds(40);
  const std::string second = answered();
  EXPECT_EQ(challenges.check(second, now), Answer::kRight);
  EXPECT_EQ(challenges.num_used(), 2U);
  now += std::chrono::seconds(40);
  EXPECT_EQ(challenges.check(first, now), Answer::kOver) << "it is older than a minute";
  EXPECT_EQ(challenges.check(second, now), Answer::kOver) << "it was used";
  EXPECT_EQ(challenges.check(answered(), now), Answer::kRight);
  EXPECT_EQ(challenges.num_used(), 2U);
}

TEST_F(ChallengesTest, ThereAreAtMostSoManyAndNoneCanBeUsedAgain) {
  const std::string oldest = answered(), not_used = answered();
  EXPECT_EQ(challenges.check(oldest, now), Answer::kRight);
  for (std::size_t i = 0; i < Challenges::kMostUsed + 10; ++i)
    ASSERT_EQ(challenges.check(answered(), now), Answer::kRight) << i;
  EXPECT_EQ(challenges.num_used(), Challenges::kMostUsed);
  EXPECT_EQ(challenges.check(oldest, now), Answer::kOver)
      << "its number is forgotten, and it is over all the same";
  EXPECT_EQ(challenges.check(not_used, now), Answer::kOver) << "as old as one that was forgotten";
  EXPECT_EQ(challenges.check(answered(), now), Answer::kRight);
}

TEST_F(ChallengesTest, AChallengeOfAnotherWorkerWithTheSameTokenIsOver) {
  Challenges another(kToken);
  EXPECT_EQ(another.check(answered(), now), Answer::kOver);
  EXPECT_EQ(another.num_used(), 0U);
}

TEST_F(ChallengesTest, WhatIsNoAnswerIsWrong) {
  const std::string value = answered();
  EXPECT_EQ(challenges.check(admission_value("another token", challenges.make(now)), now), Answer::kWrong);
  EXPECT_EQ(challenges.check(value.substr(1), now), Answer::kWrong);
  EXPECT_EQ(challenges.check("", now), Answer::kWrong);
  EXPECT_EQ(challenges.num_used(), 0U);
}

}  // namespace
}  // namespace cornu::inline v0::backends::remote
