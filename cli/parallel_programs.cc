#include "cli/parallel_programs.h"

#include <algorithm>
#include <string>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/ir/clone.h"
#include "cornu/ir/literal.h"
#include "cornu/ir/text/op_attributes.h"
#include "cornu/transform/replicate.h"
#include "cornu/transform/rewrite.h"

namespace cornu::inline v0::cli {
namespace {

std::string type_name(std::size_t i) { return fmt::format("type{}", i); }

/// The declared types, each as a literal of it.
std::vector<ir::TensorType> infer_parallel(const ir::InferContext& context) {
  std::vector<ir::TensorType> types;
  for (std::size_t i = 0; context.attributes.find(type_name(i)) != nullptr; ++i)
    types.push_back(context.attributes.get<ir::Literal>(type_name(i)).type());
  return types;
}

/// programs = [[@f, @f], [@f, @f]]: a row of partitions for each replica.
ir::Attributes read_parallel(ir::OpAttributes& text) {
  text.ignore({"infeed"});
  const ir::text::Syntax& programs = text.get({"programs"});
  ir::Attributes attributes;
  std::int64_t count = 0;
  std::string name;
  for (const ir::text::Syntax& replica : programs.items)
    for (const ir::text::Syntax& program : replica.items) {
      if (count++ > 0 && program.text != name)
        fail(ErrorCode::kUnimplemented, "processes that run different functions are not supported");
      name = program.text;
    }
  const bool is_line = programs.items.size() == 1 || (count > 0 && programs.items[0].items.size() == 1);
  if (!is_line) fail(ErrorCode::kUnimplemented, "a grid of replicas and partitions is not supported");
  attributes.set("program", name);
  attributes.set("num_processes", count);
  for (std::size_t i = 0; i < text.num_results(); ++i)
    attributes.set(type_name(i), ir::Literal(text.result_type(i)));
  return attributes;
}

constexpr ir::OpDef kRunParallel{
    .name = "run_parallel", .infer = infer_parallel, .read_attributes = read_parallel};

std::vector<ir::Value> replicas_of(ir::Builder& builder, const ir::Op& op, const ir::Module& module,
                                   std::span<const ir::Value> operands) {
  const auto& name = op.attributes().get<std::string>("program");
  const ir::Function* const program = module.find(name);
  if (program == nullptr) fail(ErrorCode::kNotFound, "[run_parallel] there is no function \"{}\"", name);
  const auto replicas = transform::replicate(*program, op.attributes().get<std::int64_t>("num_processes"));
  const auto& arguments = replicas->body.arguments();
  bool fits = arguments.size() == operands.size() && replicas->body.results().size() == op.results().size();
  for (std::size_t i = 0; fits && i < arguments.size(); ++i) fits = arguments[i].type() == operands[i].type();
  for (std::size_t i = 0; fits && i < op.results().size(); ++i)
    fits = replicas->body.results()[i].type() == op.result(i).type();
  if (!fits) invalid_argument("[run_parallel] the function \"{}\" has other arguments or results", name);
  ir::ValueMap map;
  for (std::size_t i = 0; i < arguments.size(); ++i) map[arguments[i]] = operands[i];
  return ir::clone_ops(builder, replicas->body, map);
}

}  // namespace

const ir::OpDef& run_parallel_op() { return kRunParallel; }

std::unique_ptr<ir::Function> with_replicas(const ir::Module& module, const ir::Function& function) {
  return transform::replace_ops(
      function,
      [&](ir::Builder& builder, const ir::Op& op,
          std::span<const ir::Value> operands) -> std::optional<std::vector<ir::Value>> {
        if (&op.def() != &kRunParallel) return std::nullopt;
        return replicas_of(builder, op, module, operands);
      });
}

}  // namespace cornu::inline v0::cli
