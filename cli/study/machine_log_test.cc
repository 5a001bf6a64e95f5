#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "cli/study/machine_facts.h"
#include "cli/study/machine_log.h"
#include "cornu/base/error.h"
#include "cornu/base/error_test_support.h"

namespace cornu::inline v0::study {
namespace {

using Json = nlohmann::ordered_json;

struct MachineLogTest : testing::Test {
  std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("cornu_machine_log_test_" + std::to_string(getpid()));
  MachineLogTest() { std::filesystem::create_directories(folder); }
  ~MachineLogTest() override { std::filesystem::remove_all(folder); }
  std::string path(const std::string& name) const { return (folder / name).string(); }

  static MachineLogEntry entry(const std::string& program, int threads, double wall, double steady) {
    return {.program = program,
            .isa = "avx2",
            .device = "cpu",
            .threads = threads,
            .steps = 10,
            .milliseconds = {1.0, 1.5, 1.25},
            .wall_seconds = wall,
            .steady_seconds = steady};
  }

  /// Writes a log; `header` replaces fields of its first line.
  void write(const std::string& name, const std::vector<MachineLogEntry>& entries,
             const Json& header = {}) const {
    Json first = machine_log_header("h1", {{"processor", "A"}});
    if (!header.is_null()) first.update(header);
    std::ofstream file(path(name));
    file << Json{{"study", first}}.dump() << "\n";
    for (const MachineLogEntry& each : entries)
      file << Json{{"name", each.name()}, {"value", to_json(each)}}.dump() << "\n";
  }

