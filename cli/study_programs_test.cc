// Studies of other programs: their processes, scripts of other libraries, and advice.
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>

#include "cli/advise_command.h"
#include "cli/child_process.h"
#include "cli/cost_forecast.h"
#include "cli/study_cost.h"
#include "cli/study_hosts.h"
#include "cli/study_peers.h"
#include "cli/study_run.h"
#include "cli/study_steps.h"
#include "cli/timed_command.h"
#include "cornu/base/error.h"
#include "cornu/tensor/device.h"

namespace cornu::inline v0::cli {
namespace {

struct StudyProgramsTest : testing::Test {
  std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("cornu_study_programs_test_" + std::to_string(getpid()));
  StudyProgramsTest() { std::filesystem::create_directories(folder); }
  ~StudyProgramsTest() override {
    std::filesystem::remove_all(folder);
    set_default_client(nullptr);
  }
  std::string path(const std::string& name) const { return (folder / name).string(); }

  /// A program with this shell script.
  std::string script(const std::string& name, const std::string& text) const {
    std::ofstream(path(name)) << "#!/bin/sh\n" << text << "\n";
    std::filesystem::permissions(path(name), std::filesystem::perms::owner_all);
    return path(name);
  }
};

template <typename Work>
std::string message_of(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

bool has_text(const std::vector<std::string>& sentences, const std::string& text) {
  for (const std::string& sentence : sentences)
    if (sentence.find(text) != std::string::npos) return true;
  return false;
}

TEST_F(StudyProgramsTest, AProcessAndItsChildrenEndAtItsLimitAndAfterSilence) {
  const auto begin = std::chrono::steady_clock::now();
  ProcessEnd end = run_process({"sh", "-c", "sleep 3600; true"}, {.limit_seconds = 0.2});
  EXPECT_EQ(end.reason, EndReason::kLimit);
  EXPECT_EQ(end.signal, 9);
  std::vector<std::string> lines;
  const auto keep = [&](const std::string& line, double) {
    lines.push_back(line);
    return true;
  };
  end = run_process({"sh", "-c", "echo a; echo b >&2; echo c; sleep 3600; true"},
                    {.on_line = keep, .errors = ErrorOutput::kKept, .silence_seconds = 0.3});
  EXPECT_EQ(end.reason, EndReason::kSilence);
  EXPECT_EQ(lines, (std::vector<std::string>{"a", "c"}));
  EXPECT_EQ(last_line_of(end.errors), "b");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::minutes(10));
  // What was written last is read, also if a grandchild keeps the pipe open.
  lines.clear();
  end = run_process({"sh", "-c", "sleep 5 & echo last"}, {.on_line = keep});
  EXPECT_EQ(end.reason, EndReason::kItself);
  EXPECT_EQ(lines, std::vector<std::string>{"last"});
  end = run_process({"sh", "-c", "i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done"}, {});
  EXPECT_GT(end.user_seconds + end.system_seconds, 0);
  EXPECT_NE(message_of([] { time_command({"sleep", "3600"}, 1, 0.1); }).find("did not end within 0.1 s"),
            std::string::npos);
}

TEST_F(StudyProgramsTest, ACommandThatFailsWithSomeThreadsIsLeftOutAndTheRestIsKept) {
  const std::string half = script("half", "test \"$OMP_NUM_THREADS\" = 1");
  const bool has_two = [] {
    try {
      time_command({"true"}, 2);
    } catch (const Error&) {
      return false;
    }
    return true;
  }();
  if (!has_two) GTEST_SKIP() << "one processor";
  const study::Report report =
      study_run({.threads = {2, 1}, .command = {half}, .repeats = 2, .log = path("half.log")});
  EXPECT_EQ(report.tables[0].rows.size(), 1U);
  ASSERT_EQ(report.warnings.size(), 1U);
  EXPECT_NE(report.warnings[0].find("with 2 threads is left out: "), std::string::npos) << report.warnings[0];
  EXPECT_NE(message_of([&] {
              study_run({.threads = {1},
                         .command = {"sleep", "3600"},
                         .repeats = 1,
                         .log = path("hang.log"),
                         .limit_seconds = 0.1});
            })
                .find("nothing could be measured: sleep with 1 thread is left out: [study] \"sleep\" did not "
                      "end within 0.1 s"),
            std::string::npos);
}

TEST_F(StudyProgramsTest, OtherLibrariesAreRowsBesideCornu) {
  // A Python that "trains": its step takes 4 ms, and it shows that its script exists.
  const std::string python =
      script("python",
             "test -f \"$1\" || exit 9\n"
             "echo '{\"ms_step\": 4.0, \"first_fit_s\": 0.5, \"peer\": \"'$KERAS_BACKEND'\"}'");
  StudyCostOptions options{
      .workloads = {"iris_mlp"}, .threads = {1}, .isas = {"sse2"}, .seconds = 0.02, .repeats = 3};
  options.peers = {parse_peer("tensorflow=" + python), parse_peer("torch=" + path("nothing"))};
  std::ofstream(path("prices.json")) << R"({"version": 1, "date": "2026-11-01", "currency": "USD",
      "source": "made", "reference": "one", "billing_seconds": 0.001, "assume_measured_processor": true,
      "machines": [{"name": "one", "vcpus": 1, "price_per_hour": 1.0}]})";
  options.rental.prices = {path("prices.json")};
  const study::Report report = study_cost(options);
  ASSERT_EQ(report.tables[0].rows.size(), 2U) << study::to_text(report);
  EXPECT_EQ(report.tables[0].rows[1][0], "iris_mlp with tensorflow");
  EXPECT_EQ(report.tables[0].rows[1][4], 4.0);
  EXPECT_EQ(report.tables[0].rows[1][7], 40.0) << "10,000 steps";
  EXPECT_TRUE(has_text(report.warnings,
                       "iris_mlp with torch with 1 thread is left out: [study] torch: there is no program"))
      << study::to_text(report);
  EXPECT_TRUE(
      has_text(report.conclusions, "iris_mlp, on demand (predicted): iris_mlp on one (1 vCPUs) costs "))
      << study::to_text(report);
  EXPECT_TRUE(has_text(report.conclusions, "the first one is cheaper")) << study::to_text(report);
  StudyStepsOptions steps{.networks = {"iris_mlp"},
                          .batch_sizes = {20, 21},
                          .steps_per_execution = {1, 10},
                          .steps = 20,
                          .repeats = 1};
  steps.devices = {"sim:ideal,step_seconds=0.001"};
  steps.peers = {parse_peer("keras-jax=" + python)};
  const study::Report by_steps = study_steps(steps);
  EXPECT_EQ(by_steps.tables[0].rows.size(), 6U) << study::to_text(by_steps);
  EXPECT_EQ(by_steps.tables[0].rows[4][2], "iris_mlp with keras-jax");
  EXPECT_EQ(by_steps.tables[0].rows[4][7], 0.08) << "20 steps of 4 ms";
  EXPECT_TRUE(has_text(by_steps.warnings, "has no batch of 21")) << study::to_text(by_steps);
}

