#include "cli/commands.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "cli/bench_list.h"
#include "cli/study_devices.h"
#include "cli/workloads.h"
#include "cornu/base/error.h"

namespace cornu::inline v0::cli {
namespace {

/// The error message for arguments that the options refuse; nothing was run then.
std::string refused(const std::vector<std::string>& arguments) {
  CLI::App app;
  app.name("cornu");
  add_commands(app);
  try {
    parse_arguments(app, arguments);
  } catch (const CLI::ParseError& error) {
    return error.what();
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(CommandsTest, NumbersThatMustBePositiveAreRefusedInWords) {
  EXPECT_EQ(refused({"study", "steps", "--repeats", "0"}),
            "--repeats: must be a whole number from 1 on; got 0");
  EXPECT_EQ(refused({"bench", "iris_mlp", "--seconds", "inf"}),
            "--seconds: must be a positive number; got inf");
  EXPECT_EQ(refused({"bench", "iris_mlp", "--seconds", "1,5"}),
            "--seconds: must be a positive number; got 1,5");
  EXPECT_EQ(refused({"study", "cost", "--checkpoint-seconds", "-1"}),
            "--checkpoint-seconds: must be a number from 0 on; got -1");
}

TEST(CommandsTest, WholeNumbersAndRangesAreRefusedInWords) {
  EXPECT_EQ(refused({"model", "m.keras", "train", "--epochs", "1.5"}),
            "--epochs: must be a whole number from 1 on; got 1.5");
  EXPECT_EQ(refused({"bench", "iris_mlp", "--threads", "two"}),
            "--threads: must be a whole number from 0 to 1024; got two");
  EXPECT_EQ(refused({"model", "m.keras", "train", "--validation-split", "2"}),
            "--validation-split: must be a number from 0 to 1; got 2");
  EXPECT_EQ(
      refused({"worker", "--memory-limit", "many"}),
      "--memory-limit: must be a number of bytes, or a number with a unit, such as 512MB or 8GiB; got many");
  EXPECT_EQ(refused({"bench", "iris_mlp", "--worker", "here"}),
            "--worker: takes HOST:PORT, as in 10.0.0.2:8470; got here");
}

TEST(CommandsTest, AnOptionWithoutItsValueIsNamedWithTheKindOfTheValue) {
  EXPECT_EQ(refused({"bench", "iris_mlp", "--seconds"}),
            "--seconds: there is no value after it; write \"--seconds NUMBER\"");
  EXPECT_EQ(refused({"explain", "iris_mlp", "--stage"}),
            "--stage: there is no value after it; write \"--stage STAGE\"");
  EXPECT_EQ(refused({"model", "m.keras", "train", "--inputs", "--labels", "y.npy"}),
            "--inputs: there is no value after it; write \"--inputs FILE\"");
  EXPECT_EQ(refused({"advise", "iris_mlp", "--devices"}),
            "--devices: there is no value after it; write \"--devices DEVICE\"");
}

TEST(CommandsTest, AnAcceleratorsNameGetsTheDeviceToWrite) {
  const std::string message = refused({"bench", "iris_mlp", "--device", "gpu"});
  EXPECT_NE(message.find("; for a GPU write \"pjrt:cuda\""), std::string::npos) << message;
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
    EXPECT_EQ(refused({command, "iris_mlp", "--processes", "--device", "sim:ideal"}),
              "--processes: processes train on the CPU or on a pjrt device");
  }
}

TEST(CommandsTest, APipelineHasNoInstructionSet) {
  EXPECT_EQ(refused({"bench", "data_jpeg", "--isa", "sse2"}), "--isa: data_jpeg runs no compiled program");
}

TEST(CommandsTest, ACommandThatThereIsNotIsNamed) {
  EXPECT_EQ(refused({"benhc"}), "cornu has no command \"benhc\"; did you mean \"bench\"?");
  EXPECT_EQ(refused({"study", "stepps"}), "cornu study has no command \"stepps\"; did you mean \"steps\"?");
  EXPECT_EQ(refused({"model", "f.keras", "chekc"}),
            "cornu model has no command \"chekc\"; did you mean \"check\"?");
  EXPECT_EQ(refused({"model", "check", "f.keras"}),
            "cornu model has no command \"f.keras\"; write \"cornu model f.keras check\"");
}

TEST(CommandsTest, HelpOfACommandThatThereIsNotNamesTheNearest) {
  EXPECT_EQ(refused({"benhc", "--help"}), "cornu has no command \"benhc\"; did you mean \"bench\"?");
  EXPECT_EQ(refused({"--help", "benhc"}), "cornu has no command \"benhc\"; did you mean \"bench\"?");
  EXPECT_EQ(refused({"study", "csot", "--help"}),
            "cornu study has no command \"csot\"; did you mean \"cost\"?");
  EXPECT_EQ(refused({"model", "f.keras", "trian", "-h"}),
            "cornu model has no command \"trian\"; did you mean \"train\"?");
}

/// The help that the arguments ask for.
std::string help_for(const std::vector<std::string>& arguments) {
  CLI::App app;
  app.name("cornu");
  add_commands(app);
  try {
    parse_arguments(app, arguments);
  } catch (const CLI::CallForHelp&) {
    return app.help();
  }
  return "no help";
}

TEST(CommandsTest, HelpIsThatOfTheCommandThatIsNamed) {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"model", "f.keras", "train", "--help"},
        {"model", "train", "--help"},
        {"model", "--help", "train"}}) {
    const std::string help = help_for(arguments);
    EXPECT_NE(help.find("Usage: cornu model FILE train [OPTIONS]"), std::string::npos) << help;
    EXPECT_NE(help.find("--early-stopping"), std::string::npos) << help;
  }
  EXPECT_NE(help_for({"model", "--help"}).find("Usage: cornu model FILE COMMAND"), std::string::npos)
      << help_for({"model", "--help"});
  EXPECT_NE(help_for({"--help"}).find("Usage: cornu COMMAND"), std::string::npos);
}

