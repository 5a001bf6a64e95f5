#include "cornu/ops/custom_call/custom_call.h"

#include <algorithm>
#include <cmath>

#include "cornu/base/check.h"
#include "cornu/ir/text/op_attributes.h"
#include "cornu/ops/index_space.h"
#include "cornu/ops/matrices.h"
#include "cornu/ops/operands.h"

namespace cornu::inline v0::ops {
namespace custom_call_folder {
namespace {

using Matrix = ops::Matrix<double>;

struct Target {
  std::string_view name;
  std::vector<ir::TensorType> (*infer)(const ir::InferContext& context);
  ir::ReferenceFn reference;
};

void check_real_matrices(const ir::TensorType& type) {
  if (type.dtype != ir::DType::kF32 && type.dtype != ir::DType::kF64)
    fail(ErrorCode::kUnimplemented, "(I1) a must be of f32 or f64; got {}", type.str());
  check_matrices(type, "a", "I1");
}

std::vector<ir::TensorType> infer_qr(const ir::InferContext& context) {
  check_operands(context, 1);
  const ir::TensorType& a = context.type(0);
  check_real_matrices(a);
  ir::Dims taus(a.dims.begin(), a.dims.end() - 1);
  taus.back() = std::min(a.dims[a.dims.size() - 2], a.dims.back());
  return {a, {a.dtype, taus}};
}

/// The reflector that clears column k below the diagonal; returns its factor.
double reflect(Matrix& a, std::int64_t k) {
  double square = 0;
  for (std::int64_t i = k + 1; i < a.rows(); ++i) square += a(i, k) * a(i, k);
  if (square == 0) return 0;
  const double alpha = a(k, k), beta = -std::copysign(std::sqrt(alpha * alpha + square), alpha);
  const double tau = (beta - alpha) / beta;
  for (std::int64_t i = k + 1; i < a.rows(); ++i) a(i, k) /= alpha - beta;
  a(k, k) = beta;
  for (std::int64_t j = k + 1; j < a.columns(); ++j) {
    double sum = a(k, j);
    for (std::int64_t i = k + 1; i < a.rows(); ++i) sum += a(i, k) * a(i, j);
    a(k, j) -= tau * sum;
    for (std::int64_t i = k + 1; i < a.rows(); ++i) a(i, j) -= tau * sum * a(i, k);
  }
  return tau;
}

std::vector<ir::Literal> reference_qr(const ir::ReferenceContext& context) {
  ir::Literal result(context.op.result(0).type()), taus(context.op.result(1).type());
  const std::int64_t rank = taus.type().dims.back();
  for (std::int64_t batch = 0; batch < num_matrices(result.type()); ++batch) {
    Matrix a = read_matrix<double>(context.operands[0], batch);
    for (std::int64_t k = 0; k < rank; ++k) {
      const ir::Literal tau = ir::Literal::scalar(taus.type().dtype, reflect(a, k));
      copy_element(taus.mutable_bytes(), batch * rank + k, tau.bytes(), 0, ir::size_bytes(taus.type().dtype));
    }
    write_matrix(a, batch, result);
  }
  return {result, taus};
}

std::vector<ir::TensorType> infer_product(const ir::InferContext& context) {
  check_operands(context, 2);
  const ir::TensorType &a = context.type(0), &taus = context.type(1);
  check_real_matrices(a);
  const std::int64_t m = a.dims[a.dims.size() - 2], n = a.dims.back();
  if (taus.dtype != a.dtype || taus.rank() + 1 != a.rank() ||
      !std::equal(taus.dims.begin(), taus.dims.end() - 1, a.dims.begin()) || m < n || n < taus.dims.back())
    invalid_argument("(I1) there must be at most as many taus as columns, and as many rows; got {} and {}",
                     a.str(), taus.str());
  return {a};
}

std::vector<ir::Literal> reference_product(const ir::ReferenceContext& context) {
  ir::Literal result(context.op.result().type());
  const std::int64_t rank = context.operands[1].type().dims.back();
  for (std::int64_t batch = 0; batch < num_matrices(result.type()); ++batch) {
    const Matrix a = read_matrix<double>(context.operands[0], batch);
    Matrix q(a.rows(), a.columns());
    for (std::int64_t j = 0; j < a.columns(); ++j) q(j, j) = 1;
    for (std::int64_t k = rank - 1; k >= 0; --k)
      for (std::int64_t j = 0; j < q.columns(); ++j) {
        double sum = q(k, j);
        for (std::int64_t i = k + 1; i < a.rows(); ++i) sum += a(i, k) * q(i, j);
        sum *= context.operands[1].at(batch * rank + k);
        q(k, j) -= sum;
        for (std::int64_t i = k + 1; i < a.rows(); ++i) q(i, j) -= sum * a(i, k);
      }
    write_matrix(q, batch, result);
  }
  return {result};
}

constexpr Target kTargets[] = {
    {"Qr", infer_qr, reference_qr},
    {"ProductOfElementaryHouseholderReflectors", infer_product, reference_product}};

const Target& find_target(std::string_view name) {
  for (const Target& target : kTargets)
    if (target.name == name) return target;
  throw Error(ErrorCode::kUnimplemented, fmt::format("Cornu has no custom call \"{}\"", name));
}

std::vector<ir::TensorType> infer(const ir::InferContext& context) {
  return find_target(context.attributes.get<std::string>("call_target_name")).infer(context);
}

std::vector<ir::Literal> reference(const ir::ReferenceContext& context) {
  return find_target(call_target(context.op)).reference(context);
}

ir::Attributes read_attributes(ir::OpAttributes& text) {
  text.ignore({"has_side_effect", "api_version", "backend_config", "called_computations", "operand_layouts",
               "result_layouts", "output_operand_aliases"});
  const bool is_short = !text.loose().empty() && text.loose()[0].is(ir::text::SyntaxKind::kSymbol);
  const ir::text::Syntax& target = is_short ? text.loose()[0] : text.get({"call_target_name"});
  try {
    return {{"call_target_name", std::string(find_target(target.text).name)}};
  } catch (const Error& error) {
    text.fail(text.position(), error);
  }
}

const ir::OpDef kCustomCall = {
    .name = "custom_call", .infer = infer, .reference = reference, .read_attributes = read_attributes};

const ir::Op& call(ir::Builder& b, std::string_view target, std::vector<ir::Value> operands) {
  return b.create(kCustomCall, std::move(operands), {{"call_target_name", std::string(target)}});
}

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kCustomCall>(); }

}  // namespace custom_call_folder

std::vector<ir::Value> householder_qr(ir::Builder& b, ir::Value a) {
  const ir::Op& op = custom_call_folder::call(b, "Qr", {a});
  return {op.results().begin(), op.results().end()};
}

ir::Value householder_product(ir::Builder& b, ir::Value a, ir::Value taus) {
  return custom_call_folder::call(b, "ProductOfElementaryHouseholderReflectors", {a, taus}).result();
}

const std::string& call_target(const ir::Op& op) {
  return op.attributes().get<std::string>("call_target_name");
}

}  // namespace cornu::inline v0::ops
