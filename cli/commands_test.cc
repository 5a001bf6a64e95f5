#include "cli/commands.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cli/study_devices.h"
#include "cornu/base/error.h"

namespace cornu::inline v0::cli {
namespace {

/// What the program says of arguments that its options refuse; nothing was run then.
std::string refused(const std::vector<std::string>& arguments) {
  CLI::App app;
  add_commands(app);
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::ParseError& error) {
    return error.what();
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(CommandsTest, NumbersThatMustBePositiveAreRefusedInWords) {
  EXPECT_EQ(refused({"study", "steps", "--repeats", "0"}), "--repeats: must be a positive number; got 0");
  EXPECT_EQ(refused({"bench", "iris_mlp", "--seconds", "inf"}),
            "--seconds: must be a positive number; got inf");
  EXPECT_EQ(refused({"bench", "iris_mlp", "--seconds", "1,5"}),
            "--seconds: must be a positive number; got 1,5");
  EXPECT_EQ(refused({"study", "cost", "--checkpoint-seconds", "-1"}),
            "--checkpoint-seconds: must be a number from 0 on; got -1");
}

TEST(CommandsTest, PricesAreReadToTheirEnd) {
  for (const char* const price :
       {"cpu=1,5", "cpu=0.4abc", "cpu=inf", "cpu=nan", "cpu=", "cpu", "=1", "cpu=-1"})
    EXPECT_NE(refused({"advise", "iris_mlp", "--price", price}).find("takes DEVICE=PRICE_AN_HOUR"),
              std::string::npos)
        << price << ": " << refused({"advise", "iris_mlp", "--price", price});
  EXPECT_NE(
      refused({"advise", "iris_mlp", "--price", "cpu=1", "--price", "cpu=2"}).find("cpu has two prices"),
      std::string::npos);
  EXPECT_NE(refused({"advise", "iris_mlp", "--devices", "cpu", "--price", "gpu=1"}).find("a price of gpu"),
            std::string::npos);
}

TEST(CommandsTest, ATargetTakesNoSettings) {
  const std::string message = refused({"compile", "iris_mlp", "--target", "h200,steps=3"});
  EXPECT_NE(message.find("\"steps=3\", belongs to --steps-per-execution"), std::string::npos) << message;
}

TEST(CommandsTest, WhatIsNoStepTakesNoReplicas) {
  for (const char* const workload : {"limit", "data_map", "iris_fit_short", "checkpoint_fit"}) {
    for (const std::vector<std::string>& given : {std::vector<std::string>{"--replicas", "2"},
                                                  {"--shards", "4"},
                                                  {"--processes"},
                                                  {"--worker", "h:1"}}) {
      std::vector<std::string> arguments = {"bench", workload};
      arguments.insert(arguments.end(), given.begin(), given.end());
      EXPECT_EQ(refused(arguments), fmt::format("{}: {} is no training step", given[0], workload));
    }
  }
}

TEST(CommandsTest, WorkersTrainWithoutADeviceBesides) {
  for (const char* const command : {"bench", "explain"}) {
    EXPECT_EQ(refused({command, "iris_mlp", "--worker", "h:1", "--device", "sim:ideal"}),
              "--worker: the workers' devices train: leave --device out");
    EXPECT_EQ(refused({command, "iris_mlp", "--replicas", "2", "--device", "sim:ideal"}),
              "--replicas: replicas are logical devices of the CPU");
  }
}

TEST(CommandsTest, APipelineHasNoInstructionSet) {
  EXPECT_EQ(refused({"bench", "data_jpeg", "--isa", "sse2"}), "--isa: data_jpeg runs no compiled program");
}

TEST(CommandsTest, SimulatedDevicesHaveAVirtualClockUnlessTheirsIsNamed) {
  EXPECT_EQ(with_virtual_clock("sim:k80"), "sim:k80,clock=virtual");
  EXPECT_EQ(with_virtual_clock("sim:k80,clock=real"), "sim:k80,clock=real");
  EXPECT_EQ(with_virtual_clock("cpu"), "cpu");
}

TEST(StudyDevicesTest, ADeviceThatCannotBeHadIsKnownBeforeAndWhatIsNoneIsRefused) {
  const StudyDevices devices({"cpu", "sim:k80", "sim:no_such_profile"}, {});
  EXPECT_EQ(devices.shown("cpu"), "cpu");
  EXPECT_EQ(devices.shown("sim:k80"), "sim:k80 (simulated)");
  EXPECT_NE(devices.make("sim:k80")->description().find("virtual clock"), std::string::npos);
  try {
    devices.make("sim:no_such_profile");
    FAIL() << "expected an error";
  } catch (const Error& error) {
    EXPECT_TRUE(is_of_device(error)) << error.what();
  }
  EXPECT_THROW(StudyDevices({"sim:k80,lauch_seconds=1"}, {}), Error);
  EXPECT_FALSE(is_of_device(Error(ErrorCode::kCancelled, "stopped")));
}

}  // namespace
}  // namespace cornu::inline v0::cli
