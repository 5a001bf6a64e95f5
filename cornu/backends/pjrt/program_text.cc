#include "cornu/backends/pjrt/program_text.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "cornu/backends/pjrt/portable_ops.h"
#include "cornu/ir/print.h"
#include "cornu/ops/convolution/convolution.h"
#include "cornu/ops/dot_general/dot_general.h"
#include "cornu/ops/reshape/reshape.h"
#include "cornu/transform/rewrite.h"

namespace cornu::inline v0::backends::pjrt {
namespace {

/// Compilers do not move operations over a barrier.
bool is_barrier(const ir::Op& op) { return op.name() == "optimization_barrier"; }

std::unique_ptr<ir::Function> device_function(const transform::StepLoop& loop) {
  std::unique_ptr<ir::Function> function =
      with_portable_ops(*transform::inline_composites(*loop.function, &is_barrier));
  if (loop.max_steps > 1) return function;
  ir::Builder b(function->body);
  std::vector<ir::Value> results(function->body.results().begin(), function->body.results().end());
  for (std::size_t i = loop.num_state; i < results.size(); ++i)
    results[i] = ops::reshape(b, results[i], {results[i].dims().begin() + 1, results[i].dims().end()});
  function->body.set_results(std::move(results));
  return function;
}

double flops_of(const ir::Op& op) {
  const auto count = [](ir::Value value) { return static_cast<double>(value.type().num_elements()); };
  // patterns: products are what takes time
  if (op.name() == "dot_general") {
    double terms = 1;
    for (const std::int64_t d : ops::dot_dimensions(op).lhs_contracting)
      terms *= static_cast<double>(op.operand(0).dims()[static_cast<std::size_t>(d)]);
    return 2 * terms * count(op.result());
  }
  if (op.name() == "convolution") {
    const auto features =
        static_cast<std::size_t>(ops::convolution_dimensions(op).kernel_output_feature_dimension);
    const auto outputs = static_cast<double>(std::max<std::int64_t>(op.operand(1).dims()[features], 1));
    return 2 * count(op.result()) * count(op.operand(1)) / outputs;
  }
  // pattern: reductions work on what they read
  if (op.name() == "reduce") return count(op.operand(0));
  return op.def().elementwise ? count(op.result()) : 0;
}

/// A loop's body counts once: it is a step.
double flops_of(const ir::Block& block) {
  double flops = 0;
  for (const auto& op : block.ops()) {
    flops += flops_of(*op);
    // pattern: of a loop and its branches; bodies of reductions are counted with them
    if (op->name() == "while" || op->name() == "if" || op->name() == "case")
      for (const auto& region : op->regions()) flops += flops_of(*region);
  }
  return flops;
}

}  // namespace

ProgramText program_text(const transform::StepLoop& loop, runtime::Precision precision,
                         std::string_view device_type) {
  if (device_type == "GPU") refuse_integer_convolutions(loop.function->body);
  const std::unique_ptr<ir::Function> function = device_function(loop);
  const std::span<const ir::Value> arguments = function->body.arguments();
  ProgramText program{.text = with_precision(ir::to_stablehlo(*function, loop.donations()), precision)};
  for (std::size_t i = 0; i < loop.num_state; ++i) program.state_bytes += arguments[i].type().size_bytes();
  for (std::size_t i = 0; i < loop.num_stacks; ++i)
    program.stack_types.push_back(arguments[loop.num_state + loop.num_fixed + i].type());
  for (std::size_t i = loop.num_state; i < function->body.results().size(); ++i)
    program.output_types.push_back(function->body.results()[i].type());
  program.step_flops = flops_of(function->body);
  program.step_bytes = 2 * static_cast<double>(program.state_bytes);
  for (std::size_t i = 0; i < loop.num_fixed; ++i)
    program.step_bytes += static_cast<double>(arguments[loop.num_state + i].type().size_bytes());
  for (const std::vector<ir::TensorType>* types : {&program.stack_types, &program.output_types})
    for (const ir::TensorType& type : *types)
      program.step_bytes += static_cast<double>(type.size_bytes()) / static_cast<double>(loop.max_steps);
  return program;
}

std::string located_program_text(const transform::StepLoop& loop, runtime::Precision precision) {
  return with_precision(ir::to_stablehlo_with_locations(*device_function(loop), loop.donations()), precision);
}

std::string layer_in(std::string_view message) {
  // MLIR prints loc("dense_1"), XLA metadata={op_name="dense_1" ...}.
  for (const std::string_view before : {"loc(\"", "op_name=\""}) {
    const std::size_t begin = message.find(before);
    if (begin == std::string_view::npos) continue;
    const std::string_view rest = message.substr(begin + before.size());
    return std::string(rest.substr(0, rest.find('"')));
  }
  return "";
}

}  // namespace cornu::inline v0::backends::pjrt
