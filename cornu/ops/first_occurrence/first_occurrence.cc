#include "cornu/ops/first_occurrence/first_occurrence.h"

#include "cornu/base/check.h"
#include "cornu/ops/broadcast_in_dim/broadcast_in_dim.h"
#include "cornu/ops/compare/compare.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/iota/iota.h"
#include "cornu/ops/operands.h"
#include "cornu/ops/reduce/reduce.h"
#include "cornu/ops/select/select.h"

namespace cornu::inline v0::ops {
namespace first_occurrence_folder {
namespace {

std::vector<ir::TensorType> infer(const ir::InferContext& context) {
  check_operands(context, 1);
  const ir::TensorType& ids = context.type(0);
  if (ids.rank() != 1 || (ids.dtype != ir::DType::kI32 && ids.dtype != ir::DType::kI64))
    invalid_argument("ids must be a vector of i32 or i64; got {}", ids.str());
  return {ids};
}

std::vector<ir::Value> decompose(ir::Builder& b, std::span<const ir::Value> operands, const ir::Attributes&) {
  const ir::Value ids = operands[0];
  const std::int64_t count = ids.dims()[0];
  const ir::TensorType pairs{ids.dtype(), {count, count}};
  const ir::Value is_equal = compare(b, broadcast_in_dim(b, ids, pairs.dims, {0}),
                                     broadcast_in_dim(b, ids, pairs.dims, {1}), ComparisonDirection::kEq);
  const ir::Value position =
      select(b, is_equal, iota(b, pairs, 1), full(b, pairs, static_cast<double>(count)));
  return {reduce_min(b, position, {1})};
}

const ir::OpDef kFirstOccurrence = {.name = "cornu.first_occurrence", .infer = infer, .decompose = decompose};

}  // namespace

std::span<const ir::OpDef* const> op_defs() {
  static const ir::OpDef* const defs[] = {&kFirstOccurrence};
  return defs;
}

}  // namespace first_occurrence_folder

ir::Value first_occurrence(ir::Builder& builder, ir::Value ids) {
  return builder.create(first_occurrence_folder::kFirstOccurrence, {ids}).result();
}

}  // namespace cornu::inline v0::ops
