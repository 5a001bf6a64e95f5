#include "cornu/ops/custom_call/custom_call.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <type_traits>

#include "cornu/base/check.h"
#include "cornu/ir/text/op_attributes.h"
#include "cornu/ops/custom_call/eig.h"
#include "cornu/ops/custom_call/host_call.h"
#include "cornu/ops/custom_call/library_calls.h"
#include "cornu/ops/custom_call/schur.h"
#include "cornu/ops/matrices.h"
#include "cornu/ops/operands.h"

namespace cornu::inline v0::ops {
namespace custom_call_folder {
namespace {

struct Target {
  std::string_view name;
  std::vector<ir::TensorType> (*infer)(const ir::InferContext& context);
  ir::ReferenceFn reference;
  ir::GradientFn gradient = nullptr;
};

std::vector<ir::TensorType> infer_qr(const ir::InferContext& context) {
  check_operands(context, 1);
  const ir::TensorType& a = context.type(0);
  check_decomposed(a, "a", "I1");
  ir::Dims taus(a.dims.begin(), a.dims.end() - 1);
  taus.back() = std::min(a.dims[a.dims.size() - 2], a.dims.back());
  return {a, {a.dtype, taus}};
}

/// The reflector that clears column k below the diagonal; returns its factor.
template <typename T>
T reflect(Matrix<T>& a, std::int64_t k) {
  double square = 0;
  for (std::int64_t i = k + 1; i < a.rows(); ++i) square += std::norm(a(i, k));
  const T alpha = a(k, k);
  if (square == 0 && std::imag(alpha) == 0) return 0;
  const double beta = -std::copysign(std::sqrt(std::norm(alpha) + square), std::real(alpha));
  const T tau = (beta - alpha) / beta;
  for (std::int64_t i = k + 1; i < a.rows(); ++i) a(i, k) /= alpha - beta;
  a(k, k) = beta;
  for (std::int64_t j = k + 1; j < a.columns(); ++j) {
    T sum = a(k, j);
    for (std::int64_t i = k + 1; i < a.rows(); ++i) sum += conjugated(a(i, k)) * a(i, j);
    sum *= conjugated(tau);
    a(k, j) -= sum;
    for (std::int64_t i = k + 1; i < a.rows(); ++i) a(i, j) -= sum * a(i, k);
  }
  return tau;
}

std::vector<ir::Literal> reference_qr(const ir::ReferenceContext& context) {
  ir::Literal result(context.op.result(0).type()), taus(context.op.result(1).type());
  const std::int64_t rank = taus.type().dims.back();
  visit_matrix_type(result.type().dtype, [&]<typename T>() {
    for (std::int64_t batch = 0; batch < num_matrices(result.type()); ++batch) {
      Matrix<T> a = read_matrix<T>(context.operands[0], batch), factors(1, rank);
      for (std::int64_t k = 0; k < rank; ++k) factors(0, k) = reflect(a, k);
      write_matrix(a, batch, result);
      write_matrix(factors, batch, taus);
    }
  });
  return {result, taus};
}

std::vector<ir::TensorType> infer_product(const ir::InferContext& context) {
  check_operands(context, 2);
  const ir::TensorType &a = context.type(0), &taus = context.type(1);
  check_decomposed(a, "a", "I1");
  const std::int64_t m = a.dims[a.dims.size() - 2], n = a.dims.back();
  if (taus.dtype != a.dtype || taus.rank() + 1 != a.rank() ||
      !std::equal(taus.dims.begin(), taus.dims.end() - 1, a.dims.begin()) || m < n || n < taus.dims.back())
    invalid_argument("(I1) there must be at most as many taus as columns, and as many rows; got {} and {}",
                     a.str(), taus.str());
  return {a};
}

/// The first columns of the product of the reflectors of a.
template <typename T>
Matrix<T> product(const Matrix<T>& a, std::span<const T> taus) {
  Matrix<T> q(a.rows(), a.columns());
  for (std::int64_t j = 0; j < a.columns(); ++j) q(j, j) = 1;
  for (auto k = static_cast<std::int64_t>(taus.size()) - 1; k >= 0; --k)
    for (std::int64_t j = 0; j < q.columns(); ++j) {
      T sum = q(k, j);
      for (std::int64_t i = k + 1; i < a.rows(); ++i) sum += conjugated(a(i, k)) * q(i, j);
      sum *= taus[static_cast<std::size_t>(k)];
      q(k, j) -= sum;
      for (std::int64_t i = k + 1; i < a.rows(); ++i) q(i, j) -= sum * a(i, k);
    }
  return q;
}

std::vector<ir::Literal> reference_product(const ir::ReferenceContext& context) {
  ir::Literal result(context.op.result().type());
  const ir::Literal& taus = context.operands[1];
  const std::int64_t rank = taus.type().dims.back();
  visit_matrix_type(result.type().dtype, [&]<typename T>() {
    for (std::int64_t batch = 0; batch < num_matrices(result.type()); ++batch) {
      std::vector<T> factors;
      for (std::int64_t k = 0; k < rank; ++k) {
        if constexpr (std::is_same_v<T, double>)
          factors.push_back(taus.at(batch * rank + k));
        else
          factors.push_back(ir::complex_at(taus, batch * rank + k));
      }
      write_matrix(product<T>(read_matrix<T>(context.operands[0], batch), factors), batch, result);
    }
  });
  return {result};
}

constexpr Target kTargets[] = {{"Qr", infer_qr, reference_qr},
                               {"ProductOfElementaryHouseholderReflectors", infer_product, reference_product},
                               {kEigCall, infer_eig, reference_eig, eig_gradient},
                               {kSchurCall, infer_schur, reference_schur},
                               {kHostCall, infer_host_call, reference_host_call}};

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

std::vector<ir::Value> gradient(const ir::GradientContext& context) {
  const std::string& name = call_target(context.op);
  if (const ir::GradientFn rule = find_target(name).gradient) return rule(context);
  throw Error(ErrorCode::kUnimplemented, fmt::format("\"{}\" has no gradient", name));
}

/// JAX writes the fields of a typed configuration as mhlo.backend_config, beside an empty backend_config.
void read_config(ir::OpAttributes& text, ir::Attributes& attributes) {
  for (const std::string_view name : {"backend_config", "mhlo.backend_config"}) {
    const ir::text::Syntax* const config = text.find({name});
    if (config == nullptr) continue;
    if (config->is(ir::text::SyntaxKind::kString)) attributes.set("backend_config", config->text);
    for (const ir::text::SyntaxField& field : config->fields)
      if (field.value.is(ir::text::SyntaxKind::kInteger) || field.value.is(ir::text::SyntaxKind::kBool))
        attributes.set(std::string(kBackendConfig) + field.name, field.value.integer);
  }
}

ir::Attributes read_host_call(ir::OpAttributes& text) {
  text.ignore({"cornu.result_types"});  // follows from the declared types
  const ir::text::Syntax* const config = text.find({"backend_config"});
  std::vector<ir::TensorType> types;
  types.reserve(text.num_results());
  for (std::size_t i = 0; i < text.num_results(); ++i) types.push_back(text.result_type(i));
  return {{"call_target_name", std::string(kHostCall)},
          {"backend_config", config == nullptr ? std::string() : config->text},
          {"has_side_effect", text.boolean({"has_side_effect"}, false)},
          {"cornu.result_types", encoded_types(types)}};
}

ir::Attributes read_attributes(ir::OpAttributes& text) {
  text.ignore({"has_side_effect", "api_version", "called_computations", "operand_layouts", "result_layouts",
               "output_operand_aliases"});
  const bool is_short = !text.loose().empty() && text.loose()[0].is(ir::text::SyntaxKind::kSymbol);
  const ir::text::Syntax& target = is_short ? text.loose()[0] : text.get({"call_target_name"});
  if (target.text == kHostCall) return read_host_call(text);
  ir::Attributes attributes{{"call_target_name", target.text}};
  if (find_library_call(target.text) != nullptr) {
    read_config(text, attributes);
    return attributes;
  }
  text.ignore({"backend_config"});
  try {
    find_target(target.text);
  } catch (const Error& error) {
    text.fail(text.position(), error);
  }
  return attributes;
}

std::vector<ir::Value> expand(const ir::ExpandContext& context) {
  const ir::ExpandFn call = find_library_call(context.attributes.get<std::string>("call_target_name"));
  return call == nullptr ? std::vector<ir::Value>() : call(context);
}

const ir::OpDef kCustomCall = {.name = "custom_call",
                               .infer = infer,
                               .gradient = gradient,
                               .reference = reference,
                               .read_attributes = read_attributes,
                               .expand = expand};

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

EigValues eig(ir::Builder& b, ir::Value a) {
  const ir::Op& op = custom_call_folder::call(b, kEigCall, {a});
  return {.eigenvalues = op.result(0), .eigenvectors = op.result(1)};
}

SchurValues schur(ir::Builder& b, ir::Value a) {
  const ir::Op& op = custom_call_folder::call(b, kSchurCall, {a});
  return {.t = op.result(0), .vectors = op.result(1), .eigenvalues = op.result(2)};
}

bool is_eigenvalue_call(const ir::Op& op) {
  const std::string& target = call_target(op);
  return target == kEigCall || target == kSchurCall;
}

const std::string& call_target(const ir::Op& op) {
  return op.attributes().get<std::string>("call_target_name");
}

}  // namespace cornu::inline v0::ops
