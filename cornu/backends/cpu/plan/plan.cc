#include "cornu/backends/cpu/plan/plan.h"

#include <set>

#include "cornu/backends/cpu/plan/passes.h"
#include "cornu/base/check.h"
#include "cornu/ops/all.h"
#include "cornu/runtime/program_signature.h"
#include "cornu/transform/simplify.h"

namespace cornu::backends::cpu {
namespace {

/// Gives each result that is somebody else's value (an argument that is not its own state, a constant, or another result) an op of its
/// own, so that every result has one group that writes it.
void own_results(Plan& plan) {
  ir::Block& body = plan.step->body;
  ir::Builder builder(body);
  std::vector<ir::Value> results(body.results().begin(), body.results().end());
  std::set<const void*> taken;
  std::size_t next = 0;
  auto own = [&](ir::Value& result, ir::Value state) {
    if (result == state) return;
    const bool is_tensor_constant = result.op() != nullptr && result.op()->name() == "constant" && result.type().num_elements() != 1;
    if (result.op() == nullptr || is_tensor_constant || !taken.insert(result.id()).second)
      result = builder.create(*ops::convert_folder::op_defs()[0], {result}, {{"dtype", result.dtype()}}).result();
  };
  for (std::size_t i = 0; i < plan.arguments.size(); ++i)
    if (plan.arguments[i] == runtime::ArgumentKind::kState) own(results[next++], body.arguments()[i]);
  for (; next < results.size(); ++next) own(results[next], ir::Value());
  body.set_results(std::move(results));
}

}  // namespace

Plan make_plan(const runtime::StepProgram& program, const PlanOptions& options) {
  Plan plan;
  plan.batch = runtime::ProgramSignature(*program.step, program.arguments).batch();
  plan.name = program.name;
  plan.measure = options.measure;
  plan.step = transform::simplify(*program.step);
  plan.arguments = program.arguments;
  own_results(plan);
  fuse(plan, options);
  order(plan);
  lay_out(plan, options);
  estimate(plan, options);
  place(plan);
  return plan;
}

}  // namespace cornu::backends::cpu
