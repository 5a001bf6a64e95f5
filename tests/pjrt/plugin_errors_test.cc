#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "cornu/backends/pjrt/backend.h"
#include "cornu/backends/pjrt/plugin_test_support.h"
#include "cornu/backends/stacked/line_training_test_support.h"
#include "cornu/base/error.h"
#include "cornu/base/error_test_support.h"
#include "cornu/tensor/device.h"
#include "cornu/tensor/function.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/variable.h"
#include "tests/pjrt/failing_plugin.h"

// What can be wrong with a plug-in and what can go wrong on its devices: an error in words each time, and the
// process goes on. CTest runs this with XLA_FLAGS that no plug-in knows, which would end it.
namespace cornu::inline v0::pjrt_tests {
namespace {

using Call = PlannedFailure::Call;
using Training = backends::stacked::line_training::LineTraining;

std::string refusal_of(ErrorCode code, const std::string& library) {
  return error_text_of(code, [&] { runtime::make_client("pjrt:" + library); });
}

TEST(PluginErrorsTest, AFileThatIsNotThereIsNamed) {
  EXPECT_NE(refusal_of(ErrorCode::kNotFound, "/nowhere/plugin.so").find("/nowhere/plugin.so"),
            std::string::npos);
  EXPECT_NE(refusal_of(ErrorCode::kNotFound, testing::TempDir()).find("no file"), std::string::npos);
}

TEST(PluginErrorsTest, AFileThatIsNoLibraryIsRefused) {
  const std::string path = testing::TempDir() + "/cornu_no_library.so";
  for (const std::string& text : {std::string(), std::string("#!/bin/sh"), std::string(4096, 'x')}) {
    std::ofstream(path) << text;
    EXPECT_NE(refusal_of(ErrorCode::kInvalidArgument, path).find("is not a shared library"),
              std::string::npos);
  }
}

TEST(PluginErrorsTest, ALibraryThatIsNoPluginIsRefused) {
  EXPECT_NE(refusal_of(ErrorCode::kInvalidArgument, DECOY_FOLDER "/libdecoy_no_api.so").find("GetPjrtApi"),
            std::string::npos);
}

TEST(PluginErrorsTest, PluginsOfOtherVersionsAreRefusedWithBoth) {
  const std::string future = refusal_of(ErrorCode::kInvalidArgument, DECOY_FOLDER "/libdecoy_future.so");
  EXPECT_NE(future.find("version 1.7"), std::string::npos) << future;
  EXPECT_NE(future.find("use an older plug-in"), std::string::npos) << future;
  const std::string tiny = refusal_of(ErrorCode::kInvalidArgument, DECOY_FOLDER "/libdecoy_tiny.so");
  EXPECT_NE(tiny.find("use a newer plug-in"), std::string::npos) << tiny;
  const std::string old = refusal_of(ErrorCode::kUnimplemented, DECOY_FOLDER "/libdecoy_old.so");
  EXPECT_NE(old.find("too old"), std::string::npos) << old;
}

TEST(PluginErrorsTest, APluginWithoutItsHardwareSaysSo) {
  const std::string message =
      refusal_of(ErrorCode::kFailedPrecondition, DECOY_FOLDER "/libdecoy_no_hardware.so");
  EXPECT_NE(message.find("cannot use its devices: No visible GPU devices."), std::string::npos) << message;
  setenv("CORNU_PJRT_PLUGINS", "ghost=" DECOY_FOLDER "/libdecoy_no_hardware.so", 1);
  const std::vector<runtime::KnownArgument> known = backends::pjrt::known_arguments();
  unsetenv("CORNU_PJRT_PLUGINS");
  ASSERT_GE(known.size(), 1U);
  EXPECT_EQ(known[0].argument, "ghost");
  EXPECT_NE(known[0].description.find("cannot be used: "), std::string::npos);
}

/// Programs of the plug-in for CPUs behind one that fails on request.
class FailingDeviceTest : public testing::Test {
 protected:
  void SetUp() override {
    const char* const path = std::getenv("CORNU_TEST_PJRT_CPU");
    if (path == nullptr || !std::ifstream(path))
      GTEST_SKIP() << "the plug-in for CPUs is not there: run this by ctest";
    client_ = runtime::make_client("pjrt:" DECOY_FOLDER "/libfailing_cpu.so");
    library_ = dlopen(DECOY_FOLDER "/libfailing_cpu.so", RTLD_NOW | RTLD_NOLOAD);
    ASSERT_NE(library_, nullptr);
  }
  void plan(const PlannedFailure& failure) {
    reinterpret_cast<PlanFailure>(dlsym(library_, "plan_failure"))(failure);
  }