TEST(CommandsTest, ACommandWithoutArgumentsShowsItsCommandsAndFails) {
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{}, {"study"}, {"model"}}) {
    CLI::App app;
    app.name("cornu");
    add_commands(app);
    try {
      parse_arguments(app, arguments);
      ADD_FAILURE() << "no error";
    } catch (const CLI::CallForHelp& error) {
      EXPECT_EQ(error.get_exit_code(), 106) << "nothing was run";
      EXPECT_NE(app.help().find("Commands:"), std::string::npos) << app.help();
    }
  }
  EXPECT_NE(help_for({}).find("\n  bench "), std::string::npos) << help_for({});
}

TEST(CommandsTest, HelpIsACommandToo) {
  EXPECT_EQ(help_for({"help", "bench"}), help_for({"bench", "--help"}));
  EXPECT_EQ(help_for({"help", "model", "train"}), help_for({"model", "train", "--help"}));
  EXPECT_EQ(help_for({"help"}), help_for({"--help"}));
}

TEST(CommandsTest, MissingArgumentsAreNamedTogether) {
  EXPECT_EQ(refused({"model", "f.keras", "train"}), "cornu model FILE train needs --inputs and --labels");
  EXPECT_EQ(refused({"bench"}),
            "cornu bench needs WORKLOAD: Name of a workload; `cornu bench list` shows them");
  EXPECT_EQ(refused({"model", "train"}),
            "cornu model needs FILE before train: write \"cornu model FILE train\"");
  EXPECT_EQ(
      refused({"model", "f.keras"}),
      "cornu model FILE needs a command; known: summary, weights, check, plot, predict, evaluate, train");
}

TEST(CommandsTest, ACommandInsideAnotherIsFound) {
  EXPECT_EQ(refused({"train"}), "cornu has no command \"train\"; did you mean \"cornu model FILE train\"?");
  EXPECT_EQ(refused({"steps"}), "cornu has no command \"steps\"; did you mean \"cornu study steps\"?");
  EXPECT_EQ(
      refused({"m.keras", "train"}),
      "cornu has no command \"m.keras\"; for a model's file write \"cornu model m.keras\" and a command");
}

