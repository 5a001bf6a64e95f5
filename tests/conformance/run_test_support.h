#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "cornu/base/cpu_info.h"
#include "cornu/ir/graph.h"
#include "cornu/runtime/client.h"

/// Functions run by the CPU engine, in both of its ways.
namespace cornu::inline v0::ops {

/// A client of each instruction set level of this CPU, rising.
inline const std::vector<std::shared_ptr<runtime::Client>>& clients_of_levels() {
  static const std::vector<std::shared_ptr<runtime::Client>> all = [] {
    std::vector<std::shared_ptr<runtime::Client>> made;
    for (const IsaLevel level : cpu_isa_levels())
      made.push_back(runtime::make_client("cpu", {.isa = std::string(isa_level_name(level))}));
    return made;
  }();
  return all;
}

/// Compiles a function and runs it once: inputs are fixed arguments, each result replaces a state argument,
/// which this adds to the function.
inline std::vector<ir::Literal> run_compiled(runtime::Client& client, ir::Function& function,
                                             const std::vector<ir::Literal>& inputs) {
  runtime::StepProgram program;
  program.step = &function;
  std::vector<std::unique_ptr<runtime::Buffer>> owned;
  std::vector<runtime::Buffer*> state, fixed;
  for (const ir::Literal& input : inputs) {
    program.arguments.push_back(runtime::ArgumentKind::kFixed);
    owned.push_back(client.allocate(input.type()));
    owned.back()->copy_from_host(input.bytes().data());
    fixed.push_back(owned.back().get());
  }
  for (const ir::Value& result : function.body.results()) {
    function.body.add_argument(result.type());
    program.arguments.push_back(runtime::ArgumentKind::kState);
    owned.push_back(client.allocate(result.type()));
    state.push_back(owned.back().get());
  }
  const std::unique_ptr<runtime::Executable> executable = client.compile(program);
  runtime::Replica replica;
  replica.state = state;
  replica.fixed = fixed;
  EXPECT_EQ(executable->run(replica), 1);
  std::vector<ir::Literal> results;
  for (runtime::Buffer* buffer : state) {
    results.emplace_back(buffer->type());
    buffer->copy_to_host(results.back().mutable_bytes().data());
  }
  return results;
}

/// The same as an eager program.
inline std::vector<ir::Literal> run_eagerly(runtime::Client& client, const ir::Function& function,
                                            const std::vector<ir::Literal>& inputs) {
  std::vector<const std::byte*> input_bytes;
  for (const ir::Literal& input : inputs) input_bytes.push_back(input.bytes().data());
  std::vector<ir::Literal> results;
  for (const ir::Value& result : function.body.results()) results.emplace_back(result.type());
  std::vector<std::byte*> output_bytes;
  for (ir::Literal& result : results) output_bytes.push_back(result.mutable_bytes().data());
  client.prepare(function)->run(input_bytes, output_bytes);
  return results;
}

}  // namespace cornu::inline v0::ops
