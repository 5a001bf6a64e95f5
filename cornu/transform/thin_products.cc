#include "cornu/transform/thin_products.h"

#include <algorithm>
#include <optional>

#include "cornu/ir/op_def.h"
#include "cornu/ops/broadcast_in_dim/broadcast_in_dim.h"
#include "cornu/ops/convert/convert.h"
#include "cornu/ops/dot_general/dot_general.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/reduce/reduce.h"
#include "cornu/transform/rewrite.h"

namespace cornu::inline v0::transform {
namespace {

// patterns: a dot_general of few rows, columns or terms

using ir::Value;

/// The dimensions of an operand in the space [batches, rows, columns, terms] of all products.
struct ProductSpace {
  ir::Dims extents, lhs, rhs;
  std::size_t num_results = 0;  // dimensions of the result
  std::int64_t num_rows = 1, num_columns = 1, num_terms = 1;
};

ProductSpace product_space(const ir::Op& op) {
  const ops::DotDimensions d = ops::dot_dimensions(op);
  const ir::Dims &lhs = op.operand(0).dims(), &rhs = op.operand(1).dims();
  ProductSpace space;
  space.lhs.assign(lhs.size(), -1);
  space.rhs.assign(rhs.size(), -1);
  const auto add = [&](std::int64_t extent) {
    space.extents.push_back(extent);
    return static_cast<std::int64_t>(space.extents.size()) - 1;
  };
  const auto add_pairs = [&](const ir::Dims& left, const ir::Dims& right) {
    for (std::size_t i = 0; i < left.size(); ++i) {
      const auto l = static_cast<std::size_t>(left[i]), r = static_cast<std::size_t>(right[i]);
      space.lhs[l] = space.rhs[r] = add(lhs[l]);
    }
  };
  const auto add_free = [&](const ir::Dims& dims, const ir::Dims& contracting, ir::Dims& places,
                            std::int64_t& count) {
    for (std::size_t i = 0; i < dims.size(); ++i)
      if (places[i] < 0 && std::ranges::count(contracting, static_cast<std::int64_t>(i)) == 0) {
        places[i] = add(dims[i]);
        count *= dims[i];
      }
  };
  add_pairs(d.lhs_batching, d.rhs_batching);
  add_free(lhs, d.lhs_contracting, space.lhs, space.num_rows);
  add_free(rhs, d.rhs_contracting, space.rhs, space.num_columns);
  space.num_results = space.extents.size();
  add_pairs(d.lhs_contracting, d.rhs_contracting);
  for (std::size_t i = space.num_results; i < space.extents.size(); ++i) space.num_terms *= space.extents[i];
  return space;
}

/// The dtype to compute a product in: that of the sums. Empty for types that matrix products alone take.
std::optional<ir::DType> dtype_of_sums(const ir::Op& op) {
  const ir::DType from = op.operand(0).dtype(), to = op.result().dtype();
  if (from != op.operand(1).dtype() || from == ir::DType::kI1 || to == ir::DType::kI1) return std::nullopt;
  if (ir::is_integer(from) && ir::is_integer(to)) return to;
  if (ir::is_complex(from)) return from == to ? std::optional(from) : std::nullopt;
  if (!ir::is_float(from) || !ir::is_float(to)) return std::nullopt;
  if (from == ir::DType::kF64 || to == ir::DType::kF64) return ir::DType::kF64;
  const bool is_small = ir::bit_width(from) < 16 || ir::bit_width(to) < 16;
  return is_small ? std::nullopt : std::optional(ir::DType::kF32);
}

bool is_thin(const ProductSpace& space, ir::DType dtype) {
  if (space.num_terms == 1) return true;
  const bool has_one_row = space.num_rows == 1, has_one_column = space.num_columns == 1;
  const bool has_kernel = ir::is_float(dtype);
  return has_kernel ? has_one_row && has_one_column : has_one_row || has_one_column;
}

bool is_thin_product(const ir::Op& op) {
  if (op.name() != "dot_general") return false;
  const std::optional<ir::DType> dtype = dtype_of_sums(op);
  return dtype && is_thin(product_space(op), *dtype);
}

Value product(ir::Builder& b, const ir::Op& op, const ProductSpace& space, ir::DType dtype, Value lhs,
              Value rhs) {
  const auto spread = [&](Value x, const ir::Dims& places) {
    return ops::broadcast_in_dim(b, ops::convert(b, x, dtype), space.extents, places);
  };
  const Value products = ops::multiply(b, spread(lhs, space.lhs), spread(rhs, space.rhs));
  ir::Dims terms;
  for (std::size_t i = space.num_results; i < space.extents.size(); ++i)
    terms.push_back(static_cast<std::int64_t>(i));
  const Value sums = terms.empty() ? products : ops::reduce_sum(b, products, terms);
  return ops::convert(b, sums, op.result().dtype());
}

}  // namespace

std::unique_ptr<ir::Function> multiply_thin_products(const ir::Function& function) {
  return replace_matching(
      function, &is_thin_product, [](ir::Builder& b, const ir::Op& op, std::span<const Value> operands) {
        return std::vector{product(b, op, product_space(op), *dtype_of_sums(op), operands[0], operands[1])};
      });
}

}  // namespace cornu::inline v0::transform
