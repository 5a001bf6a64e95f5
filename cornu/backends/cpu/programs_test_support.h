#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/base/cpu_info.h"
#include "cornu/ir/builder.h"
#include "cornu/ir/literal.h"
#include "cornu/ir/op_def.h"
#include "cornu/ops/conformance_test_support.h"
#include "cornu/runtime/client.h"

/// Small programs on the CPU engine, at every instruction set level, against the reference backend.
namespace cornu::inline v0::backends::cpu {

using TestBuild = std::function<std::vector<ir::Value>(ir::Builder&, std::span<const ir::Value>)>;

/// An op whose only kernel, the reference one, throws.
inline ir::Value failing_op(ir::Builder& b, ir::Value x) {
  static const ir::OpDef def = {.name = "test_fails",
                                .infer = [](const ir::InferContext& context) -> std::vector<ir::TensorType> {
                                  return {context.type(0)};
                                },
                                .reference = [](const ir::ReferenceContext&) -> std::vector<ir::Literal> {
                                  fail(ErrorCode::kUnimplemented, "[test_fails] fails");
                                }};
  return b.create(def, {x}).result();
}

/// Results of one step on a client: inputs are fixed, each result replaces a state of zeros.
inline std::vector<ir::Literal> run_on(runtime::Client& client, const std::vector<ir::Literal>& inputs,
                                       const TestBuild& build) {
  ir::Function function;
  function.name = "main";
  runtime::StepProgram program{&function, {}, "odd"};
  std::vector<ir::Value> arguments;
  std::vector<std::unique_ptr<runtime::Buffer>> owned;
  std::vector<runtime::Buffer*> state, fixed;
  for (const ir::Literal& input : inputs) {
    arguments.push_back(function.body.add_argument(input.type()));
    program.arguments.push_back(runtime::ArgumentKind::kFixed);
    owned.push_back(client.allocate(input.type()));
    owned.back()->copy_from_host(input.bytes().data());
    fixed.push_back(owned.back().get());
  }
  ir::Builder b(function.body);
  const std::vector<ir::Value> results = build(b, arguments);
  for (const ir::Value& result : results) {
    function.body.add_argument(result.type());
    program.arguments.push_back(runtime::ArgumentKind::kState);
    owned.push_back(client.allocate(result.type()));
    state.push_back(owned.back().get());
  }
  function.body.set_results(results);
  runtime::Replica replica;
  replica.state = state;
  replica.fixed = fixed;
  EXPECT_EQ(client.compile(program)->run(replica), 1);
  std::vector<ir::Literal> out;
  for (runtime::Buffer* buffer : state) {
    out.emplace_back(buffer->type());
    buffer->copy_to_host(out.back().mutable_bytes().data());
  }
  return out;
}

/// Within the table's tolerances (times `factor`) at every instruction set level, and the same bits at any
/// number of threads.
inline void expect_as_reference(const std::vector<ir::Literal>& inputs, const TestBuild& build,
                                double factor = 1) {
  const std::vector<ir::Literal> expected = run_on(*runtime::make_client("reference"), inputs, build);
  std::vector<ir::Literal> actual;
  for (IsaLevel level : cpu_isa_levels()) {
    SCOPED_TRACE(isa_level_name(level));
    actual =
        run_on(*runtime::make_client("cpu", {.num_threads = 2, .isa = std::string(isa_level_name(level))}),
               inputs, build);
    for (std::size_t r = 0; r < expected.size(); ++r)
      EXPECT_EQ(ops::compare_literals(actual[r], expected[r], factor), "") << "result " << r;
  }
  const std::string isa(isa_level_name(cpu_isa_levels().back()));
  for (const int threads : {1, 3, 8, 16}) {
    const std::vector<ir::Literal> other =
        run_on(*runtime::make_client("cpu", {.num_threads = threads, .isa = isa}), inputs, build);
    for (std::size_t r = 0; r < other.size(); ++r)
      EXPECT_EQ(other[r] == actual[r], true) << "result " << r << " at " << threads << " threads";
  }
}

}  // namespace cornu::inline v0::backends::cpu
