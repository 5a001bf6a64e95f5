#include "cornu/transform/gradient.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "cornu/base/check.h"
#include "cornu/ir/clone.h"
#include "cornu/ir/complex.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/transform/rewrite.h"
#include "cornu/transform/simplify_patterns.h"

namespace cornu::inline v0::transform {
namespace {

/// Appends " (backward)" to a location, once: gradients of gradients get the same location.
std::string backward_location(const std::string& location) {
  constexpr std::string_view kBackward = " (backward)";
  return location.empty() || location.ends_with(kBackward) ? location : location + std::string(kBackward);
}

class Differentiator {
 public:
  Differentiator(ir::Builder& builder, std::span<const ir::Value> wrt, const GradientSeen& seen)
      : builder_(builder), seen_(seen) {
    for (const ir::Value& value : wrt)
      if (value && ir::is_differentiable(value.dtype())) active_.insert(value);
  }

  bool is_active(ir::Value value) const { return active_.contains(value); }

  ir::Value gradient_of(ir::Value value) const {
    const auto found = gradients_.find(value);
    return found == gradients_.end() ? ir::Value() : found->second;
  }

  /// The value's gradient, or zeros if only constant zeros reach it.
  ir::Value gradient_or_zeros(ir::Value value) const {
    const ir::Value gradient = gradient_of(value);
    if (gradient || !flat_.contains(value)) return gradient;
    const ir::Value zeros = ops::full(builder_, value.type(), 0);
    if (seen_) seen_(value, zeros);
    return zeros;
  }

  void accumulate(ir::Value value, ir::Value gradient) {
    if (seen_) seen_(value, gradient);
    ir::Value& sum = gradients_[value];
    sum = sum ? ops::add(builder_, sum, gradient) : gradient;
  }

  /// Marks the floating-point and complex values of `ops` that depend on active ones.
  void mark(std::span<ir::Op* const> ops) {
    for (const ir::Op* op : ops) {
      if (!uses_active(*op)) continue;
      for (const ir::Value& result : op->results())
        if (ir::is_differentiable(result.dtype())) active_.insert(result);
    }
  }

  /// Passes gradients from the results of `ops`, which are in execution order, to their operands.
  void propagate(std::span<ir::Op* const> ops) {
    for (std::size_t i = ops.size(); i-- > 0;) propagate_through(*ops[i]);
  }

  /// The ops of the block from number `first` on.
  std::vector<ir::Op*> ops_from(std::size_t first) const {
    std::vector<ir::Op*> ops;
    for (const auto& op : builder_.block().ops().subspan(first)) ops.push_back(op.get());
    return ops;
  }

 private:
  bool uses_active(const ir::Op& op) const {
    for (std::size_t i = 0; i < op.operands().size(); ++i)
      if (reaches(op, i)) return true;
    return captures_active(op);
  }

  /// True if a gradient of the op's results may reach this operand.
  bool reaches(const ir::Op& op, std::size_t operand) const {
    return is_active(op.operand(operand)) &&
           (op.def().passes_gradient_to == nullptr || op.def().passes_gradient_to(op, operand));
  }

  /// True if a region of the op uses an active outer value.
  bool captures_active(const ir::Op& op) const {
    for (const auto& region : op.regions()) {
      for (const ir::Value& result : region->results())
        if (is_active(result)) return true;
      for (const auto& inner : region->ops())
        if (uses_active(*inner)) return true;
    }
    return false;
  }

  std::vector<ir::Value> active_captured(const ir::Op& op) const {
    std::vector<ir::Value> active;
    if (op.regions().empty()) return active;
    for (const ir::Value& value : ir::captured_values(op))
      if (is_active(value)) active.push_back(value);
    return active;
  }

  void propagate_through(const ir::Op& op) {
    if (!uses_active(op)) return;
    std::vector<ir::Value> result_gradients;
    bool any = false;
    for (const ir::Value& result : op.results()) {
      result_gradients.push_back(is_active(result) ? gradient_of(result) : ir::Value());
      any = any || result_gradients.back();
    }
    if (!any) {
      pass_on_zeros(op);
      return;
    }
    const ir::LocationScope location(builder_, backward_location(op.location()));
    if (op.def().gradient != nullptr) {
      const std::vector<ir::Value> captured = active_captured(op);
      accept(op, captured, differentiate(op, result_gradients, captured));
    } else if (op.def().is_composite()) {
      propagate_through_decomposition(op, result_gradients);
    } else {
      not_differentiable(op, "it has no gradient");
    }
  }

  /// Passes constant zeros from the results to the operands, without calling a rule.
  void pass_on_zeros(const ir::Op& op) {
    if (std::none_of(op.results().begin(), op.results().end(),
                     [&](const ir::Value& result) { return flat_.contains(result); }))
      return;
    for (std::size_t i = 0; i < op.operands().size(); ++i)
      if (reaches(op, i)) flat_.insert(op.operand(i));
    for (const ir::Value& captured : active_captured(op)) flat_.insert(captured);
  }

  std::vector<ir::Value> differentiate(const ir::Op& op, const std::vector<ir::Value>& result_gradients,
                                       const std::vector<ir::Value>& captured) {
    try {
      return op.def().gradient(
          ir::GradientContext{.builder = builder_,
                              .op = op,
                              .result_gradients = result_gradients,
                              .captured = captured,
                              .differentiate = differentiate_values,
                              .is_active = [this](ir::Value value) { return is_active(value); }});
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kUnimplemented) throw;
      not_differentiable(op, error.what());
    }
  }

