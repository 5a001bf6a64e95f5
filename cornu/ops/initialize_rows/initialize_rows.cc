#include "cornu/ops/initialize_rows/initialize_rows.h"

#include "cornu/base/check.h"
#include "cornu/ops/operands.h"

namespace cornu::inline v0::ops {
namespace initialize_rows_folder {
namespace {

std::vector<ir::TensorType> infer(const ir::InferContext& context) {
  check_operands(context, 2);
  const ir::TensorType &table = context.type(0), &ids = context.type(1);
  if (table.rank() < 1 || table.dims[0] < 1)
    invalid_argument("the table must have at least one row; got {}", table.str());
  if (ids.dtype != ir::DType::kI32 && ids.dtype != ir::DType::kI64)
    invalid_argument("ids must be i32 or i64; got {}", ids.str());
  (void)context.attributes.get<std::string>("table_name");
  return {ids};
}

std::vector<ir::Value> decompose(ir::Builder&, std::span<const ir::Value> operands, const ir::Attributes&) {
  return {operands[1]};
}

const ir::OpDef kInitializeRows = {.name = "cornu.initialize_rows", .infer = infer, .decompose = decompose};

}  // namespace

std::span<const ir::OpDef* const> op_defs() {
  static const ir::OpDef* const defs[] = {&kInitializeRows};
  return defs;
}

}  // namespace initialize_rows_folder

ir::Value initialize_rows(ir::Builder& builder, ir::Value table, ir::Value ids, const std::string& name) {
  return builder.create(initialize_rows_folder::kInitializeRows, {table, ids}, {{"table_name", name}})
      .result();
}

}  // namespace cornu::inline v0::ops
