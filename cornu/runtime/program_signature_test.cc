#include "cornu/runtime/program_signature.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cornu/base/error.h"
#include "cornu/ir/graph.h"
#include "cornu/runtime/fake_device_test_support.h"
#include "cornu/runtime/host_view.h"

namespace cornu::inline v0::runtime {
namespace {

using ir::DType;

std::string refusal(const std::function<void()>& check) {
  try {
    check();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument) << error.what();
    return error.what();
  }
  return "";
}

/// A step with a buffer of each role, and an execution of one step that fits it on device 0 of `client`.
struct ProgramSignatureTest : testing::Test {
  static constexpr std::int64_t kBatch = 2;
  const ir::TensorType kState{DType::kF32, {3}}, kFixed{DType::kF32, {}}, kRows{DType::kF32, {kBatch, 4}};

  ProgramSignatureTest() {
    function.name = "step";
    const ir::Value total = function.body.add_argument(kState);
    function.body.add_argument(kFixed);
    const ir::Value rows = function.body.add_argument(kRows);
    function.body.set_results({total, rows});
  }
  ProgramSignature signature(const Client* of) const {
    return ProgramSignature({.step = &function,
                             .arguments = {ArgumentKind::kState, ArgumentKind::kFixed, ArgumentKind::kRows},
                             .name = "step"},
                            of);
  }
  /// The error of checking the execution with `other` as the buffer named `what`; empty if there is none.
  /// With an empty `what` the execution fits.
  std::string checked_with(const std::string& what, Buffer* other, const Client* of,
                           std::int64_t num_steps = 1) {
    const auto unless = [&](const char* role, Buffer* own) { return what == role ? other : own; };
    Buffer* const state[] = {unless("state", total_buffer.get())};
    Buffer* const fixed[] = {unless("fixed", scale_buffer.get())};
    Buffer* const rows[] = {unless("row argument", table_buffer.get())};
    Buffer* const outputs[] = {unless("output", output_buffer.get())};
    const Replica replica = {.state = state,
                             .fixed = fixed,
                             .row_buffers = rows,
                             .row_indices = indices,
                             .num_rows = kBatch,
                             .output_buffers = outputs};
    return refusal([&] { signature(of).check({.replicas = {&replica, 1}, .num_steps = num_steps}); });
  }
  /// The type of the buffer in a role.
  ir::TensorType type_of(const std::string& role) const {
    return role == "state"          ? total_buffer->type()
           : role == "fixed"        ? scale_buffer->type()
           : role == "row argument" ? table_buffer->type()
                                    : output_buffer->type();
  }