TEST(CommandsTest, AWordTooManyIsNamedWithItsCommand) {
  EXPECT_EQ(refused({"bench", "iris_mlp", "extra"}), "cornu bench takes no further argument \"extra\"");
}

TEST(CommandsTest, AFailureNamesTheHelpOfItsCommand) {
  const auto printed = [](const std::vector<std::string>& arguments) {
    CLI::App app;
    app.name("cornu");
    add_commands(app);
    std::ostringstream out, error_text;
    try {
      parse_arguments(app, arguments);
    } catch (const CLI::ParseError& error) {
      app.exit(error, out, error_text);
    }
    return error_text.str();
  };
  EXPECT_EQ(printed({"bench", "iris_mlp", "extra"}),
            "cornu bench takes no further argument \"extra\"\nsee \"cornu bench --help\"\n");
  EXPECT_EQ(printed({"cache", "--zzzzz"}), "cornu cache has no option --zzzzz; see \"cornu cache --help\"\n");
}

TEST(CommandsTest, AnInstructionSetIsNamedWithTheNearest) {
  EXPECT_EQ(refused({"bench", "iris_mlp", "--isa", "sse"}),
            "--isa: must be one of: sse2, avx2, avx512; got sse; did you mean \"sse2\"?");
}

TEST(CommandsTest, UnknownWorkloadsAreThoseThatTheListDoesNotHave) {
  EXPECT_EQ(refused({"bench", "nosuch"}),
            "unknown workload \"nosuch\"; \"cornu bench list\" shows the workloads");
  EXPECT_EQ(refused({"bench", "iris_fit_shrot"}),
            "unknown workload \"iris_fit_shrot\"; did you mean \"iris_fit_short\"?");
  EXPECT_EQ(refused({"explain", "iris_mpl"}), "unknown workload \"iris_mpl\"; did you mean \"iris_mlp\"?");
  EXPECT_NE(refused({"explain", "data_map"}).find("data_map is no training step"), std::string::npos);
  EXPECT_EQ(refused({"bench", "list", "--json"}), "--json: list takes no options: leave it out");
}

TEST(BenchListTest, EachWorkloadIsInOneGroupWithALineOfText) {
  std::set<std::string> names;
  for (const BenchGroup& group : bench_groups())
    for (const ListEntry& entry : group.workloads) {
      EXPECT_TRUE(names.insert(entry.name).second) << entry.name << " is listed twice";
      EXPECT_FALSE(entry.meaning.empty()) << entry.name;
      EXPECT_TRUE(is_bench_workload(entry.name));
    }
  for (const Workload& workload : workloads()) EXPECT_TRUE(names.contains(workload.name)) << workload.name;
  for (const Workload& workload : large_workloads()) EXPECT_TRUE(names.contains(workload.name));
  for (const char* const name : {"limit", "iris_fit_short", "data_map", "checkpoint_fit"})
    EXPECT_TRUE(names.contains(name)) << name;
  for (const std::size_t width : {40, 80}) {
    std::istringstream lines(bench_list(width));
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), width) << line;
  }
}

TEST(CommandsTest, AMistypedOptionIsNamedWithTheNearest) {
  EXPECT_EQ(refused({"model", "f.keras", "train", "--inputs", "x.npz", "--labels", "y.npz", "--epoch", "3"}),
            "cornu model FILE train has no option --epoch; did you mean \"--epochs\"?");
  EXPECT_EQ(refused({"model", "f.keras", "train", "--epoch=3"}),
            "cornu model FILE train has no option --epoch; did you mean \"--epochs\"?")
      << "said before what is missing besides";
  EXPECT_EQ(refused({"bench", "iris_mlp", "--thread", "2"}),
            "cornu bench has no option --thread; did you mean \"--threads\"?");
  EXPECT_EQ(refused({"--verison"}), "cornu has no option --verison; did you mean \"--version\"?");
  EXPECT_EQ(refused({"study", "cost", "--zzzzz"}),
            "cornu study cost has no option --zzzzz; see \"cornu study cost --help\"");
}

