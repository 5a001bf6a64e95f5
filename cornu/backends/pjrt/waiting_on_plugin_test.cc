#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>

#include "cornu/backends/pjrt/compile.h"
#include "cornu/backends/pjrt/plugin_test_support.h"
#include "cornu/base/error.h"

// Tests that a wait for a device can be abandoned.
namespace cornu::inline v0::backends::pjrt {
namespace {

/// A program of products that a plug-in runs asynchronously; 30 ms each on one core.
constexpr const char* kLong = R"(
module @m { func.func public @main() -> tensor<1024x1024xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %count = stablehlo.constant dense<COUNT> : tensor<i32>
  %matrix = stablehlo.constant dense<1.0e-3> : tensor<1024x1024xf32>
  %result:2 = stablehlo.while(%i = %zero, %x = %matrix) : tensor<i32>, tensor<1024x1024xf32>
    cond {
      %go = stablehlo.compare LT, %i, %count : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %go : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %next = stablehlo.add %i, %one : tensor<i32>
      %y = stablehlo.dot_general %x, %matrix, contracting_dims = [1] x [0] : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
      stablehlo.return %next, %y : tensor<i32>, tensor<1024x1024xf32>
    }
  return %result#1 : tensor<1024x1024xf32>
} })";

class WaitingOnPluginTest : public CpuPluginTest {
 protected:
  void SetUp() override {
    CpuPluginTest::SetUp();
    if (!IsSkipped())
      connection_ =
          std::make_unique<Connection>(Plugin::load("cpu", find_plugin("cpu").path), "", /*num_threads=*/0);
  }
  /// Starts a program of `count` products; returns its event.
  OwnedEvent start(const std::string& count) {
    std::string text = kLong;
    text.replace(text.find("COUNT"), 5, count);
    CompileOptions options;
    options.devices = {connection_->device_id(0)};
    program_ = compile(*connection_, "multiply", text, options, ExecutableCache(""));
    PJRT_Buffer* result = nullptr;
    PJRT_Event* complete = nullptr;
    PJRT_Buffer** results[] = {&result};
    PJRT_Buffer* const* arguments[] = {nullptr};
    CallArguments<PJRT_ExecuteOptions> how;
    CallArguments<PJRT_LoadedExecutable_Execute_Args> execution;
    execution->executable = program_.executable.get();
    execution->options = how.get();
    execution->argument_lists = arguments;
    execution->num_devices = 1;
    execution->output_lists = results;
    execution->device_complete_events = &complete;
    connection_->plugin().call(&PJRT_Api::PJRT_LoadedExecutable_Execute, execution, "multiply");
    result_ = OwnedBuffer(connection_->plugin(), result);
    return OwnedEvent(connection_->plugin(), complete);
  }

  std::unique_ptr<Connection> connection_;
  CompiledProgram program_;
  OwnedBuffer result_;
};

TEST_F(WaitingOnPluginTest, LooksMeanwhileAndEndsWhenALookThrows) {
  int num_looks = 0;
  const OwnedEvent soon = start("1");
  EXPECT_NO_THROW(soon.wait_and_look("multiply", [&] { ++num_looks; }));
  const OwnedEvent late = start("100");
  if (late.is_ready()) GTEST_SKIP() << "the plug-in has waited while it was asked to begin";
  const auto begin = std::chrono::steady_clock::now();
  try {
    late.wait_and_look("multiply", [&] {
      if (++num_looks >= 2) throw Error(ErrorCode::kUnavailable, "rank 1 has ended");
    });
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "rank 1 has ended");
  }
  EXPECT_GE(num_looks, 2);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
  late.wait("multiply");  // the work continues
}

}  // namespace
}  // namespace cornu::inline v0::backends::pjrt
