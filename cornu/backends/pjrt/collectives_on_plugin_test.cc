#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "cornu/backends/pjrt/compile.h"
#include "cornu/backends/pjrt/discovery.h"
#include "cornu/backends/pjrt/plugin_test_support.h"
#include "cornu/backends/reference/interpreter.h"
#include "cornu/ir/print.h"
#include "cornu/ops/all.h"
#include "cornu/transform/replicate.h"

// Collectives between devices of the plug-in for CPUs give what one graph of all replicas does.
namespace cornu::inline v0::backends::pjrt {
namespace {

using ir::DType;
using ir::Literal;
using Operands = std::span<const ir::Value>;
using Build = std::function<ir::Value(ir::Builder&, Operands)>;

constexpr std::size_t kReplicas = 4;

std::unique_ptr<ir::Function> program(const ir::TensorType& type, const Build& build) {
  auto function = std::make_unique<ir::Function>();
  function->name = "main";
  const ir::Value x = function->body.add_argument(type);
  ir::Builder b(function->body);
  function->body.set_results({build(b, {&x, 1})});
  return function;
}

class CollectivesOnPluginTest : public CpuPluginTest {
 protected:
  static Connection& connection() {
    static auto& connection =
        *new Connection(Plugin::load("cpu", find_plugin("cpu").path), "cpu_device_count=4", 0);
    return connection;
  }

  /// One result a replica.
  static std::vector<Literal> run_on_devices(const ir::Function& function,
                                             const std::vector<Literal>& arguments) {
    Connection& c = connection();
    CompileOptions options;
    for (int device = 0; device < static_cast<int>(kReplicas); ++device)
      options.devices.push_back(c.device_id(device));
    const CompiledProgram compiled =
        compile(c, function.name, ir::to_stablehlo(function), options, ExecutableCache(""));
    std::vector<OwnedBuffer> inputs;
    PJRT_Buffer* values[kReplicas];
    PJRT_Buffer* const* argument_lists[kReplicas];
    PJRT_Buffer* results[kReplicas] = {};
    PJRT_Buffer** result_lists[kReplicas];
    PJRT_Event* done[kReplicas] = {};
    for (std::size_t i = 0; i < kReplicas; ++i) {
      inputs.push_back(c.send(arguments[i].type(), static_cast<int>(i), arguments[i].bytes().data(),
                              Connection::Send::kCopy, nullptr));
      values[i] = inputs.back().get();
      argument_lists[i] = &values[i];
      result_lists[i] = &results[i];
    }
    CallArguments<PJRT_ExecuteOptions> execute_options;
    CallArguments<PJRT_LoadedExecutable_Execute_Args> execute;
    execute->executable = compiled.executable.get();
    execute->options = execute_options.get();
    execute->argument_lists = argument_lists;
    execute->num_devices = kReplicas;
    execute->num_args = 1;
    execute->output_lists = result_lists;
    execute->device_complete_events = done;
    c.plugin().call(&PJRT_Api::PJRT_LoadedExecutable_Execute, execute, "run a program");
    std::vector<Literal> found;
    for (std::size_t i = 0; i < kReplicas; ++i) {
      const OwnedEvent complete(c.plugin(), done[i]);
      complete.wait("run a program");
      const OwnedBuffer result(c.plugin(), results[i]);
      found.emplace_back(function.body.results()[0].type());
      c.receive(result.get(), found.back().type(), found.back().mutable_bytes().data()).wait("give a tensor");
    }
    return found;
  }

  static void expect_as_defined(const char* name, const Build& build) {
    SCOPED_TRACE(name);
    const ir::TensorType type{DType::kF32, {4, 2}};
    std::vector<Literal> arguments;
    for (std::size_t replica = 0; replica < kReplicas; ++replica) {
      arguments.emplace_back(type);
      const std::span<float> values = arguments.back().mutable_data<float>();
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(replica * 10 + i);
    }
    const auto function = program(type, build);
    const std::vector<Literal> expected =
        backends::reference::evaluate(*transform::replicate(*function, kReplicas), arguments);
    const std::vector<Literal> found = run_on_devices(*function, arguments);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_EQ(found[i], expected[i]) << "replica " << i;
  }
};

TEST_F(CollectivesOnPluginTest, DevicesExchangeWhatTheGraphOfAllReplicasSays) {
  const ops::ReplicaGroups groups{.groups = {{0, 2}, {3, 1}}};
  expect_as_defined("all_reduce", [&](auto& b, auto v) { return ops::all_reduce_sum(b, v[0], groups); });
  expect_as_defined("all_gather", [&](auto& b, auto v) { return ops::all_gather(b, v[0], 1, groups); });
  expect_as_defined("reduce_scatter",
                    [&](auto& b, auto v) { return ops::reduce_scatter_sum(b, v[0], 0, groups); });
  expect_as_defined("all_to_all", [&](auto& b, auto v) {
    return ops::all_to_all(b, v[0], {.split_dimension = 0, .concat_dimension = 1}, groups);
  });
  expect_as_defined("collective_permute", [](auto& b, auto v) {
    return ops::collective_permute(b, v[0], {{0, 1}, {1, 2}, {2, 0}});
  });
  expect_as_defined("replica_id", [](auto& b, auto v) {
    const ir::Value id = ops::convert(b, ops::replica_id(b), DType::kF32);
    return ops::add(b, v[0], ops::broadcast_scalar(b, id, v[0].dims()));
  });
}

}  // namespace
}  // namespace cornu::inline v0::backends::pjrt
