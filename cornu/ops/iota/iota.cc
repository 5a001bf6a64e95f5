#include "cornu/ops/iota/iota.h"

#include "cornu/base/check.h"
#include "cornu/ir/complex.h"
#include "cornu/ir/text/op_attributes.h"
#include "cornu/ops/dtype_set.h"
#include "cornu/ops/operands.h"

namespace cornu::inline v0::ops {
namespace iota_folder {
namespace {

std::vector<ir::TensorType> infer(const ir::InferContext& context) {
  check_operands(context, 0);
  const ir::TensorType type{context.attributes.get<ir::DType>("dtype"),
                            context.attributes.get<ir::Dims>("dims")};
  const auto dimension = context.attributes.get<std::int64_t>("iota_dimension");
  if (dimension < 0 || dimension >= type.rank())
    invalid_argument("(C1) iota_dimension must be in [0, {}), the result's rank; got {}", type.rank(),
                     dimension);
  if (!contains(kNumber | kComplex, type.dtype))
    invalid_argument("(I1) the result must be of {}; got {}", dtype_set_str(kNumber | kComplex), type.str());
  return {type};
}

std::vector<ir::Literal> reference(const ir::ReferenceContext& context) {
  ir::Literal result(context.op.result().type());
  const auto dimension =
      static_cast<std::size_t>(context.op.attributes().get<std::int64_t>("iota_dimension"));
  const std::int64_t extent = result.type().dims[dimension];
  const std::int64_t stride = ir::row_major_strides(result.type().dims)[dimension];
  const auto run = [&]<typename T>() {
    using Element =
        std::conditional_t<std::is_same_v<T, std::complex<float>>, float,
                           std::conditional_t<std::is_same_v<T, std::complex<double>>, double, T>>;
    const std::span<T> out = result.mutable_data<T>();
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i] = static_cast<Element>(static_cast<std::int64_t>(i) / stride % extent);
  };
  if (!ir::visit_complex_dtype(result.type().dtype, run))
    visit_reference_dtype(context.op, result.type().dtype, run);
  return {result};
}

ir::Attributes read_attributes(ir::OpAttributes& text) {
  return {{"dims", text.result_type().dims},
          {"dtype", text.result_type().dtype},
          {"iota_dimension", text.integer({"iota_dimension", "dim"})}};
}

const ir::OpDef kIota = {.name = "iota",
                         .infer = &infer,
                         .gradient = [](const ir::GradientContext&) { return std::vector<ir::Value>(); },
                         .reference = &reference,
                         .reference_by_f32 = true,
                         .print_attributes =
                             [](const ir::Op& op) {
                               return fmt::format("iota_dimension = {} : i64",
                                                  op.attributes().get<std::int64_t>("iota_dimension"));
                             },
                         .read_attributes = read_attributes};

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kIota>(); }

}  // namespace iota_folder

ir::Value iota(ir::Builder& b, const ir::TensorType& type, std::int64_t iota_dimension) {
  return b
      .create(iota_folder::kIota, {},
              {{"dims", type.dims}, {"dtype", type.dtype}, {"iota_dimension", iota_dimension}})
      .result();
}

}  // namespace cornu::inline v0::ops
