#include "cornu/ops/slice/slice.h"

#include "cornu/base/check.h"
#include "cornu/ir/text/op_attributes.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/index_space.h"
#include "cornu/ops/operands.h"
#include "cornu/ops/pad/pad.h"

namespace cornu::inline v0::ops {
namespace slice_folder {
namespace {

struct Box {
  explicit Box(const ir::Attributes& attributes)
      : start(attributes.get<ir::Dims>("start_indices")),
        limit(attributes.get<ir::Dims>("limit_indices")),
        strides(attributes.get<ir::Dims>("strides")) {}
  const ir::Dims& start;
  const ir::Dims& limit;
  const ir::Dims& strides;
};

std::vector<ir::TensorType> infer(const ir::InferContext& context) {
  check_operands(context, 1);
  const ir::Dims& x = context.type(0).dims;
  const Box box(context.attributes);
  if (box.start.size() != x.size() || box.limit.size() != x.size() || box.strides.size() != x.size())
    invalid_argument(
        "(C2) start_indices {}, limit_indices {} and strides {} must have one entry a dimension of {}",
        box.start, box.limit, box.strides, ir::shape_str(x));
  ir::Dims result;
  for (std::size_t d = 0; d < x.size(); ++d) {
    if (box.start[d] < 0 || box.start[d] > box.limit[d] || box.limit[d] > x[d])
      invalid_argument("(C3) 0 <= start {} <= limit {} <= extent {} must hold in dimension {}", box.start[d],
                       box.limit[d], x[d], d);
    if (box.strides[d] <= 0) invalid_argument("(C4) strides must be positive; got {}", box.strides);
    const std::int64_t length = box.limit[d] - box.start[d];
    result.push_back(length / box.strides[d] + (length % box.strides[d] != 0 ? 1 : 0));
  }
  return {{context.type(0).dtype, result}};
}

std::vector<ir::Literal> reference(const ir::ReferenceContext& context) {
  ir::Literal result(context.op.result().type());
  const ir::Literal& x = context.operands[0];
  const Box box(context.op.attributes());
  ir::Dims strides = ir::row_major_strides(x.type().dims);
  const std::int64_t first = linear_index(box.start, strides);
  for (std::size_t d = 0; d < strides.size(); ++d) strides[d] *= box.strides[d];
  const std::size_t size = ir::size_bytes(x.type().dtype);
  for_each_index(result.type().dims, [&](const ir::Dims& index, std::int64_t at) {
    copy_element(result.mutable_bytes(), at, x.bytes(), first + linear_index(index, strides), size);
  });
  return {result};
}

std::vector<ir::Value> gradient(const ir::GradientContext& context) {
  const ir::Dims& x = context.op.operand(0).dims();
  const ir::Dims& result = context.op.result().dims();
  const Box box(context.op.attributes());
  ir::Dims high, interior;
  for (std::size_t d = 0; d < x.size(); ++d) {
    const std::int64_t covered = result[d] == 0 ? 0 : (result[d] - 1) * box.strides[d] + 1;
    high.push_back(x[d] - box.start[d] - covered);
    interior.push_back(box.strides[d] - 1);
  }
  const ir::Value zero = scalar(context.builder, context.op.result().dtype(), 0);
  return {pad(context.builder, context.result_gradients[0], zero, box.start, high, interior)};
}

ir::Attributes read_attributes(ir::OpAttributes& text) {
  if (text.loose().empty())
    return {{"start_indices", text.integers({"start_indices"})},
            {"limit_indices", text.integers({"limit_indices"})},
            {"strides", text.integers({"strides"})}};
  ir::Dims start, limit, strides;  // the short form: %0 [0:5:2, 1:3]
  for (const ir::text::Syntax& range : text.loose()[0].items) {
    if (range.integers.size() != 2 && range.integers.size() != 3)
      text.fail(range.begin, "a range is start:limit or start:limit:stride");
    start.push_back(range.integers[0]);
    limit.push_back(range.integers[1]);
    strides.push_back(range.integers.size() == 3 ? range.integers[2] : 1);
  }
  return {{"start_indices", start}, {"limit_indices", limit}, {"strides", strides}};
}

const ir::OpDef kSlice = {.name = "slice",
                          .infer = infer,
                          .gradient = gradient,
                          .reference = reference,
                          .read_attributes = read_attributes};

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kSlice>(); }

}  // namespace slice_folder

ir::Value slice(ir::Builder& builder, ir::Value x, ir::Dims start_indices, ir::Dims limit_indices,
                ir::Dims strides) {
  return builder
      .create(slice_folder::kSlice, {x},
              {{"start_indices", std::move(start_indices)},
               {"limit_indices", std::move(limit_indices)},
               {"strides", std::move(strides)}})
      .result();
}

}  // namespace cornu::inline v0::ops
