#include "cornu/backends/cpu/plan/plan.h"

#include <set>

#include "cornu/backends/cpu/plan/passes.h"
#include "cornu/base/check.h"
#include "cornu/ops/all.h"
#include "cornu/transform/simplify.h"

namespace cornu::backends::cpu {
namespace {

/// Gives each result that is somebody else's value (an argument that is not its own state, or another result) an op of its own, so
/// that every result has one group that writes it.
void own_results(Plan& plan) {
  ir::Block& body = plan.step->body;
  ir::Builder builder(body);
  std::vector<ir::Value> results(body.results().begin(), body.results().end());
  std::set<const void*> taken;
  std::size_t next = 0;
  auto own = [&](ir::Value& result, ir::Value state) {
    if (result == state) return;
    if (result.op() == nullptr || !taken.insert(result.id()).second)
      result = builder.create(*ops::convert_folder::op_defs()[0], {result}, {{"dtype", result.dtype()}}).result();
  };
  for (std::size_t i = 0; i < plan.arguments.size(); ++i)
    if (plan.arguments[i] == runtime::ArgumentKind::kState) own(results[next++], body.arguments()[i]);
  for (; next < results.size(); ++next) own(results[next], ir::Value());
  body.set_results(std::move(results));
}

void check_program(const runtime::StepProgram& program) {
  const auto arguments = program.step->body.arguments();
  CORNU_CHECK(arguments.size() == program.arguments.size(), "{} arguments, {} kinds", arguments.size(), program.arguments.size());
  std::size_t next = 0;
  std::int64_t batch = -1;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (program.arguments[i] == runtime::ArgumentKind::kState) {
      CORNU_CHECK(next < program.step->body.results().size(), "fewer results than state arguments");
      CORNU_CHECK(program.step->body.results()[next].type() == arguments[i].type(), "state {} is {} but its result is {}", i,
                  arguments[i].type().str(), program.step->body.results()[next].type().str());
      ++next;
    } else if (program.arguments[i] == runtime::ArgumentKind::kRows) {
      CORNU_CHECK(arguments[i].rank() >= 1 && (batch < 0 || arguments[i].dims()[0] == batch), "row arguments need one batch dimension");
      batch = arguments[i].dims()[0];
    }
  }
}

}  // namespace

Plan make_plan(const runtime::StepProgram& program, const PlanOptions& options) {
  check_program(program);
  Plan plan;
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
