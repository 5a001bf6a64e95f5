#include "cornu/transform/evaluate.h"

#include <algorithm>
#include <memory>

#include "cornu/base/check.h"
#include "cornu/ir/builder.h"
#include "cornu/ir/op_def.h"
#include "cornu/ops/run_reference.h"
#include "cornu/transform/widen_small_types.h"

namespace cornu::inline v0::transform {
namespace {

using ir::Literal;

class Interpreter {
 public:
  explicit Interpreter(Environment values = {}) : values_(std::move(values)) {}

  std::vector<Literal> run(const ir::Block& block, std::span<const Literal> arguments) {
    CORNU_CHECK(arguments.size() == block.arguments().size(), "{} arguments for {}", arguments.size(),
                block.arguments().size());
    for (std::size_t i = 0; i < arguments.size(); ++i) set(block.arguments()[i], arguments[i]);
    for (const auto& op : block.ops()) {
      const std::vector<Literal> results = run_op(*op, get(op->operands()));
      for (std::size_t i = 0; i < results.size(); ++i) set(op->result(i), results[i]);
    }
    return get(block.results());
  }

  std::vector<Literal> run_op(const ir::Op& op, std::span<const Literal> operands) {
    CORNU_CHECK(op.def().is_composite() || op.def().reference != nullptr, "{} has no reference kernel",
                op.name());
    std::vector<Literal> results = op.def().is_composite()
                                       ? run(decomposition(op), operands)
                                       : ops::run_reference({op, operands, evaluate_region_});
    CORNU_CHECK(results.size() == op.results().size(), "{} made {} results", op.name(), results.size());
    return results;
  }

 private:
  void set(const ir::Value& value, const Literal& literal) {
    CORNU_CHECK(value.type() == literal.type(), "{} for {}", literal.type().str(), value.type().str());
    values_.insert_or_assign(value, literal);
  }

  std::vector<Literal> get(std::span<const ir::Value> values) const {
    std::vector<Literal> literals;
    for (const ir::Value& value : values) literals.push_back(values_.at(value));
    return literals;
  }

  /// The definition of a composite, built on first use (a loop's body runs many times).
  const ir::Block& decomposition(const ir::Op& op) {
    std::unique_ptr<ir::Block>& block = decompositions_[&op];
    if (block == nullptr) {
      block = std::make_unique<ir::Block>();
      for (const ir::Value& operand : op.operands()) block->add_argument(operand.type());
      ir::Builder builder(*block);
      block->set_results(op.def().decompose(builder, block->arguments(), op.attributes()));
    }
    return *block;
  }

  /// Values of all active blocks: a region uses outer values; each value has a unique identity.
  Environment values_;
  std::unordered_map<const ir::Op*, std::unique_ptr<ir::Block>> decompositions_;
  ir::RegionEvaluator evaluate_region_ = [this](const ir::Block& block, std::span<const Literal> arguments) {
    return run(block, arguments);
  };
};

/// The same bytes as a literal of another dtype of their size.
Literal with_dtype(const Literal& literal, const ir::TensorType& type) {
  if (literal.type() == type) return literal;
  Literal same(type);
  std::ranges::copy(literal.bytes(), same.mutable_bytes().begin());
  return same;
}

/// Runs a function whose small types were widened on the bytes of their elements.
std::vector<Literal> evaluate_stored(const ir::Function& function, const ir::Function& wide,
                                     std::span<const Literal> arguments) {
  std::vector<Literal> stored;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    stored.push_back(with_dtype(arguments[i], wide.body.arguments()[i].type()));
  std::vector<Literal> results = evaluate(wide, stored);
  for (std::size_t i = 0; i < results.size(); ++i)
    results[i] = with_dtype(results[i], function.body.results()[i].type());
  return results;
}

}  // namespace

std::vector<Literal> evaluate(const ir::Function& function, std::span<const Literal> arguments) {
  if (const auto wide = widen_small_types(function)) return evaluate_stored(function, *wide, arguments);
  return Interpreter().run(function.body, arguments);
}

std::vector<Literal> evaluate_op(const ir::Op& op, std::span<const Literal> operands,
                                 const Environment& captured) {
  return Interpreter(captured).run_op(op, operands);
}

}  // namespace cornu::inline v0::transform
