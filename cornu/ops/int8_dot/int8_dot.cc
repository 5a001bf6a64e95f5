#include "cornu/ops/int8_dot/int8_dot.h"

#include <algorithm>

#include "cornu/base/check.h"
#include "cornu/ops/convert/convert.h"
#include "cornu/ops/index_space.h"
#include "cornu/ops/operands.h"
#include "cornu/ops/transpose/transpose.h"

namespace cornu::inline v0::ops {
namespace int8_dot_folder {
namespace {

std::vector<ir::TensorType> infer(const ir::InferContext& context) {
  check_operands(context, 2);
  for (std::size_t i = 0; i < 2; ++i)
    if (context.type(i).dtype != ir::DType::kI8)
      invalid_argument("operands must be i8; got {}", context.type(i).str());
  ir::TensorType type = dot_type(context.type(0), context.type(1), dot_dimensions(context.attributes));
  type.dtype = ir::DType::kI32;
  return {type};
}

std::vector<ir::Value> decompose(ir::Builder& builder, std::span<const ir::Value> operands,
                                 const ir::Attributes& attributes) {
  return {dot_general(builder, convert(builder, operands[0], ir::DType::kI32),
                      convert(builder, operands[1], ir::DType::kI32), dot_dimensions(attributes))};
}

const ir::OpDef kInt8Dot = {.name = "cornu.int8_dot", .infer = infer, .decompose = decompose};

/// The operand with its dimensions in this order.
ir::Value in_order(ir::Builder& builder, ir::Value value, const ir::Dims& order) {
  return is_sorted(order) ? value : transpose(builder, value, order);
}

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kInt8Dot>(); }

}  // namespace int8_dot_folder

ir::Value int8_dot(ir::Builder& builder, ir::Value lhs, ir::Value rhs, const DotDimensions& dimensions) {
  // The kernel needs batching dimensions first, then the free ones of lhs and its contracting ones; of rhs
  // either group may be first. Wrong dimensions are left to the shape rule.
  const DotDimensions& d = dimensions;
  const auto is_whole = [](const ir::Dims& batching, const ir::Dims& contracting, std::int64_t rank) {
    const ir::Dims named = concatenated(batching, contracting);
    return is_unique(named) && all_in_range(named, rank);
  };
  const bool is_valid = is_whole(d.lhs_batching, d.lhs_contracting, lhs.rank()) &&
                        is_whole(d.rhs_batching, d.rhs_contracting, rhs.rank()) &&
                        d.lhs_batching.size() == d.rhs_batching.size() &&
                        d.lhs_contracting.size() == d.rhs_contracting.size();
  DotDimensions ordered = d;
  if (is_valid) {
    const ir::Dims left = remaining_dimensions(lhs.rank(), concatenated(d.lhs_batching, d.lhs_contracting)),
                   right = remaining_dimensions(rhs.rank(), concatenated(d.rhs_batching, d.rhs_contracting));
    const auto num_batching = static_cast<std::int64_t>(d.lhs_batching.size()),
               num_contracting = static_cast<std::int64_t>(d.lhs_contracting.size());
    const ir::Dims turned = concatenated(concatenated(d.rhs_batching, right), d.rhs_contracting);
    const bool is_turned = is_sorted(turned);
    lhs = int8_dot_folder::in_order(builder, lhs,
                                    concatenated(concatenated(d.lhs_batching, left), d.lhs_contracting));
    if (!is_turned)
      rhs = int8_dot_folder::in_order(builder, rhs,
                                      concatenated(concatenated(d.rhs_batching, d.rhs_contracting), right));
    const auto from = [](std::int64_t first, std::int64_t count) {
      ir::Dims dims = counting(count);
      for (std::int64_t& dim : dims) dim += first;
      return dims;
    };
    ordered.lhs_batching = ordered.rhs_batching = counting(num_batching);
    ordered.lhs_contracting = from(lhs.rank() - num_contracting, num_contracting);
    ordered.rhs_contracting = from(is_turned ? rhs.rank() - num_contracting : num_batching, num_contracting);
  }
  return builder.create(int8_dot_folder::kInt8Dot, {lhs, rhs}, dot_attributes(ordered)).result();
}

}  // namespace cornu::inline v0::ops