TEST(CommandsTest, ACommandAfterTheSeparatorIsNoValueOfAList) {
  for (const std::vector<std::string>& lists : {std::vector<std::string>{"--machines", "no_machine"},
                                                {"--machines=no_machine"},
                                                {"--seconds", "1", "--machines", "no_machine"}}) {
    std::vector<std::string> arguments = {"study", "cost"};
    arguments.insert(arguments.end(), lists.begin(), lists.end());
    for (const char* const word : {"--", "no_program", "-c", "--epochs"}) arguments.emplace_back(word);
    const std::string message = refused(arguments);
    EXPECT_NE(message.find(lists[0] == "--seconds" ? "a command after -- is run whole" : "no_machine"),
              std::string::npos)
        << message;
  }
}

TEST(CommandsTest, AdviceComparesTheDevicesThatAreThere) {
  const std::vector<std::string> devices = devices_here();
  EXPECT_EQ(devices[0], "cpu");
  for (const std::string& device : devices) EXPECT_FALSE(device.starts_with("sim:")) << device;
  const std::string help = help_for({"advise", "--help"});
  EXPECT_EQ(help.find("sim:k80"), std::string::npos) << help;
}

TEST(CommandsTest, AnOptionWithNothingAfterItsEqualsSignTakesNoOtherArgument) {
  EXPECT_EQ(refused({"calibrate", "--output=", "--json"}), "--output: there is no value after the \"=\"");
  EXPECT_EQ(refused({"bench", "iris_mlp", "--policy=", "--seconds", "0.1"}),
            "--policy: there is no value after the \"=\"");
}

TEST(CommandsTest, AnEmptyValueIsNoOptionThatIsLeftOut) {
  const std::vector<std::string> train = {"model", "f.keras",  "train", "--inputs",
                                          "x.npz", "--labels", "y.npz"};
  for (const char* const value : {"", ","}) {
    std::vector<std::string> arguments = train;
    for (const char* const word : {"--metrics", value, "--save", "g.keras"}) arguments.emplace_back(word);
    EXPECT_EQ(refused(arguments),
              fmt::format("--metrics: \"{}\" is empty: write a value, or leave it out", value));
  }
  EXPECT_EQ(refused({"model", "", "summary"}), "argument: \"\" is empty: write a value, or leave it out");
}

TEST(CommandsTest, AnOptionThatIsGivenTwiceIsNamed) {
  EXPECT_EQ(refused({"devices", "--threads", "1", "--threads", "2"}),
            "--threads is given 2 times: give it once");
  EXPECT_EQ(refused({"bench", "iris_mlp", "--isa=sse2", "--isa", "avx2"}),
            "--isa is given 2 times: give it once");
}

TEST(CommandsTest, ArgumentsOfAGradientAreCountedFromZero) {
  for (const char* const number : {"-1", "a"})
    EXPECT_EQ(refused({"grad", "f.mlir", "--wrt", number}),
              fmt::format("--wrt: must be a whole number from 0 on; got {}", number));
}

TEST(CommandsTest, AWorkloadInPlaceOfAProgramNamesItsOption) {
  EXPECT_EQ(refused({"study", "cost", "mnist_mlp"}),
            "mnist_mlp: a workload, and no program: write \"--workloads mnist_mlp\"");
  EXPECT_EQ(refused({"study", "steps", "--", "mnist_mlp"}),
            "mnist_mlp: a workload, and no program: write \"--networks mnist_mlp\"");
}

TEST(CommandsTest, AListOfOptionsTakesNoWorkload) {
  EXPECT_EQ(refused({"advise", "--devices", "cpu", "mnist_mlp", "--seconds", "0.02"}),
            "--devices: mnist_mlp is no device; write a workload or a model's file before --devices");
  EXPECT_EQ(refused({"bench", "--profile", "iris_mlp", "--seconds", "0.02"}),
            "--profile: iris_mlp is a workload: write it before --profile");
  EXPECT_EQ(refused({"bench", "--worker", "h:1", "iris_mlp", "--device", "sim:ideal"}),
            "--worker: the workers' devices train: leave --device out");
  EXPECT_NE(refused({"advise", "--price", "cpu=1", "no_workload"}).find("unknown workload"),
            std::string::npos);
}

