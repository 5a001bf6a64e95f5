#include "cornu/ops/reduce/scalar_body.h"

#include <limits>

#include "cornu/base/check.h"
#include "cornu/ops/compare/compare.h"
#include "cornu/ops/index_space.h"

namespace cornu::inline v0::ops {
namespace reduce_folder {
namespace {

/// The least value of a dtype (the neutral element of maximum) or the greatest.
ir::Literal extreme(ir::DType dtype, bool least) {
  if (ir::is_float(dtype)) {
    const double infinity = std::numeric_limits<double>::infinity();
    return ir::Literal::scalar(dtype, least ? -infinity : infinity);
  }
  ir::Literal result;
  ir::visit_dtype(dtype, [&]<typename T>() {
    result =
        ir::Literal::of<T>({}, {least ? std::numeric_limits<T>::lowest() : std::numeric_limits<T>::max()});
  });
  return result;
}

}  // namespace
}  // namespace reduce_folder

ir::Literal least_value(ir::DType dtype) { return reduce_folder::extreme(dtype, true); }
ir::Literal greatest_value(ir::DType dtype) { return reduce_folder::extreme(dtype, false); }

void check_scalar_body(const ir::Block& body, const std::vector<ir::TensorType>& scalars,
                       std::string_view what) {
  bool fits = body.arguments().size() == 2 * scalars.size() && body.results().size() == scalars.size();
  for (std::size_t i = 0; fits && i < body.arguments().size(); ++i)
    fits = body.arguments()[i].type() == scalars[i % scalars.size()];
  for (std::size_t i = 0; fits && i < body.results().size(); ++i)
    fits = body.results()[i].type() == scalars[i];
  if (!fits)
    invalid_argument(
        "{} must map twice {} scalars of the operands' dtypes to as many results of these dtypes", what,
        scalars.size());
}

void combine_elements(const ir::ReferenceContext& context, const ir::Block& body,
                      std::vector<ir::Literal>& results, std::int64_t results_at,
                      std::span<const ir::Literal> elements, std::int64_t elements_at) {
  std::vector<ir::Literal> arguments;
  for (const std::span<const ir::Literal> source : {std::span<const ir::Literal>(results), elements}) {
    const std::int64_t from = arguments.empty() ? results_at : elements_at;
    for (const ir::Literal& literal : source) {
      ir::Literal element(ir::TensorType{literal.type().dtype, {}});
      copy_element(element.mutable_bytes(), 0, literal.bytes(), from, ir::size_bytes(literal.type().dtype));
      arguments.push_back(element);
    }
  }
  const std::vector<ir::Literal> combined = context.evaluate(body, arguments);
  for (std::size_t i = 0; i < results.size(); ++i)
    copy_element(results[i].mutable_bytes(), results_at, combined[i].bytes(), 0,
                 ir::size_bytes(results[i].type().dtype));
}

std::unique_ptr<ir::Block> make_scalar_body(const ir::Builder& builder, std::span<const ir::Value> inputs,
                                            const ReduceBody& body) {
  auto block = std::make_unique<ir::Block>();
  for (int side = 0; side < 2; ++side)
    for (const ir::Value& input : inputs) block->add_argument({input.dtype(), {}});
  ir::Builder inner(*block);
  inner.set_location(builder.location());
  block->set_results(body(inner, block->arguments()));
  return block;
}

std::string_view simple_body_kind(const ir::Block& body) {
  if (body.arguments().size() != 2 || body.ops().size() != 1 || body.results().size() != 1) return {};
  const ir::Op& op = *body.ops()[0];
  if (op.results().size() != 1 || body.results()[0] != op.result() || op.operands().size() != 2) return {};
  if (op.name() == "compare" && compares_total_order(op)) return {};
  const ir::Value first = body.arguments()[0], second = body.arguments()[1];
  const bool uses_both = (op.operand(0) == first && op.operand(1) == second) ||
                         (op.operand(0) == second && op.operand(1) == first);
  return uses_both ? op.name() : std::string_view();
}

}  // namespace cornu::inline v0::ops
