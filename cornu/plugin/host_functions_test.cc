#include "cornu/plugin/host_functions.h"

#include <atomic>
#include <cstdio>
#include <cstring>
#include <string>

#include "cornu/plugin/plugin_test_support.h"

namespace cornu::inline v0::plugin {
namespace {

using Values = std::vector<float>;

std::atomic<int> num_calls{0};

/// Adds the number of the call to the operand's three elements; fails if the first one is negative.
int add_number_of_call(std::uint64_t, const void* const* operands, void* const* results, char* message,
                       std::size_t capacity) {
  const auto* const x = static_cast<const float*>(operands[0]);
  const int number = ++num_calls;
  if (x[0] < 0) {
    std::snprintf(message, capacity, "call %d failed", number);
    return 1;
  }
  for (int i = 0; i < 3; ++i) static_cast<float*>(results[0])[i] = x[i] + static_cast<float>(number);
  return 0;
}

const Cornu_HostFunctions_Extension& find_extension() {
  const PJRT_Extension_Base* at = api().extension_start;
  for (; at != nullptr; at = at->next) {
    int type = 0;
    std::memcpy(&type, &at->type, sizeof type);
    if (type == kHostFunctionsExtension) break;
  }
  EXPECT_NE(at, nullptr);
  return *reinterpret_cast<const Cornu_HostFunctions_Extension*>(at);
}

/// Four turns of a loop that call function 9, whose results are added up if they are used.
std::string program(bool uses_results) {
  return std::string(R"(module @jit_calls {
  func.func public @main(%x: tensor<3xf32>) -> tensor<3xf32> {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %n = stablehlo.constant dense<4> : tensor<i32>
    %0:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<3xf32>
      cond {
        %c = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %c : tensor<i1>
      } do {
        %next = stablehlo.add %i, %one : tensor<i32>
        %r = stablehlo.custom_call @cornu_host_call(%y) {backend_config = "9 add", has_side_effect = true} : (tensor<3xf32>) -> tensor<3xf32>
        stablehlo.return %next, )") +
         (uses_results ? "%r" : "%y") + R"( : tensor<i32>, tensor<3xf32>
      }
    return %0#1 : tensor<3xf32>
  }
})";
}

class HostFunctionsTest : public PluginTest {
 protected:
  void SetUp() override {
    PluginTest::SetUp();
    num_calls = 0;
    EXPECT_EQ(extension_.add(9, add_number_of_call), 1);
  }
  void TearDown() override {
    PluginTest::TearDown();
    EXPECT_EQ(extension_.remove(9), 1);
  }
  const Cornu_HostFunctions_Extension& extension_ = find_extension();
};

TEST_F(HostFunctionsTest, ALoopCallsInEachTurn) {
  for (const bool uses_results : {true, false}) {
    num_calls = 0;
    PJRT_LoadedExecutable* const executable = compile(client_, program(uses_results));
    EXPECT_EQ(extension_.remove(9), 0);  // the program refers to it
    PJRT_Buffer* const x = upload(client_, {1, 2, 3});
    PJRT_Buffer* const y = execute(executable, {x});
    EXPECT_EQ(download(y, 3), uses_results ? (Values{11, 12, 13}) : (Values{1, 2, 3}));
    EXPECT_EQ(num_calls, 4);
    for (PJRT_Buffer* const buffer : {x, y}) destroy(buffer);
    destroy(executable);
  }
}

TEST_F(HostFunctionsTest, AFailureIsTheCallsAndTheLoopEnds) {
  PJRT_LoadedExecutable* const executable = compile(client_, program(false));
  PJRT_Buffer* const x = upload(client_, {-1, 2, 3});
  std::vector<PJRT_Buffer*> results(1);
  const Outcome outcome = try_execute(executable, {{x}}, results);
  EXPECT_EQ(outcome.code, PJRT_Error_Code_FAILED_PRECONDITION);
  EXPECT_NE(outcome.message.find("call 1 failed (in program \"jit_calls\")"), std::string::npos)
      << outcome.message;
  EXPECT_EQ(results[0], nullptr);
  EXPECT_EQ(num_calls, 1);
  PJRT_Buffer* const good = upload(client_, {1, 2, 3});
  PJRT_Buffer* const after = execute(executable, {good});
  EXPECT_EQ(num_calls, 5);  // the execution has ended
  EXPECT_EQ(download(after, 3), (Values{1, 2, 3}));
  for (PJRT_Buffer* const buffer : {x, good, after}) destroy(buffer);
  destroy(executable);
}

TEST_F(HostFunctionsTest, AProgramOfAnotherProcessIsRefused) {
  std::string text = program(true);
  text.replace(text.find("\"9 "), 3, "\"8 ");
  PJRT_LoadedExecutable* executable = nullptr;
  const Outcome outcome = try_compile(client_, text, &executable);
  EXPECT_NE(outcome.message.find("this process has no function with the number 8"), std::string::npos)
      << outcome.message;
}

}  // namespace
}  // namespace cornu::inline v0::plugin