  void accept(const ir::Op& op, const std::vector<ir::Value>& captured,
              const std::vector<ir::Value>& gradients) {
    std::vector<ir::Value> sources(op.operands().begin(), op.operands().end());
    sources.insert(sources.end(), captured.begin(), captured.end());
    if (!captured.empty() && gradients.size() == op.operands().size())
      not_differentiable(op, "its region uses values from outside that need a gradient");
    CORNU_CHECK(gradients.size() == sources.size(), "{}: {} gradients for {} values", op.name(),
                gradients.size(), sources.size());
    for (std::size_t i = 0; i < gradients.size(); ++i) {
      if (!gradients[i] || !is_active(sources[i])) continue;
      CORNU_CHECK(gradients[i].type() == sources[i].type(), "{}: gradient {} is {} of a {}", op.name(), i,
                  gradients[i].type().str(), sources[i].type().str());
      if (is_constant_zero(gradients[i])) {
        flat_.insert(sources[i]);
      } else {
        accumulate(sources[i], gradients[i]);
      }
    }
  }

  /// The ir::DifferentiateFn for rules that differentiate their copies of regions.
  static std::vector<ir::Value> differentiate_values(ir::Builder& builder, std::size_t first_op,
                                                     std::span<const ir::Value> results,
                                                     std::span<const ir::Value> result_gradients,
                                                     std::span<const ir::Value> wrt) {
    const GradientSeen nobody;
    Differentiator inner(builder, wrt, nobody);
    const std::vector<ir::Op*> ops = inner.ops_from(first_op);
    inner.mark(ops);
    for (std::size_t i = 0; i < results.size(); ++i)
      if (result_gradients[i] && inner.is_active(results[i]))
        inner.accumulate(results[i], result_gradients[i]);
    inner.propagate(ops);
    std::vector<ir::Value> gradients;
    for (const ir::Value& value : wrt) gradients.push_back(inner.gradient_or_zeros(value));
    return gradients;
  }

  void propagate_through_decomposition(const ir::Op& op, const std::vector<ir::Value>& result_gradients) {
    const std::size_t first = builder_.block().ops().size();
    const std::vector<ir::Value> results = decompose(builder_, op, op.operands());
    const std::vector<ir::Op*> ops = ops_from(first);
    mark(ops);
    for (std::size_t i = 0; i < results.size(); ++i)
      if (result_gradients[i]) accumulate(results[i], result_gradients[i]);
    propagate(ops);
  }

  [[noreturn]] void not_differentiable(const ir::Op& op, std::string_view reason) const {
    fail(ErrorCode::kUnimplemented, {.layer = op.location()}, "[{}] cannot be differentiated: {}", op.name(),
         reason);
  }

  ir::Builder& builder_;
  const GradientSeen& seen_;
  std::unordered_set<ir::Value, ir::ValueHash> active_;
  std::unordered_map<ir::Value, ir::Value, ir::ValueHash> gradients_;
  std::unordered_set<ir::Value, ir::ValueHash> flat_;  // reached by constant zeros, among others
};

}  // namespace

std::vector<ir::Value> gradient(ir::Builder& builder, ir::Value loss, std::span<const ir::Value> wrt,
                                ir::Value seed, const GradientSeen& seen) {
  if (!loss || loss.rank() != 0 || !ir::is_float(loss.dtype()))
    invalid_argument("[gradient] the loss must be a floating-point scalar; got {}",
                     loss ? loss.type().str() : "no value");
  if (loss.block() != &builder.block())
    invalid_argument("[gradient] the loss must be made in the block that gets the gradient");
  if (seed && seed.type() != loss.type())
    invalid_argument("[gradient] the seed must have the loss's type {}; got {}", loss.type().str(),
                     seed.type().str());
  std::vector<ir::Op*> ops;
  for (const auto& op : builder.block().ops()) ops.push_back(op.get());
  return vector_jacobian_product(builder, {&loss, 1}, {&seed, 1}, wrt, ops, seen);
}

std::vector<ir::Value> vector_jacobian_product(ir::Builder& builder, std::span<const ir::Value> outputs,
                                               std::span<const ir::Value> output_gradients,
                                               std::span<const ir::Value> wrt, std::span<ir::Op* const> ops,
                                               const GradientSeen& seen) {
  CORNU_CHECK(outputs.size() == output_gradients.size(), "{} outputs, {} gradients", outputs.size(),
              output_gradients.size());
  Differentiator differentiator(builder, wrt, seen);
  differentiator.mark(ops);
  bool any = false;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const ir::Value output = outputs[i], seed = output_gradients[i];
    if (!ir::is_differentiable(output.dtype()))
      invalid_argument("[gradient] only floating-point and complex values have gradients; got {}",
                       output.type().str());
    if (seed && seed.type() != output.type())
      invalid_argument("[gradient] the gradient of an output must have its type {}; got {}",
                       output.type().str(), seed.type().str());
    if (!differentiator.is_active(output)) continue;
    const ir::LocationScope location(
        builder, backward_location(output.op() != nullptr ? output.op()->location() : builder.location()));
    differentiator.accumulate(output, seed ? seed : ops::full(builder, output.type(), 1));
    any = true;
  }
  if (any) differentiator.propagate(ops);
  std::vector<ir::Value> gradients;
  for (const ir::Value& value : wrt)
    gradients.push_back(value ? differentiator.gradient_or_zeros(value) : ir::Value());
  return gradients;
}

bool is_constant_zero(ir::Value value) {
  const std::optional<ir::Literal> splat = splat_value(value);
  return splat.has_value() && splat->at(0) == 0;
}

}  // namespace cornu::inline v0::transform