  ir::Function function;
  FakeClient client{2};
  std::unique_ptr<Buffer> total_buffer = client.allocate(kState), scale_buffer = client.allocate(kFixed),
                          table_buffer = client.allocate({DType::kF32, {5, 4}}),
                          output_buffer = client.allocate(kRows);
  const std::int64_t indices[kBatch] = {0, 4};
  const std::vector<std::string> roles = {"state", "fixed", "row argument", "output"};
};

TEST_F(ProgramSignatureTest, AcceptsAnExecutionThatFits) {
  EXPECT_EQ(checked_with("", nullptr, &client), "");
  EXPECT_EQ(checked_with("", nullptr, nullptr), "");
}

TEST_F(ProgramSignatureTest, RefusesABufferOfAnotherClientInEachRole) {
  FakeClient other;
  for (const std::string& role : roles) {
    const auto foreign = other.allocate(type_of(role));
    EXPECT_EQ(checked_with(role, foreign.get(), &client),
              "[fake] " + role + " buffer 0 of the program belongs to " + other.name() + ", not to " +
                  client.name() + ": copy it through the host");
    EXPECT_EQ(checked_with(role, foreign.get(), nullptr), "") << "without a client only types are compared";
  }
}

TEST_F(ProgramSignatureTest, RefusesABufferOnAnotherDeviceInEachRole) {
  for (const std::string& role : roles) {
    const auto elsewhere = client.allocate(type_of(role), 1);
    EXPECT_EQ(checked_with(role, elsewhere.get(), &client),
              "[fake] " + role + " buffer 0 of the program is on device 1 of " + client.name() +
                  "; the program runs on device 0");
  }
}

TEST_F(ProgramSignatureTest, TakesMemoryOfTheHostOnlyWhereTheClientAddressesIt) {
  const auto cpu = make_client("cpu", {.num_threads = 1});
  for (const std::string& role : roles) {
    HostView host(type_of(role));
    EXPECT_EQ(checked_with(role, &host, &client),
              "[fake] " + role + " buffer 0 of the program is host memory, which " + client.name() +
                  " cannot address: copy it into a buffer of that client");
  }
  HostView total(kState), scale(kFixed), table(table_buffer->type()), output(kRows);
  Buffer *const state[] = {&total}, *const fixed[] = {&scale}, *const rows[] = {&table},
                *const outputs[] = {&output};
  const Replica replica = {.state = state,
                           .fixed = fixed,
                           .row_buffers = rows,
                           .row_indices = indices,
                           .num_rows = kBatch,
                           .output_buffers = outputs};
  EXPECT_EQ(refusal([&] { signature(cpu.get()).check({.replicas = {&replica, 1}}); }), "");
}

TEST_F(ProgramSignatureTest, RefusesNullAndOtherTypesInEachRole) {
  for (const std::string& role : roles) {
    EXPECT_NE(
        checked_with(role, nullptr, &client).find(role + " buffer 0 of the program is null; it must be "),
        std::string::npos)
        << role;
    ir::TensorType type = type_of(role);
    type.dtype = DType::kI32;
    const auto other_dtype = client.allocate(type);
    EXPECT_NE(checked_with(role, other_dtype.get(), &client).find("got " + type.str()), std::string::npos)
        << role;
    type = type_of(role);
    type.dims.push_back(2);
    const auto other_size = client.allocate(type);
    EXPECT_NE(checked_with(role, other_size.get(), &client).find("got " + type.str()), std::string::npos)
        << role;
  }
  EXPECT_EQ(checked_with("", nullptr, &client, 2),
            "output buffer 0 of the program must hold tensor<2x4xf32> of 2 steps; got tensor<2x4xf32>");
}

TEST_F(ProgramSignatureTest, RefusesOtherNumbersOfBuffersReplicasAndSteps) {
  Buffer* const state[] = {total_buffer.get(), total_buffer.get()};
  Buffer* const fixed[] = {scale_buffer.get()};
  Buffer* const rows[] = {table_buffer.get()};
  Buffer* const outputs[] = {output_buffer.get()};
  const Replica fits = {.state = {state, 1},
                        .fixed = fixed,
                        .row_buffers = rows,
                        .row_indices = indices,
                        .num_rows = kBatch,
                        .output_buffers = outputs};
  const ProgramSignature program = signature(&client);
  const auto refused = [&](const std::function<void(Replica&)>& change) {
    Replica replica = fits;
    change(replica);
    return refusal([&] { program.check({.replicas = {&replica, 1}}); });
  };
  const std::byte* const host_rows[] = {nullptr};
  EXPECT_EQ(refused([](Replica&) {}), "");
  EXPECT_EQ(refused([&](Replica& replica) { replica.state = state; }),
            "the program has 1 state buffers; got 2");
  EXPECT_EQ(refused([](Replica& replica) { replica.fixed = {}; }), "the program has 1 fixed buffers; got 0");
  EXPECT_EQ(refused([](Replica& replica) { replica.row_buffers = {}; }),
            "the program has 1 row arguments; got 0");
  EXPECT_EQ(refused([&](Replica& replica) { replica.rows = host_rows; }),
            "the program has 1 row arguments; got 2");
  EXPECT_EQ(refused([](Replica& replica) { replica.output_buffers = {}; }),
            "the program has 1 outputs; got 0");
  EXPECT_EQ(refused([](Replica& replica) { replica.row_indices = nullptr; }),
            "the program gathers rows, but there are no row indices");
  EXPECT_EQ(refusal([&] { program.check({.replicas = {}}); }), "the program has 1 replicas; got 0");
  EXPECT_EQ(refusal([&] { program.check({.replicas = {&fits, 1}, .num_steps = -1}); }),
            "num_steps must not be negative; got -1");
}

}  // namespace
}  // namespace cornu::inline v0::runtime
