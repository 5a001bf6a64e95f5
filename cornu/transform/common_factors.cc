#include "cornu/transform/common_factors.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "cornu/ir/op_def.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/elementwise_unary/elementwise_unary.h"
#include "cornu/ops/index_space.h"
#include "cornu/transform/rewrite.h"
#include "cornu/transform/simplify_patterns.h"

namespace cornu::inline v0::transform {
namespace {

// patterns: sums of two products, and what they are made of

constexpr std::int64_t kLeastElements = std::int64_t{1} << 14;  // of tensors whose memory matters
constexpr int kMostSplits = 16;                                 // of a product into its factors

bool adds_large_numbers(const ir::Op& op) {
  if (op.block()->parent() != nullptr)
    return false;  // what a loop's body computes is not kept for a gradient
  if (op.name() != "add" && op.name() != "subtract") return false;
  const ir::TensorType& type = op.result().type();
  return (type.dtype == ir::DType::kF32 || type.dtype == ir::DType::kF64) &&
         type.num_elements() >= kLeastElements;
}

/// True if the op's result is there as soon as its operands are: loops compute it where they need it.
bool is_made_anywhere(const ir::Op& op) {
  constexpr std::string_view kViews[] = {"broadcast_in_dim", "reshape", "transpose", "convert"};
  return op.def().elementwise ||
         std::find(std::begin(kViews), std::end(kViews), op.name()) != std::end(kViews);
}

/// When the values of one block are there: the number of the last op that each needs and that is not made
/// anywhere; -1 for arguments and constants.
class Times {
 public:
  std::int64_t of(ir::Value value) {
    if (value.block() != block_) {
      block_ = value.block();
      seen_ = 0;
    }
    for (; seen_ < block_->ops().size(); ++seen_) add(*block_->ops()[seen_]);
    const auto found = times_.find(value);
    return found != times_.end() ? found->second : -1;
  }

 private:
  void add(const ir::Op& op) {
    const bool is_constant = op.results().size() == 1 && ops::is_constant(op.result());
    std::int64_t time = static_cast<std::int64_t>(seen_);
    if (is_constant || is_made_anywhere(op)) {
      time = -1;
      for (const ir::Value& operand : op.operands()) {
        const auto found = times_.find(operand);
        if (found != times_.end()) time = std::max(time, found->second);
      }
    }
    for (const ir::Value& result : op.results()) times_[result] = time;
  }

  const ir::Block* block_ = nullptr;
  std::size_t seen_ = 0;
  std::unordered_map<ir::Value, std::int64_t, ir::ValueHash> times_;
};

/// A product of values, or its negative.
struct Product {
  std::vector<ir::Value> factors;
  bool is_negative = false;
};

/// `value` as a product. Long products are not split to their end, so that each sum takes bounded time.
Product product_of(ir::Value value) {
  Product product;
  std::vector<ir::Value> open = {value};
  for (int splits = 0; !open.empty();) {
    const ir::Value next = open.back();
    open.pop_back();
    const std::string_view name =
        next.op() != nullptr && splits < kMostSplits ? next.op()->name() : std::string_view();
    if (name == "negate") product.is_negative = !product.is_negative;
    if (name == "negate" || name == "multiply") {
      const auto operands = next.op()->operands();
      open.insert(open.end(), operands.rbegin(), operands.rend());
      ++splits;
    } else {
      product.factors.push_back(next);
    }
  }
  return product;
}

void remove_one(std::vector<ir::Value>& values, ir::Value value) {
  values.erase(std::find(values.begin(), values.end(), value));
}

/// The factor of both products that is there last, if all the others are there before; else empty.
ir::Value last_common_factor(const Product& first, const Product& second, Times& times) {
  ir::Value last;
  for (const ir::Value& factor : first.factors)
    if (std::find(second.factors.begin(), second.factors.end(), factor) != second.factors.end() &&
        (!last || times.of(factor) > times.of(last)))
      last = factor;
  if (!last) return {};
  const auto is_earlier = [&](ir::Value factor) {
    return factor == last || times.of(factor) < times.of(last);
  };
  const auto has_once = [&](const Product& product) {
    return std::count(product.factors.begin(), product.factors.end(), last) == 1 &&
           std::all_of(product.factors.begin(), product.factors.end(), is_earlier);
  };
  return has_once(first) && has_once(second) ? last : ir::Value();
}

/// The number of tensors that a gradient would read, constants apart.
std::size_t num_tensors(const Product& first, const Product& second) {
  std::unordered_set<ir::Value, ir::ValueHash> tensors;
  for (const Product* const product : {&first, &second})
    for (const ir::Value& factor : product->factors)
      if (!splat_value(factor)) tensors.insert(factor);
  return tensors.size();
}

ir::Value multiplied(ir::Builder& b, const ir::TensorType& type, const Product& product) {
  if (product.factors.empty()) return ops::full(b, type, product.is_negative ? -1 : 1);
  ir::Value value = product.factors[0];
  for (std::size_t i = 1; i < product.factors.size(); ++i)
    value = ops::multiply(b, value, product.factors[i]);
  return product.is_negative ? ops::negate(b, value) : value;
}

}  // namespace

std::unique_ptr<ir::Function> join_common_factors(const ir::Function& function) {
  Times times;
  return replace_matching(
      function, &adds_large_numbers,
      [&](ir::Builder& b, const ir::Op& op, std::span<const ir::Value> operands) -> Replacement {
        Product first = product_of(operands[0]), second = product_of(operands[1]);
        const ir::Value factor = last_common_factor(first, second, times);
        if (!factor) return std::nullopt;
        remove_one(first.factors, factor);
        remove_one(second.factors, factor);
        if (num_tensors(first, second) < 2) return std::nullopt;
        if (op.name() == "subtract") second.is_negative = !second.is_negative;
        const ir::TensorType& type = op.result().type();
        const ir::Value sum = ops::add(b, multiplied(b, type, first), multiplied(b, type, second));
        return std::vector{ops::multiply(b, factor, sum)};
      });
}

}  // namespace cornu::inline v0::transform
