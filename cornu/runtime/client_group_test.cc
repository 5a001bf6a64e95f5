#include "cornu/runtime/client_group.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <new>
#include <utility>

#include "cornu/ir/graph.h"
#include "cornu/runtime/fake_device_test_support.h"

namespace cornu::inline v0::runtime {
namespace {

/// Two fake devices that count calls of give_up().
class Group final : public ClientGroup {
 public:
  Group() : Group(std::make_shared<FakeClient>()) {}
  FakeClient& second() { return *second_; }
  int times_given_up() const { return times_given_up_; }

 private:
  explicit Group(std::shared_ptr<FakeClient> second)
      : ClientGroup({std::make_shared<FakeClient>(), second}), second_(std::move(second)) {}
  void give_up(std::size_t, const Error&) override { ++times_given_up_; }

  std::shared_ptr<FakeClient> second_;
  std::atomic<int> times_given_up_{0};
};

/// The number of give_up() calls after the second member fails with `code`.
int times_given_up(ErrorCode code, ClientGroup::Work work) {
  Group group;
  EXPECT_THROW(group.for_each_member(
                   [&](std::size_t i) {
                     if (i == 1) throw Error(code, "the second fails");
                   },
                   work),
               Error);
  return group.times_given_up();
}

TEST(ClientGroupTest, WhoFailsEndsTheOthersWhereTheyWaitForItOrItIsLost) {
  EXPECT_EQ(times_given_up(ErrorCode::kInvalidArgument, ClientGroup::Work::kApart), 0);
  EXPECT_EQ(times_given_up(ErrorCode::kUnavailable, ClientGroup::Work::kApart), 1);
  EXPECT_EQ(times_given_up(ErrorCode::kResourceExhausted, ClientGroup::Work::kTogether), 1);
}

TEST(ClientGroupTest, WhatIsNoErrorEndsThemToo) {
  Group group;
  EXPECT_THROW(
      group.for_each_member([](std::size_t) { throw std::bad_alloc(); }, ClientGroup::Work::kTogether),
      std::bad_alloc);
  EXPECT_EQ(group.times_given_up(), 2);
}

TEST(ClientGroupTest, MembersOfAnExecutionWaitForEachOther) {
  ir::Function function;
  function.name = "same";
  const ir::Value argument = function.body.add_argument({ir::DType::kF32, {2}});
  function.body.set_results({argument});
  Group group;
  const std::unique_ptr<Executable> executable = group.compile({&function, {ArgumentKind::kState}, "same"});
  const std::unique_ptr<Buffer> buffer = group.allocate(argument.type());
  const float zeros[2] = {};
  const Write write{buffer.get(), zeros};
  group.write({&write, 1});
  Buffer* const state[] = {buffer.get()};
  EXPECT_EQ(executable->run({.state = state}, 3), 3);
  EXPECT_EQ(group.times_given_up(), 0);
  group.second().fail_after_steps(0, ErrorCode::kDataLoss);
  try {
    executable->run({.state = state}, 3);
    ADD_FAILURE() << "ran";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kDataLoss);
  }
  EXPECT_EQ(group.times_given_up(), 1);
}

}  // namespace
}  // namespace cornu::inline v0::runtime
