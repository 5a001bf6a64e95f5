#include "cornu/ops/convert/convert.h"

#include <cmath>
#include <limits>

#include "cornu/ir/complex.h"
#include "cornu/ir/text/op_attributes.h"
#include "cornu/ops/dtype_set.h"
#include "cornu/ops/operands.h"
#include "cornu/ops/run_reference.h"

namespace cornu::inline v0::ops {
namespace convert_folder {
namespace {

std::vector<ir::TensorType> infer(const ir::InferContext& context) {
  check_operands(context, 1);
  return {{context.attributes.get<ir::DType>("dtype"), context.type(0).dims}};
}

std::vector<ir::Value> gradient(const ir::GradientContext& context) {
  const ir::Value g = context.result_gradients[0];
  const ir::DType from = context.op.operand(0).dtype();
  if (!g || !ir::is_differentiable(from) || !ir::is_differentiable(g.dtype())) return {ir::Value()};
  return {convert(context.builder, g, from)};
}

template <typename To, typename From>
To convert_element(From x) {
  if constexpr (std::is_same_v<To, bool>) {
    return x != From(0);
  } else if constexpr (std::is_floating_point_v<From> && !std::is_floating_point_v<To>) {
    // The limits are compared as powers of two, which every float type holds exactly; the cast of anything
    // beyond them is undefined.
    const From end = std::ldexp(From(1), std::numeric_limits<To>::digits);
    if (std::isnan(x)) return To(0);
    if (x >= end) return std::numeric_limits<To>::max();
    if (x <= (std::is_signed_v<To> ? -end : From(-1))) return std::numeric_limits<To>::min();
    return static_cast<To>(x);
  } else {
    return static_cast<To>(x);
  }
}

ir::Literal to_f64(const ir::Literal& x) {
  ir::Literal result(ir::TensorType{ir::DType::kF64, x.type().dims});
  for (std::int64_t i = 0; i < x.type().num_elements(); ++i)
    result.mutable_data<double>()[static_cast<std::size_t>(i)] = x.at(i);
  return result;
}

/// The imaginary part of real numbers is 0.
ir::Literal to_complex(const ir::Literal& x, ir::DType dtype) {
  ir::Literal result(ir::TensorType{dtype, x.type().dims});
  ir::visit_complex_dtype(dtype, [&]<typename T>() {
    for (std::int64_t i = 0; i < x.type().num_elements(); ++i)
      result.mutable_data<T>()[static_cast<std::size_t>(i)] = static_cast<T>(
          ir::is_complex(x.type().dtype) ? ir::complex_at(x, i) : std::complex<double>(x.at(i)));
  });
  return result;
}

std::vector<ir::Literal> reference(const ir::ReferenceContext& context) {
  ir::Literal result(context.op.result().type());
  if (ir::is_complex(result.type().dtype)) return {to_complex(context.operands[0], result.type().dtype)};
  if (ir::is_complex(context.operands[0].type().dtype)) {
    const ir::Literal real[] = {ir::real_part(context.operands[0])};
    return reference({context.op, real, context.evaluate});
  }
  // Halves go through f64, which holds each of them: one rounding.
  if (is_half(result.type().dtype))
    return {with_float_dtype(to_f64(context.operands[0]), result.type().dtype)};
  const ir::Literal x =
      is_half(context.operands[0].type().dtype) ? to_f64(context.operands[0]) : context.operands[0];
  visit_reference_dtype(context.op, x.type().dtype, [&]<typename From>() {
    visit_reference_dtype(context.op, result.type().dtype, [&]<typename To>() {
      const std::span<const From> in = x.data<From>();
      const std::span<To> out = result.mutable_data<To>();
      for (std::size_t i = 0; i < in.size(); ++i) out[i] = convert_element<To>(in[i]);
    });
  });
  return {result};
}

ir::Attributes read_attributes(ir::OpAttributes& text) { return {{{"dtype", text.result_type().dtype}}}; }

const ir::OpDef kConvert = {.name = "convert",
                            .infer = &infer,
                            .gradient = &gradient,
                            .reference = &reference,
                            .elementwise = true,
                            .print_attributes = [](const ir::Op&) { return std::string(); },
                            .read_attributes = read_attributes};

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kConvert>(); }

}  // namespace convert_folder

ir::Value convert(ir::Builder& b, ir::Value operand, ir::DType dtype) {
  return b.create(convert_folder::kConvert, {operand}, {{"dtype", dtype}}).result();
}

}  // namespace cornu::inline v0::ops
