#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "cli/study/machine_log.h"
#include "cli/study_run.h"
#include "cli/study_steps.h"
#include "cornu/base/error.h"
#include "cornu/tensor/device.h"

namespace cornu::inline v0::cli {
namespace {

using Json = nlohmann::ordered_json;

struct StudyMergeTest : testing::Test {
  std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("cornu_study_merge_test_" + std::to_string(getpid()));
  StudyMergeTest() { std::filesystem::create_directories(folder); }
  ~StudyMergeTest() override {
    std::filesystem::remove_all(folder);
    set_default_client(nullptr);
  }
  std::string path(const std::string& name) const { return (folder / name).string(); }

  /// The log of a machine that takes `serial` + `parallel` / n seconds.
  void write(const std::string& host, const std::string& type, double serial, double parallel,
             const std::vector<int>& threads) const {
    std::ofstream file(path(host + ".log"));
    const Json machine = {
        {"processor", "processor of " + host}, {"architecture", "x86_64"}, {"instance_type", type}};
    file << Json{{"study", study::machine_log_header(host, machine)}}.dump() << "\n";
    double clock = 100;
    for (const int n : threads) {
      const double milliseconds = 1e3 * (serial + parallel / n);
      const study::MachineLogEntry entry{
          .program = "train",
          .isa = "",
          .device = "cpu",
          .threads = n,
          .milliseconds = {milliseconds, 1.01 * milliseconds, 0.99 * milliseconds},
          .wall_seconds = clock,
          .steady_seconds = clock};
      clock += 10;
      file << Json{{"name", entry.name()}, {"value", study::to_json(entry)}}.dump() << "\n";
    }
  }
};

/// Rows of a table as objects by the columns' names.
std::vector<Json> rows_of(const study::Table& table) {
  const Json json = study::to_json(table);
  return json["rows"].get<std::vector<Json>>();
}

TEST_F(StudyMergeTest, AMergedStudyReproducesEachMachinesTimesExactlyAndPredictsTheRestApart) {
  write("h1", "c7i.2xlarge", 1, 8, {1, 2, 4});
  write("h2", "m7i.xlarge", 2, 12, {1, 2});
  const study::Report report =
      study_merge({.logs = {path("h1.log"), path("h2.log")}, .rental = {.prices = {"aws"}}});
  ASSERT_EQ(report.tables[0].rows.size(), 2U);
  int num_measured = 0, num_predicted = 0;
  for (const Json& row : rows_of(report.tables[1])) {
    const double n = row["threads"].get<double>();
    const double exact = row["host"] == "h1" ? 1 + 8 / n : 2 + 12 / n;
    if (row["measured"].is_null()) {
      ++num_predicted;
      EXPECT_EQ(row["host"], "h2") << row;
      EXPECT_NEAR(row["predicted"].get<double>(), exact, 1e-9);
    } else {
      ++num_measured;
      EXPECT_EQ(row["measured"].get<double>(), 1e-3 * (1e3 * exact)) << row;
      EXPECT_TRUE(row["predicted"].is_null());
    }
  }
  EXPECT_EQ(num_measured, 5);
  EXPECT_EQ(num_predicted, 1);
  ASSERT_FALSE(report.conclusions.empty());
  EXPECT_NE(report.conclusions[0].find("train: h1 with 4 threads takes 3.0 s (90 %: "), std::string::npos)
      << report.conclusions[0];
  EXPECT_NE(report.conclusions[0].find("h1 is the fastest of 2"), std::string::npos) << report.conclusions[0];
  const std::string html = study::to_html(report);
  EXPECT_NE(html.find("the whole training by threads"), std::string::npos);
  EXPECT_NE(html.find("4 threads: 5 s (predicted)"), std::string::npos) << "marked in the plot too";
}

TEST_F(StudyMergeTest, OnlyMachinesWhoseTypeWasMeasuredArePriced) {
  write("h1", "c7i.xlarge", 1, 8, {1, 2, 4});
  const study::Report report = study_merge({.logs = {path("h1.log")}, .rental = {.prices = {"aws"}}});
  int num_known = 0;
  for (const Json& row : rows_of(report.tables[2])) {
    if (row["training"].is_null()) {
      EXPECT_NE(row["law_and_error"].get<std::string>().find("not known"), std::string::npos) << row;
      continue;
    }
    ++num_known;
    EXPECT_EQ(row["machine"], "c7i.xlarge");
    EXPECT_EQ(row["training"].get<double>(), 3.0);
    EXPECT_NE(row["law_and_error"].get<std::string>().find("measured with 4 threads"), std::string::npos)
        << row;
  }
  EXPECT_EQ(num_known, 1);
  EXPECT_NE(report.notes.back().find("Not known are"), std::string::npos) << report.notes.back();
  EXPECT_NE(report.notes.back().find("cornu study run"), std::string::npos);
}

TEST_F(StudyMergeTest, RunWritesALogThatMergesAndGoesOn) {
  StudyRunOptions options{.workloads = {"iris_mlp"},
                          .threads = {1},
                          .isas = {"sse2"},
                          .devices = {"sim:ideal,step_seconds=0.002", "sim:ideal,lose_at_launch=2"},
                          .seconds = 0.02,
                          .repeats = 3,
                          .host = "here",
                          .instance_type = "n2d-standard-4",
                          .log = path("here.log")};
  const study::Report measured = study_run(options);
  ASSERT_EQ(measured.tables[0].rows.size(), 2U);
  ASSERT_EQ(measured.warnings.size(), 1U) << "the device that was lost";
  options.resumes = true;
  const study::Report again = study_run(options);
  EXPECT_EQ(study::to_json(again.tables[0]), study::to_json(measured.tables[0]))
      << "nothing was measured again";
  const study::Report merged = study_merge({.logs = {options.log}, .rental = {.prices = {"gcp"}}});
  const std::vector<Json> rows = rows_of(merged.tables[1]);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0]["device"], options.devices[0]);
  EXPECT_TRUE(rows[0]["measured"].is_null());
  EXPECT_NEAR(rows[0]["simulated"].get<double>(), 20, 1e-6) << "10,000 steps of 2 ms";
  EXPECT_EQ(rows[1]["measured"].get<double>(), 1e-3 * measured.tables[0].rows[0][4].get<double>() * 10000);
  EXPECT_THROW(study_run({.workloads = {"iris_mlp"}}), Error) << "no file";
  EXPECT_THROW(study_run({.workloads = {"nothing"}, .log = path("x.log")}), Error);
  EXPECT_THROW(study_run({.devices = {"cpu"}, .command = {"true"}, .log = path("x.log")}), Error);
}

TEST_F(StudyMergeTest, AnyProgramIsMeasuredByRunAndBySteps) {
  const study::Report run = study_run({.threads = {1},
                                       .command = {"sleep", "0.02"},
                                       .command_name = "train",
                                       .repeats = 3,
                                       .log = path("c.log")});
  ASSERT_EQ(run.tables[0].rows.size(), 1U);
  EXPECT_EQ(run.tables[0].rows[0][0], "train");
  EXPECT_GE(run.tables[0].rows[0][4].get<double>(), 20);
  StudyStepsOptions options{.steps_per_execution = {1, 10},
                            .repeats = 3,
                            .command = {"sh", "-c", "if [ {K} = 1 ]; then sleep 0.4; fi"}};
  options.machine.threads = 1;
  const study::Report steps = study_steps(options);
  ASSERT_EQ(steps.tables[0].rows.size(), 2U);
  EXPECT_NE(steps.conclusions[0].find("sh: K = 10 is the fastest with"), std::string::npos)
      << steps.conclusions[0];
  options.command = {"true"};
  try {
    study_steps(options);
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("no argument of \"true\" has {K}"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace cornu::inline v0::cli
