#include "cornu/ops/triangular_solve/triangular_solve.h"

#include <algorithm>
#include <array>

#include "cornu/base/check.h"
#include "cornu/ir/text/op_attributes.h"
#include "cornu/ops/complex/complex.h"
#include "cornu/ops/elementwise_unary/elementwise_unary.h"
#include "cornu/ops/matrices.h"
#include "cornu/ops/operands.h"

namespace cornu::inline v0::ops {
namespace triangular_solve_folder {
namespace {

constexpr std::array<std::string_view, 3> kTransposes = {"NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"};

TriangularSystem read_options(const ir::Attributes& attributes) {
  const auto& name = attributes.get<std::string>("transpose_a");
  const auto found = std::find(kTransposes.begin(), kTransposes.end(), name);
  if (found == kTransposes.end())
    invalid_argument("(I6) transpose_a must be one of {}; got \"{}\"", fmt::join(kTransposes, ", "), name);
  return {.left_side = attributes.get<bool>("left_side"),
          .lower = attributes.get<bool>("lower"),
          .unit_diagonal = attributes.get<bool>("unit_diagonal"),
          .transpose = static_cast<TriangleTranspose>(found - kTransposes.begin())};
}

std::vector<ir::TensorType> infer(const ir::InferContext& context) {
  check_operands(context, 2);
  const ir::TensorType &a = context.type(0), &b = context.type(1);
  const TriangularSystem options = read_options(context.attributes);
  check_matrices(a, "a", "C2");
  if (a.dtype != b.dtype)
    invalid_argument("(C1) a and b must share a dtype; got {} and {}", a.str(), b.str());
  if (a.rank() != b.rank())
    invalid_argument("(C2) a and b must have one rank; got {} and {}", a.str(), b.str());
  const std::size_t rank = a.dims.size();
  const std::int64_t n = a.dims.back();
  if (!std::equal(a.dims.begin(), a.dims.end() - 2, b.dims.begin()) || a.dims[rank - 2] != n ||
      b.dims[options.left_side ? rank - 2 : rank - 1] != n)
    invalid_argument("(C3) a must be square matrices that fit b's {}; got {} and {}",
                     options.left_side ? "rows" : "columns", a.str(), b.str());
  return {b};
}

/// Solves for one vector, from `first` in steps of `step`: a triangular matrix t(i, j).
template <typename T, typename Element>
void solve(std::int64_t n, bool forward, bool unit, const Element& t, std::vector<T>& x) {
  for (std::int64_t k = 0; k < n; ++k) {
    const std::int64_t i = forward ? k : n - 1 - k;
    T sum = x[static_cast<std::size_t>(i)];
    for (std::int64_t j = forward ? 0 : i + 1; j < (forward ? i : n); ++j)
      sum -= t(i, j) * x[static_cast<std::size_t>(j)];
    x[static_cast<std::size_t>(i)] = unit ? sum : sum / t(i, i);
  }
}

template <typename T>
Matrix<T> solution(const Matrix<T>& a, const Matrix<T>& b, const TriangularSystem& options) {
  // x op(a) = b is op(a)^T x^T = b^T.
  const bool is_transposed = (options.transpose != TriangleTranspose::kNone) == options.left_side;
  const bool is_conjugate = options.transpose == TriangleTranspose::kAdjoint;
  const auto element = [&](std::int64_t i, std::int64_t j) {
    const T value = is_transposed ? a(j, i) : a(i, j);
    return is_conjugate ? conjugated(value) : value;
  };
  const std::int64_t n = a.rows(), count = options.left_side ? b.columns() : b.rows();
  Matrix<T> x(b.rows(), b.columns());
  std::vector<T> line(static_cast<std::size_t>(n));
  for (std::int64_t c = 0; c < count; ++c) {
    for (std::int64_t i = 0; i < n; ++i)
      line[static_cast<std::size_t>(i)] = options.left_side ? b(i, c) : b(c, i);
    solve(n, options.lower != is_transposed, options.unit_diagonal, element, line);
    for (std::int64_t i = 0; i < n; ++i)
      (options.left_side ? x(i, c) : x(c, i)) = line[static_cast<std::size_t>(i)];
  }
  return x;
}

std::vector<ir::Literal> reference(const ir::ReferenceContext& context) {
  const TriangularSystem options = triangular_system(context.op);
  ir::Literal result(context.op.result().type());
  visit_matrix_type(result.type().dtype, [&]<typename T>() {
    for (std::int64_t batch = 0; batch < num_matrices(result.type()); ++batch)
      write_matrix(solution(read_matrix<T>(context.operands[0], batch),
                            read_matrix<T>(context.operands[1], batch), options),
                   batch, result);
  });
  return {result};
}

std::vector<ir::Value> gradient(const ir::GradientContext& context) {
  const ir::Value g = context.result_gradients[0];
  if (!g) return std::vector<ir::Value>(2);
  ir::Builder& b = context.builder;
  const ir::Value a = context.op.operand(0), x = context.op.result();
  const TriangularSystem options = triangular_system(context.op);
  const bool is_adjoint = options.transpose == TriangleTranspose::kAdjoint;
  TriangularSystem transposed = options;
  transposed.transpose = options.transpose == TriangleTranspose::kNone ? TriangleTranspose::kTranspose
                                                                       : TriangleTranspose::kNone;
  const ir::Value b_gradient = triangular_solve(b, is_adjoint ? conjugate(b, a) : a, g, transposed);
  if (!context.wants(a)) return {ir::Value(), b_gradient};
  // The gradient of op(a), or of its transpose.
  const ir::Value left = options.left_side ? b_gradient : x, right = options.left_side ? x : b_gradient;
  ir::Value product;
  if (options.transpose == TriangleTranspose::kNone)
    product = options.left_side ? matrix_product(b, left, matrix_transpose(b, right))
                                : matrix_product(b, matrix_transpose(b, left), right);
  else
    product = options.left_side ? matrix_product(b, right, matrix_transpose(b, left))
                                : matrix_product(b, matrix_transpose(b, right), left);
  if (is_adjoint) product = conjugate(b, product);
  return {triangle(b, negate(b, product), options.lower, options.unit_diagonal ? 0 : 1), b_gradient};
}

std::string print_attributes(const ir::Op& op) {
  const TriangularSystem options = triangular_system(op);
  return fmt::format("left_side = {}, lower = {}, transpose_a = #stablehlo<transpose {}>, unit_diagonal = {}",
                     options.left_side, options.lower, op.attributes().get<std::string>("transpose_a"),
                     options.unit_diagonal);
}

ir::Attributes read_attributes(ir::OpAttributes& text) {
  return {{"left_side", text.boolean({"left_side"}, false)},
          {"lower", text.boolean({"lower"}, false)},
          {"unit_diagonal", text.boolean({"unit_diagonal"}, false)},
          {"transpose_a", text.word({"transpose_a"})}};
}

const ir::OpDef kTriangularSolve = {.name = "triangular_solve",
                                    .infer = infer,
                                    .gradient = gradient,
                                    .reference = reference,
                                    .reference_by_f32 = true,
                                    .print_attributes = print_attributes,
                                    .read_attributes = read_attributes};

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kTriangularSolve>(); }

}  // namespace triangular_solve_folder

TriangularSystem triangular_system(const ir::Op& op) {
  return triangular_solve_folder::read_options(op.attributes());
}

ir::Value triangular_solve(ir::Builder& builder, ir::Value a, ir::Value b, TriangularSystem options) {
  const auto name = triangular_solve_folder::kTransposes[static_cast<std::size_t>(options.transpose)];
  return builder
      .create(triangular_solve_folder::kTriangularSolve, {a, b},
              {{"left_side", options.left_side},
               {"lower", options.lower},
               {"unit_diagonal", options.unit_diagonal},
               {"transpose_a", std::string(name)}})
      .result();
}

}  // namespace cornu::inline v0::ops
