#include "cornu/ops/custom_call/library_calls.h"

#include <algorithm>
#include <string>

#include "cornu/base/check.h"
#include "cornu/ir/complex.h"
#include "cornu/ops/cholesky/cholesky.h"
#include "cornu/ops/complex/complex.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/convert/convert.h"
#include "cornu/ops/custom_call/custom_call.h"
#include "cornu/ops/custom_call/eig.h"
#include "cornu/ops/custom_call/schur.h"
#include "cornu/ops/eigh/eigh.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/erf/erf.h"
#include "cornu/ops/lu/lu.h"
#include "cornu/ops/matrices.h"
#include "cornu/ops/svd/svd.h"
#include "cornu/ops/triangular_solve/triangular_solve.h"

namespace cornu::inline v0::ops {
namespace library_calls {
namespace {

using ir::Value;
using Context = ir::ExpandContext;
using Values = std::vector<Value>;

void check_count(const Context& context, std::size_t count) {
  if (context.operands.size() != count)
    invalid_argument("[custom_call] \"{}\" takes {} operands; got {}",
                     context.attributes.get<std::string>("call_target_name"), count, context.operands.size());
}

/// A letter of LAPACK: a field of the call's configuration.
char letter(const Context& context, std::string_view field, std::string_view letters) {
  const std::string name = std::string(kBackendConfig) + std::string(field);
  const ir::Attribute* const found = context.attributes.find(name);
  const auto* const code = found == nullptr ? nullptr : std::get_if<std::int64_t>(found);
  if (code == nullptr || *code <= 0 || *code > 127 ||
      letters.find(static_cast<char>(*code)) == std::string_view::npos)
    invalid_argument(
        "[custom_call] \"{}\" must have {} in its backend_config: the code of one of the letters {}",
        context.attributes.get<std::string>("call_target_name"), field, letters);
  return static_cast<char>(*code);
}

/// Zeros in i32 for each matrix: none failed.
Value no_failure(const Context& context, Value matrices) {
  ir::Dims batch = matrices.dims();
  batch.resize(batch.size() - 2);
  return full(context.builder, {ir::DType::kI32, batch}, 0);
}

const Value& matrices(const Context& context) {
  check_decomposed(context.operands[0].type(), "the operand", "I1");
  return context.operands[0];
}

Values getrf(const Context& context) {
  check_count(context, 1);
  const LuValues result = lu(context.builder, matrices(context));
  const Value one = full(context.builder, result.pivots.type(), 1);
  return {result.lu, add(context.builder, result.pivots, one), no_failure(context, result.lu)};
}

Values geqrf(const Context& context) {
  check_count(context, 1);
  return householder_qr(context.builder, matrices(context));
}

Values orgqr(const Context& context) {
  check_count(context, 2);
  return {householder_product(context.builder, matrices(context), context.operands[1])};
}

Values potrf(const Context& context) {
  check_count(context, 1);
  const bool lower = letter(context, "uplo", "LU") == 'L';
  return {cholesky(context.builder, matrices(context), lower), no_failure(context, context.operands[0])};
}

Values trsm(const Context& context) {
  check_count(context, 2);
  const char transpose = letter(context, "trans_x", "NTC");
  return {triangular_solve(context.builder, matrices(context), context.operands[1],
                           {.left_side = letter(context, "side", "LR") == 'L',
                            .lower = letter(context, "uplo", "LU") == 'L',
                            .unit_diagonal = letter(context, "diag", "UN") == 'U',
                            .transpose = transpose == 'N'   ? TriangleTranspose::kNone
                                         : transpose == 'T' ? TriangleTranspose::kTranspose
                                                            : TriangleTranspose::kAdjoint})};
}

Values syevd(const Context& context) {
  check_count(context, 1);
  letter(context, "mode", "NV");
  const EighValues result = eigh(context.builder, matrices(context), letter(context, "uplo", "LU") == 'L');
  return {result.eigenvectors, result.eigenvalues, no_failure(context, context.operands[0])};
}

Values gesdd(const Context& context) {
  check_count(context, 1);
  const Value a = matrices(context);
  const char mode = letter(context, "mode", "ANS");
  const SvdValues result = svd(context.builder, a, {.full_matrices = mode == 'A', .compute_uv = mode != 'N'});
  Values values = {a, result.s, result.u, result.vh, no_failure(context, a)};
  if (mode != 'N') return values;
  if (context.result_types.size() != values.size())
    invalid_argument("[custom_call] \"{}\" has {} results; got {}",
                     context.attributes.get<std::string>("call_target_name"), values.size(),
                     context.result_types.size());
  for (const std::size_t i : {2, 3})  // not computed
    values[i] = full(context.builder, context.result_types[i], 0);
  return values;
}

/// The two results of real matrices for eigenvalues are their real and imaginary parts. Left eigenvectors follow
/// from an inverse, which is computed in f64.
Values geev(const Context& context) {
  check_count(context, 1);
  ir::Builder& b = context.builder;
  const bool has_left = letter(context, "compute_left", "NV") == 'V';
  const bool has_right = letter(context, "compute_right", "NV") == 'V';
  const Value a = matrices(context);
  const ir::DType dtype = ir::is_complex(a.dtype()) ? a.dtype() : ir::complex_dtype(a.dtype());
  const ir::DType wide = ir::is_complex(a.dtype()) ? ir::DType::kC128 : ir::DType::kF64;
  const EigValues result = eig(b, has_left ? convert(b, a, wide) : a);
  const Value eigenvalues = convert(b, result.eigenvalues, dtype);
  const auto vectors = [&](bool is_wanted, const auto& make) {
    if (!is_wanted) return full(b, {dtype, a.dims()}, 0);  // not computed
    return convert(b, with_real_largest(b, make()), dtype);
  };
  Values values = {eigenvalues};
  if (!ir::is_complex(a.dtype())) values = {real(b, eigenvalues), imag(b, eigenvalues)};
  values.push_back(vectors(has_left, [&] { return left_eigenvectors(b, result.eigenvectors); }));
  values.push_back(vectors(has_right, [&] { return result.eigenvectors; }));
  values.push_back(no_failure(context, a));
  return values;
}

/// LAPACK counts the eigenvalues that a sort moves to the front: none, as sort must be N.
Values gees(const Context& context) {
  check_count(context, 1);
  ir::Builder& b = context.builder;
  const Value a = matrices(context);
  const bool has_vectors = letter(context, "mode", "NV") == 'V';
  letter(context, "sort", "N");
  const SchurValues result = schur(b, a);
  Values values = {result.t, has_vectors ? result.vectors : full(b, a.type(), 0)};
  if (ir::is_complex(a.dtype()))
    values.push_back(result.eigenvalues);
  else
    values.insert(values.end(), {real(b, result.eigenvalues), imag(b, result.eigenvalues)});
  values.insert(values.end(), {no_failure(context, a), no_failure(context, a)});
  return values;
}

Values lu_decomposition(const Context& context) {
  check_count(context, 1);
  const LuValues result = lu(context.builder, matrices(context));
  return {result.lu, result.pivots, result.permutation};
}

/// The configuration is "lower,sort,iterations,tolerance".
Values xla_eigh(const Context& context) {
  check_count(context, 1);
  const ir::Attribute* const config = context.attributes.find("backend_config");
  const auto* const text = config == nullptr ? nullptr : std::get_if<std::string>(config);
  if (text == nullptr || text->empty() || (text->front() != '0' && text->front() != '1'))
    invalid_argument("[custom_call] \"Eigh\" must have a backend_config of the form \"1,1,100,1e-6\"");
  const EighValues result = eigh(context.builder, matrices(context), text->front() == '1');
  return {result.eigenvectors, result.eigenvalues};
}

/// XLA writes ops of HLO that StableHLO does not have as calls of this form.
Values mhlo_erf(const Context& context) {
  check_count(context, 1);
  return {erf(context.builder, context.operands[0])};
}

/// Annotations change no value.
Values annotated(const Context& context) {
  check_count(context, 1);
  return {context.operands[0]};
}

struct Call {
  std::string_view name;
  ir::ExpandFn expand;
};

constexpr Call kLapack[] = {{"getrf", getrf}, {"geqrf", geqrf}, {"orgqr", orgqr}, {"ungqr", orgqr},
                            {"potrf", potrf}, {"trsm", trsm},   {"syevd", syevd}, {"heevd", syevd},
                            {"gesdd", gesdd}, {"gesvd", gesdd}, {"geev", geev},   {"gees", gees}};
constexpr Call kXla[] = {{"LuDecomposition", lu_decomposition},
                         {"Eigh", xla_eigh},
                         {"mhlo.erf", mhlo_erf},
                         {"Sharding", annotated},
                         {"annotate_device_placement", annotated}};

ir::ExpandFn find(std::span<const Call> calls, std::string_view name) {
  const auto found =
      std::find_if(calls.begin(), calls.end(), [&](const Call& call) { return call.name == name; });
  return found == calls.end() ? nullptr : found->expand;
}

}  // namespace
}  // namespace library_calls

ir::ExpandFn find_library_call(std::string_view target) {
  constexpr std::string_view kPrefix = "lapack_", kSuffix = "_ffi", kTypes = "sdcz";
  const std::size_t other = kPrefix.size() + kSuffix.size() + 1;
  if (!target.starts_with(kPrefix) || !target.ends_with(kSuffix) || target.size() <= other)
    return library_calls::find(library_calls::kXla, target);
  if (kTypes.find(target[kPrefix.size()]) == std::string_view::npos) return nullptr;
  return library_calls::find(library_calls::kLapack,
                             target.substr(kPrefix.size() + 1, target.size() - other));
}

}  // namespace cornu::inline v0::ops