TEST_F(StudyProgramsTest, AMissingPackageAndUnknownLibrariesAreOneSentence) {
  const auto failure = [&](const std::string& text) {
    const PeerRequest peer = parse_peer("jax=" + script("python", text));
    return message_of([&] { run_peer(peer, "mnist_mlp", {}); });
  };
  EXPECT_NE(failure("echo \"ModuleNotFoundError: No module named 'jax'\" >&2; exit 1")
                .find("has no package 'jax': name a Python that has it, as in --with jax=PYTHON"),
            std::string::npos);
  EXPECT_NE(failure("echo \"error: argument workload: invalid choice: 'x'\" >&2; exit 2")
                .find("jax: its script does not have mnist_mlp"),
            std::string::npos);
  EXPECT_NE(failure("exit 3").find("its script ended with 3"), std::string::npos);
  EXPECT_NE(failure("echo hello").find("its script printed no figures"), std::string::npos);
  EXPECT_NE(failure("echo '{\"ms_step\": -1, \"first_fit_s\": 1}'").find("no figures"), std::string::npos);
  EXPECT_NE(message_of([] { parse_peer("pytorch"); }).find("did you mean \"torch\"?"), std::string::npos)
      << message_of([] { parse_peer("pytorch"); });
  EXPECT_THROW(parse_peer("jax="), Error);
}

