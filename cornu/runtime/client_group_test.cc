#include "cornu/runtime/client_group.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <new>
#include <optional>

#include "cornu/runtime/fake_device_test_support.h"

namespace cornu::inline v0::runtime {
namespace {

/// Two fake devices that count how often they are given up.
class Group final : public ClientGroup {
 public:
  Group() : ClientGroup({std::make_shared<FakeClient>(), std::make_shared<FakeClient>()}) {}
  int times_given_up() const { return times_given_up_; }

 private:
  void give_up(std::size_t, const Error&) override { ++times_given_up_; }

  std::atomic<int> times_given_up_{0};
};

std::optional<ErrorCode> code_of(Group& group, ClientGroup::Work work, ErrorCode thrown) {
  try {
    group.for_each_member(
        [&](std::size_t i) {
          if (i == 1) throw Error(thrown, "the second fails");
        },
        work);
  } catch (const Error& error) {
    return error.code();
  }
  return std::nullopt;
}

TEST(ClientGroupTest, WhoFailsAtWorkOfItsOwnDoesNotEndTheOthers) {
  Group group;
  EXPECT_EQ(code_of(group, ClientGroup::Work::kApart, ErrorCode::kInvalidArgument),
            ErrorCode::kInvalidArgument);
  EXPECT_EQ(group.times_given_up(), 0);
}

TEST(ClientGroupTest, ALostMemberEndsTheOthersAtAnyWork) {
  Group group;
  EXPECT_EQ(code_of(group, ClientGroup::Work::kApart, ErrorCode::kUnavailable), ErrorCode::kUnavailable);
  EXPECT_EQ(group.times_given_up(), 1);
}

TEST(ClientGroupTest, WhoFailsWhileTheOthersWaitForItEndsThem) {
  Group group;
  EXPECT_EQ(code_of(group, ClientGroup::Work::kTogether, ErrorCode::kResourceExhausted),
            ErrorCode::kResourceExhausted);
  EXPECT_EQ(group.times_given_up(), 1);
}

TEST(ClientGroupTest, WhatIsNoErrorEndsThemToo) {
  Group group;
  EXPECT_THROW(
      group.for_each_member([](std::size_t) { throw std::bad_alloc(); }, ClientGroup::Work::kTogether),
      std::bad_alloc);
  EXPECT_EQ(group.times_given_up(), 2);
}

}  // namespace
}  // namespace cornu::inline v0::runtime