TEST(CommandsTest, ThreadsAndInstructionSetsAreOfThisMachine) {
  const std::vector<std::string> bench = {"bench", "iris_mlp"};
  const auto with = [&](const std::vector<std::string>& more) {
    std::vector<std::string> all = bench;
    all.insert(all.end(), more.begin(), more.end());
    return refused(all);
  };
  EXPECT_EQ(with({"--device", "grpc://h:1", "--threads", "1"}),
            "--threads: grpc://h:1 has threads of its own: leave it out");
  EXPECT_EQ(with({"--device", "grpc://h:1", "--isa", "sse2"}),
            "--isa: grpc://h:1 takes no instruction set: leave it out");
  EXPECT_EQ(with({"--device", "reference", "--isa", "sse2"}),
            "--isa: reference takes no instruction set: leave it out");
  EXPECT_EQ(with({"--worker", "h:1", "--threads", "1"}),
            "--worker: the workers' devices train: leave --threads out");
  EXPECT_EQ(with({"--worker", "h:1", "--isa", "sse2"}),
            "--worker: the workers' devices train: leave --isa out");
  const std::string workers = "grpc://h:1 takes no instruction set: leave it out";
  EXPECT_EQ(refused({"advise", "iris_mlp", "--devices", "grpc://h:1", "--isa", "sse2"}), "--isa: " + workers);
  EXPECT_EQ(refused({"study", "steps", "--device", "grpc://h:1", "--isa", "sse2"}), "--isa: " + workers);
  EXPECT_EQ(refused({"study", "scaling", "--device", "grpc://h:1", "--isa", "sse2"}), "--isa: " + workers);
  EXPECT_EQ(refused({"study", "steps", "--device", "grpc://h:1", "--device", "grpc://h:2", "--threads", "2"}),
            "--threads: grpc://h:1, grpc://h:2 have threads of their own: leave it out");
}

TEST(CommandsTest, StepsPerExecutionAreRefusedWhereTheyChangeNothing) {
  for (const char* const workload :
       {"limit", "data_slices_iris", "checkpoint_fit", "iris_fit_auto", "mnist_predict"})
    EXPECT_EQ(refused({"bench", workload, "--steps-per-execution", "3"}),
              fmt::format("--steps-per-execution: {} does not run by it: leave it out", workload));
}

TEST(CommandsTest, OptionsThatChangeNothingBesideOthersAreRefused) {
  for (const char* const option : {"--link-latency", "--link-bandwidth"})
    EXPECT_NE(refused({"study", "scaling", "--calls", "f", option, "1"}).find("excludes"), std::string::npos);
  EXPECT_NE(refused({"explain", "iris_mlp", "--stage", "plan", "--measure"}).find("excludes"),
            std::string::npos);
  for (const std::vector<std::string>& given :
       {std::vector<std::string>{"--workloads", "iris_mlp"}, {"--isa", "sse2"}, {"--seconds", "1"}})
    EXPECT_EQ(refused({"study", "cost", given[0], given[1], "--", "true"}),
              given[0] + ": a command after -- is run whole and unchanged: leave it out");
}

TEST(CommandsTest, AFileThatIsNotThereIsNoUnknownWorkload) {
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"explain", "nope.mlir"},
                                                    {"advise", "nope.keras"},
                                                    {"compile", "nope.mlir", "--target", "h200"}}) {
    const std::string message = refused(arguments);
    EXPECT_NE(message.find("No such file"), std::string::npos) << message;
    EXPECT_NE(message.find(arguments[1]), std::string::npos) << message;
  }
}

TEST(CommandsTest, AWorkersAddressMayHaveFields) {
  const std::string message =
      refused({"bench", "iris_mlp", "--worker", "localhost:1,token_file=/no/such/token"});
  EXPECT_EQ(message.find("no backend is called \"localhost\""), std::string::npos) << message;
  EXPECT_NE(message, "accepted");
  const std::string nothing = refused({"bench", "iris_mlp", "--worker", ""});
  EXPECT_NE(nothing.find("--worker: \"\" is empty"), std::string::npos) << nothing;
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