  std::shared_ptr<runtime::Client> client_;
  void* library_ = nullptr;
};

TEST_F(FailingDeviceTest, FlagsOfXlaThatAreWrongAreErrorsOfPrograms) {
  if (std::getenv("CORNU_TEST_WRONG_FLAGS") == nullptr)
    GTEST_SKIP() << "the plug-in for CPUs is not there with flags";
  Training training(*client_);
  const std::string message = error_text_of(ErrorCode::kInvalidArgument, [&] { training.run(1); });
  EXPECT_NE(message.find("xla_no_such_flag"), std::string::npos) << message;
  EXPECT_EQ(std::getenv("XLA_FLAGS"), nullptr);
}

TEST_F(FailingDeviceTest, AnExecutionThatIsRefusedLeavesTheStateAndTheNextSucceeds) {
  Training training(*client_), expected(*client_);
  expected.run(3);
  plan({.call = Call::kExecute, .message = "the device does not answer"});
  const std::string message = error_text_of(ErrorCode::kUnavailable, [&] { training.run(3); });
  EXPECT_NE(message.find("the device does not answer"), std::string::npos) << message;
  EXPECT_NE(message.find("line_step"), std::string::npos) << message;
  EXPECT_EQ(training.steps_counted(), 0U);
  EXPECT_EQ(training.run(3), 3);
  EXPECT_EQ(training.losses, expected.losses);
}

TEST_F(FailingDeviceTest, AnExecutionThatFailsOnItsWaySaysSoWhenItIsWaitedFor) {
  Training training(*client_);
  plan({.call = Call::kExecuteLater, .code = PJRT_Error_Code_INTERNAL, .message = "a chip fell off"});
  const std::string message = error_text_of(ErrorCode::kInternal, [&] { training.run(2); });
  EXPECT_NE(message.find("cannot run \"line_step\": a chip fell off"), std::string::npos) << message;
  EXPECT_EQ(training.run(1), 1);
}

TEST_F(FailingDeviceTest, ACallThatFailsOnItsWayIsAnErrorOfItsResultAndChangesNothing) {
  const DeviceScope scope(add_devices(client_).at(0));
  {
    const Variable total(Tensor(0.0F));
    auto add = function([&](const Tensor& x) {
      total.assign_add(x);
      return total.value() * 3.0F;
    });
    EXPECT_EQ(add(Tensor(1.0F)).item<float>(), 3);
    plan({.call = Call::kExecuteLater, .code = PJRT_Error_Code_INTERNAL, .message = "a chip fell off"});
    Tensor result;
    const std::string message = error_text_of(ErrorCode::kInternal, [&] { add(Tensor(1.0F)).item<float>(); });
    EXPECT_NE(message.find("a chip fell off"), std::string::npos) << message;
    for (int i = 0; i < 40; ++i) result = add(Tensor(1.0F));
    EXPECT_GT(result.item<float>(), 0);
  }
  remove_devices(client_);
}

TEST_F(FailingDeviceTest, OutOfMemorySaysWhatWasAskedForAndWhatThereIs) {
  const auto buffer = client_->allocate({ir::DType::kF32, {5}});
  const float values[5] = {};
  plan({.call = Call::kSend, .code = PJRT_Error_Code_RESOURCE_EXHAUSTED, .message = "no room"});
  const Error of_buffer = error_of([&] { buffer->copy_from_host(values); });
  EXPECT_EQ(of_buffer.code(), ErrorCode::kResourceExhausted) << of_buffer.what();
  EXPECT_EQ(of_buffer.op(), "pjrt");
  EXPECT_TRUE(of_buffer.message().ends_with("no room")) << of_buffer.message();
  EXPECT_EQ(of_buffer.fields().notes, "tensor<5xf32> takes 20 bytes: 900 of 1000 bytes are in use");
  buffer->copy_from_host(values);
  Training training(*client_);
  plan({.call = Call::kExecute, .code = PJRT_Error_Code_RESOURCE_EXHAUSTED, .message = "no room"});
  const Error in_program = error_of([&] { training.run(1); });
  EXPECT_EQ(in_program.code(), ErrorCode::kResourceExhausted) << in_program.what();
  EXPECT_EQ(in_program.op(), "pjrt");
  EXPECT_EQ(in_program.fields().notes, "in program \"line_step\": 900 of 1000 bytes are in use");
}

TEST_F(FailingDeviceTest, SendingRowsMayFailAndNothingIsLost) {
  Training training(*client_);
  training.run(2);
  plan({.call = Call::kSend, .message = "the link is down"});
  error_text_of(ErrorCode::kUnavailable, [&] { training.run(2); });
  EXPECT_EQ(training.steps_counted(), 2U);
  plan({.call = Call::kReceive, .message = "the link is down"});
  error_text_of(ErrorCode::kUnavailable, [&] { training.weights_now(); });
  EXPECT_EQ(training.run(2), 2);
  EXPECT_EQ(training.steps_counted(), 4U);
}

}  // namespace
}  // namespace cornu::inline v0::pjrt_tests
