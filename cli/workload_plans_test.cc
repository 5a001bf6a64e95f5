#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>

#include "cli/workloads.h"
#include "cornu/backends/cpu/memory/cpu_buffer.h"
#include "cornu/backends/cpu/op/group_kernel.h"
#include "cornu/backends/cpu/plan/plan.h"

// Plans of every workload's steps, made without machine code. At sse2, which never uses oneDNN, they are the
// same on every machine.
namespace cornu::inline v0::cli {
namespace {

using backends::cpu::Group;
using backends::cpu::Plan;

/// The kind of a group, or the library or method of its kernel: "loop", "winograd".
std::string kind_of(const Group& group) {
  if (const auto* kind = group.as<backends::cpu::KernelGroup>()) return std::string(kind->kernel->name());
  return backends::cpu::group_kind_name(group);
}

/// One line: the number of groups, how many of each kind, the arena, and the bytes that all groups read and
/// write.
std::string summary_of(const Plan& plan) {
  std::map<std::string, int> kinds;
  double bytes = 0;
  backends::cpu::for_each_group(plan, [&](const Group& group, int) {
    ++kinds[kind_of(group)];
    bytes += group.bytes;
  });
  std::string text;
  for (const auto& [kind, count] : kinds)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", kind, count);
  return fmt::format("{} groups ({}), arena {} B, traffic {:.0f} B", plan.num_groups, text, plan.arena_bytes,
                     bytes);
}

/// Holds a summary of the plan instead of machine code.
class PlannedStep final : public runtime::Executable {
 public:
  explicit PlannedStep(const Plan& plan) : summary_(summary_of(plan)) {
    backends::cpu::for_each_group(plan, [&](const Group& group, int) {
      stats_.num_reference_fallbacks += group.is<backends::cpu::ReferenceGroup>();
    });
  }
  runtime::Submission execute(const runtime::Execution&) override {
    throw Error(ErrorCode::kUnimplemented, "a planned step has no machine code");
  }
  const runtime::CompileStats& stats() const override { return stats_; }
  std::string explain(const runtime::Profiler*) const override { return summary_; }
  std::string dump(const std::string&) const override { return summary_; }

 private:
  std::string summary_;
  runtime::CompileStats stats_;
};

/// Plans steps for two threads of an instruction set level that this machine need not have.
class PlanningClient final : public runtime::Client {
 public:
  explicit PlanningClient(IsaLevel level)
      : Client({{.type = "CPU", .kind = "planned"}}), target_(backends::cpu::level_target(level)) {}
  std::string platform() const override { return "cpu"; }
  std::string description() const override { return "plans and runs nothing"; }
  std::unique_ptr<runtime::Executable> compile(const runtime::StepProgram& program) override {
    backends::cpu::PlanOptions options;
    options.vector_lanes = target_.lanes;
    options.target = target_;
    options.num_threads = 2;
    return std::make_unique<PlannedStep>(make_plan(program, options));
  }
  std::unique_ptr<runtime::EagerProgram> prepare(const ir::Function& function) override {
    return initializers_->prepare(function);
  }

 protected:
  std::unique_ptr<runtime::Buffer> do_allocate(const ir::TensorType& type, int) override {
    return std::make_unique<backends::cpu::CpuBuffer>(type, this);
  }

 private:
  backends::cpu::Target target_;
  std::shared_ptr<runtime::Client> initializers_ = runtime::make_client("cpu", {.num_threads = 1});
};

class WorkloadPlansTest : public ::testing::TestWithParam<IsaLevel> {
 protected:
  void SetUp() override { set_default_client(std::make_shared<PlanningClient>(GetParam())); }
  void TearDown() override { set_default_client(nullptr); }

  /// Calls `visit(name of the step, step)` for the training and the prediction step of every workload.
  template <typename F>
  static void for_each_step(const F& visit) {
    for (Workload workload : workloads()) {
      workload.num_rows = workload.batch_size;
      const WorkloadData data = make_data(workload);
      keras::Model model = workload.make_model();
      model.compile(workload.compile_options());
      visit(workload.name + " train",
            model.train_executable(data.x, data.y, {.batch_size = workload.batch_size}));
      visit(workload.name + " predict",
            model.predict_executable(data.x, {.batch_size = workload.batch_size}));
    }
  }
};

TEST_P(WorkloadPlansTest, NoOpRunsByItsReferenceKernel) {
  for_each_step([](const std::string& name, const runtime::Executable& step) {
    EXPECT_EQ(step.stats().num_reference_fallbacks, 0) << name;
  });
}

INSTANTIATE_TEST_SUITE_P(Levels, WorkloadPlansTest,
                         ::testing::Values(IsaLevel::kSse2, IsaLevel::kAvx2, IsaLevel::kAvx512),
                         [](const auto& level) { return std::string(isa_level_name(level.param)); });

using GoldenPlansTest = WorkloadPlansTest;

TEST_P(GoldenPlansTest, GroupsArenaAndTrafficAreTheCommittedOnes) {
  const std::string path = "tests/goldens/workload_plans.txt";
  std::string now;
  for_each_step([&](const std::string& name, const runtime::Executable& step) {
    now += fmt::format("{}: {}\n", name, step.explain());
  });
  std::stringstream committed;
  committed << std::ifstream(path).rdbuf();
  const std::string written = ::testing::TempDir() + "workload_plans.txt";
  if (committed.str() != now) std::ofstream(written) << now;
  EXPECT_EQ(committed.str(), now)
      << "A plan changed. `cornu explain NAME --isa sse2 --stage plan` shows it, tools/dump_plans.sh all of "
         "them. If it is better: cp "
      << written << " " << path;
}

INSTANTIATE_TEST_SUITE_P(Level, GoldenPlansTest, ::testing::Values(IsaLevel::kSse2),
                         [](const auto& level) { return std::string(isa_level_name(level.param)); });

}  // namespace
}  // namespace cornu::inline v0::cli