TEST_F(StudyProgramsTest, AdviceForAProgramHasFiveSentences) {
  CommandAdviceOptions options{.command = {"sh", "-c", "if [ {K} = 1 ]; then true; fi"},
                               .steps_per_execution = {1, 10},
                               .threads = {1},
                               .repeats = 3};
  // K = 10 takes 20 ms of 400, half of it by its one processor.
  int num_runs = 0;
  const auto run = [&](const std::vector<std::string>& command, const ProcessOptions&) {
    const double seconds =
        (command[2].find("[ 1 = 1 ]") != std::string::npos ? 0.4 : 0.02) + 1e-4 * ++num_runs;
    return ProcessEnd{.seconds = seconds, .user_seconds = 0.5 * seconds};
  };
  study::Report report = advise_command(options, run);
  ASSERT_EQ(report.conclusions.size(), 5U);
  EXPECT_NE(report.conclusions[0].find("the processors compute in 50 % of it"), std::string::npos)
      << report.conclusions[0];
  EXPECT_EQ(report.conclusions[0].find("A run with 1 processor, K = 1 takes "), 0U) << report.conclusions[0];
  EXPECT_NE(report.conclusions[0].find("wait for input, a device or each other in "), std::string::npos);
  EXPECT_EQ(report.conclusions[1], "Only 1 processor was measured, so there is nothing to compare.");
  EXPECT_EQ(report.conclusions[2], "The least time has the run with 1 processor, K = 10.");
  EXPECT_EQ(report.conclusions[3].find("The run with 1 processor, K = 10 saves "), 0U)
      << report.conclusions[3];
  EXPECT_EQ(report.conclusions[4].find("The 3 repeats of a run differ by up to "), 0U);
  options.command = {"sh", "-c", "test {BATCH} = 32"};
  report = advise_command(options);
  EXPECT_EQ(report.tables[0].rows.size(), 1U);
  EXPECT_TRUE(has_text(report.warnings, "a run with 1 processor, batch 128 is left out"))
      << report.warnings[0];
  options.command = {"false"};
  EXPECT_NE(message_of([&] { advise_command(options); }).find("nothing could be measured"),
            std::string::npos);
}

TEST_F(StudyProgramsTest, HostsAreNamesOrAFileOfMpirun) {
  EXPECT_EQ(read_hosts("h1, user@h2"), (std::vector<std::string>{"h1", "user@h2"}));
  std::ofstream(path("hosts")) << "# two machines\nh1 slots=4\n\nh2   # the second one\n";
  EXPECT_EQ(read_hosts(path("hosts")), (std::vector<std::string>{"h1", "h2"}));
  EXPECT_EQ(log_of_host("a/study.log", "user@h2"), "a/study.user_h2.log");
  EXPECT_NE(message_of([] { read_hosts("h1,h1"); }).find("named twice"), std::string::npos);
  EXPECT_NE(message_of([] { read_hosts("-oProxyCommand=x"); }).find("no name of a host"), std::string::npos);
  EXPECT_NE(message_of([] { read_hosts(" , "); }).find("names no host"), std::string::npos);
  StudyRunOptions options{.log = "-"};
  options.hosts.hosts = "h1";
  EXPECT_NE(message_of([&] { study_run_on_hosts(options); }).find("--log study.log makes study.HOST.log"),
            std::string::npos);
}

TEST(TrainingLimitsTest, TheBestIsWithinTheLimitsWithCertaintyAndElseTheNearestIsNamed) {
  const study::PriceList prices = study::parse_prices(
      R"({"version": 1, "date": "2026-01", "currency": "USD", "reference": "a", "billing_seconds": 0.001,
        "machines": [{"name": "a", "vcpus": 1, "price_per_hour": 1}, {"name": "b", "vcpus": 8, "price_per_hour": 4,
        "spot_share": 0.25, "spot_interruptions_per_hour": 0.01}]})",
      "test");
  std::vector found{forecast(prices, prices.machines[0], 7200, {}),
                    forecast(prices, prices.machines[1], 3600, {})};
  const auto sentence = [&](const TrainingLimits& limits) { return best_within("x", prices, found, limits); };
  EXPECT_NE(sentence({.budget = 9.0}).find("no prediction is known"), std::string::npos);
  found[0].interval = study::Interval{7000, 7400};
  found[1].interval = study::Interval{3000, 4200};
  EXPECT_EQ(sentence({.deadline = study::Deadline{8000, "8:00"}})
                .find("x: the cheapest machine that ends before 8:00 with 90 % certainty is a in 2.0 h (90 "
                      "%: 117 min to 2.1 h) for $2.0 "
                      "(90 %: $1.9 to $2.1) (predicted)."),
            0U)
      << sentence({.deadline = study::Deadline{8000, "8:00"}});
  EXPECT_NE(
      sentence({.deadline = study::Deadline{7300, "2h"}}).find("ends within 2h with 90 % certainty is b"),
      std::string::npos)
      << "a may take longer: " << sentence({.deadline = study::Deadline{7300, "2h"}});
  EXPECT_NE(
      sentence({.budget = 2.5})
          .find("the fastest machine that costs at most $2.5 with 90 % certainty is b as a spot machine"),
      std::string::npos)
      << sentence({.budget = 2.5});
  EXPECT_NE(
      sentence({.budget = 0.5, .deadline = study::Deadline{100, "100"}})
          .find("no machine is known that ends within 100 and costs at most $0.50 with 90 % certainty; the "
                "nearest is "),
      std::string::npos)
      << sentence({.budget = 0.5, .deadline = study::Deadline{100, "100"}});
}

}  // namespace
}  // namespace cornu::inline v0::cli
