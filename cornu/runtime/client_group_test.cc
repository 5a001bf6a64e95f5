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

/// Writes and reads different values on the two devices of a group, and on those of a copy.
void expect_members_have_own_values(Client& client) {
  DeviceGroup& group = *device_group(&client);
  const ir::TensorType type{ir::DType::kF32, {2}};
  const std::unique_ptr<Buffer> buffer = client.allocate(type);
  const float first[2] = {1, 2}, second[2] = {3, 4};
  const MemberWrite writes[] = {{buffer.get(), 1, second}, {buffer.get(), 0, first}};
  group.write_members(writes);
  const std::unique_ptr<Buffer> copy = client.copy(*buffer, 0);
  for (const Buffer* const from : {buffer.get(), copy.get()}) {
    float found[2][2] = {};
    const MemberRead reads[] = {{from, 0, found[0]}, {from, 1, found[1]}};
    group.read_members(reads);
    EXPECT_EQ(found[0][1], 2);
    EXPECT_EQ(found[1][1], 4);
    from->copy_to_host(found[1]);
    EXPECT_EQ(found[1][1], 2) << "a group's value is that of its first device";
  }
  const Write write{buffer.get(), second};
  client.write({&write, 1});
  float found[2] = {};
  const MemberRead read{buffer.get(), 0, found};
  group.read_members({&read, 1});
  EXPECT_EQ(found[1], 4) << "a write goes to all devices";
}

TEST(ClientGroupTest, MembersHaveOwnValues) {
  Group of_clients;
  expect_members_have_own_values(of_clients);
  LocalDeviceGroup of_devices(std::make_shared<FakeClient>(2), {1, 0});
  expect_members_have_own_values(of_devices);
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
