#include "cornu/ops/embedding_lookup/embedding_lookup.h"

#include <algorithm>

#include "cornu/base/check.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/convert/convert.h"
#include "cornu/ops/gather/gather.h"
#include "cornu/ops/gather/index_vectors.h"
#include "cornu/ops/index_space.h"
#include "cornu/ops/operands.h"
#include "cornu/ops/scatter/scatter.h"

namespace cornu::inline v0::ops {
namespace embedding_lookup_folder {
namespace {

std::vector<ir::TensorType> infer_lookup(const ir::InferContext& context) {
  check_operands(context, 2);
  const ir::TensorType &table = context.type(0), &ids = context.type(1);
  check_float(table);
  check_ids(ids);
  if (table.rank() < 1 || table.dims[0] < 1)
    invalid_argument("the table must have at least one row; got {}", table.str());
  return {{table.dtype, concatenated(ids.dims, ir::Dims(table.dims.begin() + 1, table.dims.end()))}};
}

std::vector<ir::Value> decompose_lookup(ir::Builder& builder, std::span<const ir::Value> operands,
                                        const ir::Attributes&) {
  return {gather_rows(builder, operands[0], operands[1])};  // which clamps
}

std::vector<ir::Value> gradient_of_lookup(const ir::GradientContext& context) {
  const ir::Value table = context.op.operand(0), ids = context.op.operand(1);
  return {embedding_lookup_gradient(context.builder, context.result_gradients[0], ids, table.dims()[0]),
          ir::Value()};
}

std::vector<ir::TensorType> infer_rows(const ir::InferContext& context) {
  check_operands(context, 2);
  const ir::TensorType &gradients = context.type(0), &ids = context.type(1);
  const auto num_rows = context.attributes.get<std::int64_t>("num_rows");
  check_ids(ids);
  if (!ir::is_float(gradients.dtype))
    invalid_argument("gradients must be floating-point; got {}", gradients.str());
  if (gradients.rank() < ids.rank() || !std::equal(ids.dims.begin(), ids.dims.end(), gradients.dims.begin()))
    invalid_argument("gradients must begin with the extents of ids; got ids {} and gradients {}", ids.str(),
                     gradients.str());
  if (num_rows < 1)
    invalid_argument({.argument = "num_rows"}, "num_rows must be positive; got num_rows = {}", num_rows);
  return {{gradients.dtype,
           concatenated({num_rows}, ir::Dims(gradients.dims.begin() + ids.rank(), gradients.dims.end()))}};
}

std::vector<ir::Value> decompose_rows(ir::Builder& builder, std::span<const ir::Value> operands,
                                      const ir::Attributes& attributes) {
  const ir::Value gradients = operands[0], ids = operands[1];
  const auto num_rows = attributes.get<std::int64_t>("num_rows");
  const ir::DType dtype = gradients.type().dtype;
  const ir::DType sum_dtype = ir::bit_width(dtype) < 32 ? ir::DType::kF32 : dtype;
  const ir::Value inside = clamp_components(builder, ids, ids.rank(), {0}, {num_rows - 1});
  const ir::Dims dims =
      concatenated({num_rows}, ir::Dims(gradients.dims().begin() + ids.rank(), gradients.dims().end()));
  const ir::Value summed =
      scatter_add_rows(builder, full(builder, {sum_dtype, dims}, 0), inside,
                       sum_dtype == dtype ? gradients : convert(builder, gradients, sum_dtype));
  return {sum_dtype == dtype ? summed : convert(builder, summed, dtype)};
}

std::vector<ir::Value> gradient_of_rows(const ir::GradientContext& context) {
  return {embedding_lookup(context.builder, context.result_gradients[0], context.op.operand(1)), ir::Value()};
}

const ir::OpDef kLookup = {.name = "cornu.embedding_lookup",
                           .infer = infer_lookup,
                           .gradient = gradient_of_lookup,
                           .decompose = decompose_lookup};
const ir::OpDef kLookupGradient = {.name = "cornu.embedding_lookup_gradient",
                                   .infer = infer_rows,
                                   .gradient = gradient_of_rows,
                                   .decompose = decompose_rows};

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kLookup, kLookupGradient>(); }

}  // namespace embedding_lookup_folder

ir::Value embedding_lookup(ir::Builder& builder, ir::Value table, ir::Value ids) {
  return builder.create(embedding_lookup_folder::kLookup, {table, ids}).result();
}

ir::Value embedding_lookup_gradient(ir::Builder& builder, ir::Value gradients, ir::Value ids,
                                    std::int64_t num_rows) {
  return builder.create(embedding_lookup_folder::kLookupGradient, {gradients, ids}, {{"num_rows", num_rows}})
      .result();
}

}  // namespace cornu::inline v0::ops
