#include "cornu/transform/symmetric_products.h"

#include <numeric>
#include <utility>

#include "cornu/ops/dot_general/dot_general.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/transpose/transpose.h"
#include "cornu/transform/rewrite.h"
#include "cornu/transform/simplify_patterns.h"

namespace cornu::inline v0::transform {
namespace {

// patterns: two products that are one of a symmetric matrix

/// 0, 1, ... up to `rank`, with the last two exchanged.
ir::Dims last_two_exchanged(std::int64_t rank) {
  ir::Dims order(static_cast<std::size_t>(rank));
  std::iota(order.begin(), order.end(), 0);
  std::swap(order.end()[-1], order.end()[-2]);
  return order;
}

/// True for a product of matrices, after equal leading dimensions, that contracts these dimensions.
bool contracts_last_two(const ir::Op& dot, std::int64_t lhs, std::int64_t rhs) {
  const std::int64_t rank = dot.operand(0).rank();
  if (rank < 2 || dot.operand(1).rank() != rank) return false;
  ir::Dims leading(static_cast<std::size_t>(rank - 2));
  std::iota(leading.begin(), leading.end(), 0);
  const ops::DotDimensions dims = ops::dot_dimensions(dot);
  return dims.lhs_batching == leading && dims.rhs_batching == leading &&
         dims.lhs_contracting == ir::Dims{rank + lhs} && dims.rhs_contracting == ir::Dims{rank + rhs};
}

bool adds_products(const ir::Op& op) {
  if (op.name() != "add") return false;
  const ir::DType dtype = op.result().dtype();
  if (dtype != ir::DType::kF32 && dtype != ir::DType::kF64) return false;
  return made_by(op.operand(0), "dot_general") != nullptr && made_by(op.operand(1), "dot_general") != nullptr;
}

/// The product that equals a sum of two; empty if they are none of the same matrices.
ir::Value product_of_sum(ir::Builder& b, ir::Value first, ir::Value second) {
  const ir::Op *const straight = made_by(first, "dot_general"), *const turned =
                                                                    made_by(second, "dot_general");
  if (straight == nullptr || turned == nullptr) return {};
  const ir::Value square = straight->operand(0), matrix = straight->operand(1);
  if (turned->operand(0) != square || turned->operand(1) != matrix ||
      !contracts_last_two(*straight, -1, -2) || !contracts_last_two(*turned, -2, -2) ||
      square.dims().end()[-1] != square.dims().end()[-2])
    return {};
  const ir::Value symmetric =
      ops::add(b, square, ops::transpose(b, square, last_two_exchanged(square.rank())));
  return b.create(straight->def(), {symmetric, matrix}, straight->attributes()).result();
}

}  // namespace

std::unique_ptr<ir::Function> join_symmetric_products(const ir::Function& function) {
  return replace_matching(
      function, &adds_products,
      [](ir::Builder& b, const ir::Op&, std::span<const ir::Value> operands) -> Replacement {
        ir::Value product = product_of_sum(b, operands[0], operands[1]);
        if (!product) product = product_of_sum(b, operands[1], operands[0]);
        if (!product) return std::nullopt;
        return std::vector{product};
      });
}

}  // namespace cornu::inline v0::transform