  std::string refused(const std::string& name) const {
    return error_text_of(ErrorCode::kInvalidArgument, [&] { read_machine_log(path(name)); });
  }
};

TEST_F(MachineLogTest, ReadsBackExactlyWhatWasWritten) {
  write("a.log", {entry("x", 1, 1000, 5), entry("x", 2, 1010, 15)});
  const MachineLog log = read_machine_log(path("a.log"));
  EXPECT_EQ(log.host, "h1");
  EXPECT_EQ(log.machine["processor"], "A");
  ASSERT_EQ(log.entries.size(), 2U);
  EXPECT_EQ(log.entries[1].milliseconds, (Repeats{1.0, 1.5, 1.25}));
  EXPECT_EQ(log.entries[1].training_seconds()[1], 1e-3 * 1.5 * 10);
  EXPECT_TRUE(log.warnings.empty());
}

TEST_F(MachineLogTest, LogsOfOtherVersionsAndCommandsAreRefused) {
  write("new.log", {}, {{"format", 2}, {"version", "0.9.0"}});
  EXPECT_EQ(refused("new.log"),
            "[study] \"" + path("new.log") +
                "\" has format 2, of Cornu 0.9.0, and this program reads format 1: merge with that "
                "version");
  write("steps.log", {}, {{"kind", "steps"}});
  EXPECT_NE(
      refused("steps.log").find("is a log of `cornu study steps`: merge takes logs of `cornu study run`"),
      std::string::npos);
  std::ofstream(path("text.log")) << "hello\n";
  EXPECT_NE(refused("text.log").find("line 1: is no line of a log"), std::string::npos);
  std::ofstream(path("empty.log")).flush();
  EXPECT_NE(refused("empty.log").find("has no line"), std::string::npos);
}

TEST_F(MachineLogTest, ALastLineThatWasCutOffIsLeftOutAndAWrongOneIsNamed) {
  write("a.log", {entry("x", 1, 1000, 5)});
  std::ofstream(path("a.log"), std::ios::app) << R"({"name": "y", "val)";
  const MachineLog log = read_machine_log(path("a.log"));
  EXPECT_EQ(log.entries.size(), 1U);
  ASSERT_EQ(log.warnings.size(), 1U);
  EXPECT_NE(log.warnings[0].find("was cut off and is left out"), std::string::npos);
  write("b.log", {entry("x", 1, 1000, 5)});
  Json wrong = to_json(entry("x", 2, 1001, 6));
  wrong["milliseconds"] = {1.0, -1.0};
  std::ofstream(path("b.log"), std::ios::app) << Json{{"name", "x"}, {"value", wrong}}.dump() << "\n";
  EXPECT_NE(refused("b.log").find("line 3: is no line of a log"), std::string::npos);
}

TEST_F(MachineLogTest, AClockThatJumpedIsNamedAndTheTimesStay) {
  write("a.log",
        {entry("x", 1, 1000, 5), entry("x", 2, 8210, 15), entry("x", 4, 8220, 25), entry("y", 1, 1220, 35)});
  const MachineLog log = read_machine_log(path("a.log"));
  ASSERT_EQ(log.warnings.size(), 2U);
  EXPECT_NE(log.warnings[0].find("The clock of h1 jumped by 2.0 h before x/avx2/2"), std::string::npos)
      << log.warnings[0];
  EXPECT_NE(log.warnings[1].find("jumped by -117 min before y/avx2/1"), std::string::npos) << log.warnings[1];
  EXPECT_EQ(log.entries.size(), 4U);
  // After a restart of the machine the steady clock begins anew.
  write("b.log", {entry("x", 1, 1000, 500), entry("x", 2, 9000, 15)});
  EXPECT_TRUE(read_machine_log(path("b.log")).warnings.empty());
}

TEST_F(MachineLogTest, TheSameHostTwiceIsJoinedAndNothingIsLost) {
  write("a.log", {entry("x", 1, 1000, 5)});
  write("b.log", {entry("x", 1, 2000, 5), entry("x", 2, 2010, 15)});
  write("c.log", {entry("x", 1, 1000, 5)}, {{"machine", {{"processor", "A"}, {"processors", 2}}}});
  std::ofstream(path("bad.log")) << "no\n";
  const JoinedLogs joined = join_machine_logs({path("a.log"), path("b.log"), path("bad.log"), path("c.log")});
  ASSERT_EQ(joined.logs.size(), 2U);
  EXPECT_EQ(joined.logs[0].entries.size(), 2U);
  EXPECT_EQ(joined.logs[1].host, "h1 (2)") << "another machine of that name";
  ASSERT_EQ(joined.warnings.size(), 2U);
  EXPECT_NE(joined.warnings[0].find(
                "are of the same host, h1: 1 of the 2 measurements of the second one are added"),
            std::string::npos)
      << joined.warnings[0];
  EXPECT_NE(joined.warnings[1].find("bad.log\" is left out"), std::string::npos);
  EXPECT_NE(error_text_of(ErrorCode::kUnavailable, [&] { join_machine_logs({path("none.log")}); })
                .find("no log can be merged"),
            std::string::npos);
  EXPECT_THROW(join_machine_logs({}), Error);
}

/// Writes a file below a root folder.
void put(const std::filesystem::path& root, const std::string& name, const std::string& text) {
  std::filesystem::create_directories((root / name).parent_path());
  std::ofstream(root / name) << text;
}

TEST(MachineFactsTest, CloudTypeAndGpusAreReadFromFilesWithoutANetwork) {
  const std::filesystem::path root =
      std::filesystem::temp_directory_path() / ("cornu_machine_facts_" + std::to_string(getpid()));
  const auto names = [&] { return read_machine_names(root); };
  EXPECT_EQ(names().cloud, "") << "nothing is there";
  const std::string vendor = "sys/class/dmi/id/sys_vendor", product = "sys/class/dmi/id/product_name",
                    init = "run/cloud-init/instance-data.json";
  put(root, vendor, "Amazon EC2\n");
  put(root, product, "c7i.xlarge\n");
  EXPECT_EQ(names().cloud, "aws");
  EXPECT_EQ(names().instance_type, "c7i.xlarge") << "the firmware has it";
  put(root, vendor, "Google\n");
  put(root, product, "Google Compute Engine\n");
  EXPECT_EQ(names().cloud, "gcp");
  EXPECT_EQ(names().instance_type, "") << "the firmware does not have it";
  put(root, init, R"({"ds": {"meta_data": {"machine-type": "projects/1/machineTypes/n2-standard-4"}}})");
  EXPECT_EQ(names().instance_type, "n2-standard-4");
  put(root, vendor, "Microsoft Corporation\n");
  EXPECT_EQ(names().cloud, "") << "a virtual machine of that vendor, but not in its cloud";
  put(root, "sys/class/dmi/id/chassis_asset_tag", "7783-7084-3265-9085-8269-3286-77\n");
  put(root, init, R"({"ds": {"meta_data": {"imds": {"compute": {"vmSize": "Standard_D4s_v5"}}}}})");
  EXPECT_EQ(names().cloud, "azure");
  EXPECT_EQ(names().instance_type, "Standard_D4s_v5");
  for (const char* const text :
       {"", "{", "[]", R"({"ds": 3})", R"({"ds": {"meta_data": {"imds": "redacted"}}})"}) {
    put(root, init, text);
    EXPECT_EQ(names().instance_type, "") << text;
  }
  put(root, "proc/driver/nvidia/gpus/0000:01:00.0/information", "Model: \t\t NVIDIA L4\nIRQ: 1\n");
  put(root, "proc/driver/nvidia/gpus/0000:02:00.0/information", "Model: NVIDIA L4\n");
  put(root, "sys/class/drm/card0/device/product_name", "AMD Instinct MI300X\n");
  put(root, "sys/class/drm/card0-DP-1/device/product_name", "a connector\n");
  EXPECT_EQ(names().gpus, (std::vector<std::string>{"NVIDIA L4", "NVIDIA L4", "AMD Instinct MI300X"}));
  std::filesystem::remove_all(root);
  const Json machine = describe_machine();
  EXPECT_EQ(machine["architecture"], "x86_64");
  EXPECT_GT(machine["memory_gib"].get<double>(), 0);
}

}  // namespace
}  // namespace cornu::inline v0::study
