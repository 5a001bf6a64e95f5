#include "cornu/transform/simplify_patterns.h"

#include <algorithm>
#include <cmath>

#include "cornu/ir/op_def.h"
#include "cornu/ops/broadcast_in_dim/broadcast_in_dim.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/dot_general/dot_general.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/index_space.h"
#include "cornu/ops/pad/pad.h"
#include "cornu/ops/reduce/scalar_body.h"
#include "cornu/ops/reduce_window/reduce_window.h"
#include "cornu/ops/reshape/reshape.h"
#include "cornu/ops/slice/slice.h"
#include "cornu/ops/transpose/transpose.h"
#include "cornu/transform/simplify_scatter.h"

namespace cornu::inline v0::transform {
namespace {

// patterns: an op on another op, or on constants

const ir::Dims& list(const ir::Op& op, std::string_view name) { return op.attributes().get<ir::Dims>(name); }

/// True if all elements equal `number`, bit for bit (0 and -0 differ).
bool all_are(ir::Value value, double number) {
  const std::optional<ir::Literal> splat = splat_value(value);
  return splat && splat->at(0) == number &&
         (!ir::is_float(value.dtype()) || std::signbit(splat->at(0)) == std::signbit(number));
}

/// True for values whose addition changes no bit: for floats only -0, because -0 + 0 is 0.
bool is_neutral_in_sum(ir::Value value) { return all_are(value, ir::is_float(value.dtype()) ? -0.0 : 0.0); }

ir::Value keep(const Candidate& c, bool fits, std::size_t operand) {
  return fits ? c.operands[operand] : ir::Value();
}

bool same_type(const Candidate& c) { return c.op.result().type() == c.operands[0].type(); }

/// 1 / c if dividing by c equals multiplying by it: c is a power of two with a normal inverse.
std::optional<double> exact_inverse(ir::Value divisor) {
  if (divisor.dtype() != ir::DType::kF32 && divisor.dtype() != ir::DType::kF64) return std::nullopt;
  const std::optional<ir::Literal> splat = splat_value(divisor);
  if (!splat || !std::isnormal(splat->at(0))) return std::nullopt;
  int exponent = 0;
  const double mantissa = std::frexp(splat->at(0), &exponent);
  const int limit = divisor.dtype() == ir::DType::kF32 ? 120 : 1000;
  if (std::fabs(mantissa) != 0.5 || std::abs(exponent) > limit) return std::nullopt;
  return 1 / splat->at(0);
}

ir::Value divide_by_power_of_two(const Candidate& c) {
  const std::optional<double> inverse = exact_inverse(c.operands[1]);
  return inverse
             ? ops::multiply(c.builder, c.operands[0], ops::full(c.builder, c.operands[1].type(), *inverse))
             : ir::Value();
}

/// Reshape, transpose and slice of a broadcast scalar are broadcasts of the scalar.
ir::Value rearranged_scalar(const Candidate& c) {
  const ir::Op* broadcast = made_by(c.operands[0], "broadcast_in_dim");
  if (broadcast == nullptr || broadcast->operand(0).rank() != 0) return {};
  return ops::broadcast_scalar(c.builder, broadcast->operand(0), c.op.result().dims());
}

ir::Value broadcast_of_broadcast(const Candidate& c) {
  const ir::Op* inner = made_by(c.operands[0], "broadcast_in_dim");
  if (inner == nullptr) return {};
  return ops::broadcast_in_dim(
      c.builder, inner->operand(0), c.op.result().dims(),
      ops::extents(list(c.op, "broadcast_dimensions"), list(*inner, "broadcast_dimensions")));
}

/// Merges a reshape that only inserts dimensions of extent 1 into a broadcast_in_dim.
ir::Value broadcast_of_expanding_reshape(const Candidate& c) {
  const ir::Op* inner = made_by(c.operands[0], "reshape");
  if (inner == nullptr) return {};
  const ir::Value x = inner->operand(0);
  ir::Dims from, map;
  for (std::size_t d = 0; d < inner->result().dims().size(); ++d) {
    if (inner->result().dims()[d] == 1) continue;
    from.push_back(inner->result().dims()[d]);
    map.push_back(list(c.op, "broadcast_dimensions")[d]);
  }
  return from == x.dims() ? ops::broadcast_in_dim(c.builder, x, c.op.result().dims(), map) : ir::Value();
}

ir::Value reshape_of_reshape(const Candidate& c) {
  const ir::Op* inner = made_by(c.operands[0], "reshape");
  return inner != nullptr ? ops::reshape(c.builder, inner->operand(0), c.op.result().dims()) : ir::Value();
}

ir::Value transpose_of_transpose(const Candidate& c) {
  const ir::Op* inner = made_by(c.operands[0], "transpose");
  if (inner == nullptr) return {};
  return ops::transpose(c.builder, inner->operand(0),
                        ops::extents(list(*inner, "permutation"), list(c.op, "permutation")));
}

/// Skips a transpose of an operand: renumbers its dimensions to those before the transpose, if its free
/// dimensions stay in order.
bool look_through_transpose(ir::Value& operand, ir::Dims& batching, ir::Dims& contracting) {
  const ir::Op* inner = made_by(operand, "transpose");
  if (inner == nullptr) return false;
  const ir::Dims& permutation = list(*inner, "permutation");
  const ir::Dims free = ops::remaining_dimensions(operand.rank(), ops::concatenated(batching, contracting));
  if (!ops::is_sorted(ops::extents(permutation, free))) return false;
  batching = ops::extents(permutation, batching);
  contracting = ops::extents(permutation, contracting);
  operand = inner->operand(0);
  return true;
}

ir::Value dot_of_transpose(const Candidate& c) {
  ops::DotDimensions dot = ops::dot_dimensions(c.op);
  ir::Value lhs = c.operands[0], rhs = c.operands[1];
  const bool left = look_through_transpose(lhs, dot.lhs_batching, dot.lhs_contracting);
  const bool right = look_through_transpose(rhs, dot.rhs_batching, dot.rhs_contracting);
  return left || right ? ops::dot_general(c.builder, lhs, rhs, dot) : ir::Value();
}

/// A product whose free dimensions are swapped is the product of its operands in the other order.
ir::Value transpose_of_dot(const Candidate& c) {
  const ir::Op* inner = c.owns_first ? made_by(c.operands[0], "dot_general") : nullptr;
  if (inner == nullptr) return {};
  const ops::DotDimensions dot = ops::dot_dimensions(*inner);
  const auto num_batching = static_cast<std::int64_t>(dot.lhs_batching.size()),
             num_left = inner->operand(0).rank() - num_batching -
                        static_cast<std::int64_t>(dot.lhs_contracting.size());
  ir::Dims swapped = ops::counting(c.op.result().rank());
  std::rotate(swapped.begin() + num_batching, swapped.begin() + num_batching + num_left, swapped.end());
  if (list(c.op, "permutation") != swapped) return {};
  return ops::dot_general(c.builder, inner->operand(1), inner->operand(0),
                          {.lhs_batching = dot.rhs_batching,
                           .rhs_batching = dot.lhs_batching,
                           .lhs_contracting = dot.rhs_contracting,
                           .rhs_contracting = dot.lhs_contracting});
}

bool is_whole_slice(const Candidate& c) { return same_type(c) && ops::all_equal(list(c.op, "strides"), 1); }

bool pads_nothing(const Candidate& c) {
  auto is_zero = [&](std::string_view name) {
    return list(c.op, name) == ir::Dims(c.operands[0].dims().size(), 0);
  };
  return is_zero("edge_padding_low") && is_zero("edge_padding_high") && is_zero("interior_padding");
}

/// The gradients of two strided slices of one tensor are sums of this form.
ir::Value sum_of_pads(const Candidate& c) {
  const ir::Op *left = made_by(c.operands[0], "pad"), *right = made_by(c.operands[1], "pad");
  if (left == nullptr || right == nullptr || !all_are(left->operand(1), 0) || !all_are(right->operand(1), 0))
    return {};
  const auto is_same = [&](std::string_view name) { return list(*left, name) == list(*right, name); };
  if (!is_same("edge_padding_low") || !is_same("edge_padding_high") || !is_same("interior_padding"))
    return {};
  return ops::pad(c.builder, ops::add(c.builder, left->operand(0), right->operand(0)), left->operand(1),
                  list(*left, "edge_padding_low"), list(*left, "edge_padding_high"),
                  list(*left, "interior_padding"));
}

ir::Value inner_operand(const Candidate& c, std::string_view name) {
  const ir::Op* inner = made_by(c.operands[0], name);
  return inner != nullptr ? inner->operand(0) : ir::Value();
}

bool is_integer_or_i1(ir::Value value) { return !ir::is_float(value.dtype()); }

/// A slice within one part of a concatenate, as of a gated unit, is a slice of the part.
ir::Value slice_of_part(const Candidate& c) {
  const ir::Op* const joined = made_by(c.operands[0], "concatenate");
  if (joined == nullptr) return {};
  const auto d = static_cast<std::size_t>(joined->attributes().get<std::int64_t>("dimension"));
  ir::Dims starts = list(c.op, "start_indices"), limits = list(c.op, "limit_indices");
  if (starts[d] >= limits[d]) return {};
  for (const ir::Value& part : joined->operands()) {
    const std::int64_t extent = part.dims()[d];
    if (starts[d] < extent)
      return limits[d] <= extent ? ops::slice(c.builder, part, starts, limits, list(c.op, "strides"))
                                 : ir::Value();
    starts[d] -= extent;
    limits[d] -= extent;
  }
  return {};
}

/// True if combining a number with this initial value by the op, which is the body of a reduction, changes no bit.
bool is_neutral(std::string_view op, ir::Value initial) {
  const ir::DType dtype = initial.dtype();
  if (ir::is_complex(dtype)) return false;
  if (op == "multiply") return all_are(initial, 1);
  if (op == "or") return all_are(initial, 0);
  if (op == "and") return dtype == ir::DType::kI1 && all_are(initial, 1);
  if (op == "add") return is_neutral_in_sum(initial);
  const std::optional<ir::Literal> splat = splat_value(initial);
  return splat && ((op == "maximum" && *splat == ops::least_value(dtype)) ||
                   (op == "minimum" && *splat == ops::greatest_value(dtype)));
}

/// A reduction of single elements, as of the checks of indices of one component, is a reshape.
ir::Value reduce_of_single_elements(const Candidate& c) {
  if (c.operands.size() != 2 || c.op.result().type().num_elements() != c.operands[0].type().num_elements() ||
      !is_neutral(ops::simple_body_kind(c.op.region(0)), c.operands[1]))
    return {};
  return ops::reshape(c.builder, c.operands[0], c.op.result().dims());
}

/// A reduce_window of windows of one element, as a cumulative maximum along an extent of 1, is its operand.
ir::Value window_of_single_elements(const Candidate& c) {
  if (c.operands.size() != 2 || !same_type(c)) return {};
  const ops::WindowOptions w = ops::window_options(c.op);
  const auto are = [](const ir::Dims& list, std::int64_t number) {
    return std::all_of(list.begin(), list.end(), [number](std::int64_t x) { return x == number; });
  };
  const bool is_single = are(w.dimensions, 1) && are(w.strides, 1) && are(w.base_dilations, 1) &&
                         are(w.padding_low, 0) && are(w.padding_high, 0);
  return keep(c, is_single && is_neutral(ops::simple_body_kind(c.op.region(0)), c.operands[1]), 0);
}

/// CHLO's functions, as JAX writes them out, have a tensor for each coefficient: a loop would read all of them.
ir::Value broadcast_of_equal_elements(const Candidate& c) {
  const auto& literal = c.op.attributes().get<ir::Literal>("value");
  return literal.type().num_elements() > 1 && literal.is_splat() ? make_constant(c.builder, literal)
                                                                 : ir::Value();
}

constexpr Pattern kPatterns[] = {
    {"constant", "of equal elements -> broadcast of a scalar", broadcast_of_equal_elements},
    {"add", "x + 0 -> x", [](const Candidate& c) { return keep(c, is_neutral_in_sum(c.operands[1]), 0); }},
    {"add", "0 + x -> x", [](const Candidate& c) { return keep(c, is_neutral_in_sum(c.operands[0]), 1); }},
    {"add", "pad(x, 0) + pad(y, 0) -> pad(x + y, 0)", sum_of_pads},
    {"subtract", "x - 0 -> x", [](const Candidate& c) { return keep(c, all_are(c.operands[1], 0), 0); }},
    {"multiply", "x * 1 -> x", [](const Candidate& c) { return keep(c, all_are(c.operands[1], 1), 0); }},
    {"multiply", "1 * x -> x", [](const Candidate& c) { return keep(c, all_are(c.operands[0], 1), 1); }},
    {"multiply", "x * 0 -> 0, integers",
     [](const Candidate& c) {
       return keep(c, is_integer_or_i1(c.operands[1]) && all_are(c.operands[1], 0), 1);
     }},
    {"multiply", "0 * x -> 0, integers",
     [](const Candidate& c) {
       return keep(c, is_integer_or_i1(c.operands[0]) && all_are(c.operands[0], 0), 0);
     }},
    {"divide", "x / 1 -> x", [](const Candidate& c) { return keep(c, all_are(c.operands[1], 1), 0); }},
    {"divide", "x / 2^k -> x * 2^-k", divide_by_power_of_two},
    {"and", "x and true -> x",
     [](const Candidate& c) {
       return keep(c, c.operands[1].dtype() == ir::DType::kI1 && all_are(c.operands[1], 1), 0);
     }},
    {"and", "true and x -> x",
     [](const Candidate& c) {
       return keep(c, c.operands[0].dtype() == ir::DType::kI1 && all_are(c.operands[0], 1), 1);
     }},
    {"or", "x or 0 -> x", [](const Candidate& c) { return keep(c, all_are(c.operands[1], 0), 0); }},
    {"or", "0 or x -> x", [](const Candidate& c) { return keep(c, all_are(c.operands[0], 0), 1); }},
    {"negate", "-(-x) -> x", [](const Candidate& c) { return inner_operand(c, "negate"); }},
    {"not", "not not x -> x", [](const Candidate& c) { return inner_operand(c, "not"); }},
    {"select", "select(p, x, x) -> x",
     [](const Candidate& c) { return keep(c, c.operands[1] == c.operands[2], 1); }},
    {"select", "select(true, x, y) -> x",
     [](const Candidate& c) { return keep(c, all_are(c.operands[0], 1), 1); }},
    {"select", "select(false, x, y) -> y",
     [](const Candidate& c) { return keep(c, all_are(c.operands[0], 0), 2); }},
    {"convert", "to the same dtype -> x", [](const Candidate& c) { return keep(c, same_type(c), 0); }},
    {"bitcast_convert", "to the same dtype -> x",
     [](const Candidate& c) { return keep(c, same_type(c), 0); }},
    {"broadcast_in_dim", "to the same shape -> x",
     [](const Candidate& c) {
       return keep(c, same_type(c) && ops::is_sorted(list(c.op, "broadcast_dimensions")), 0);
     }},
    {"broadcast_in_dim", "of a broadcast -> one", broadcast_of_broadcast},
    {"broadcast_in_dim", "of a reshape that adds ones -> broadcast", broadcast_of_expanding_reshape},
    {"reshape", "to the same shape -> x", [](const Candidate& c) { return keep(c, same_type(c), 0); }},
    {"reshape", "of a reshape -> one", reshape_of_reshape},
    {"reshape", "of a scalar's broadcast -> broadcast", rearranged_scalar},
    {"transpose", "in order -> x",
     [](const Candidate& c) { return keep(c, ops::is_sorted(list(c.op, "permutation")), 0); }},
    {"transpose", "of a transpose -> one", transpose_of_transpose},
    {"transpose", "of a dot_general -> dot_general of the swapped operands", transpose_of_dot},
    {"transpose", "of a scalar's broadcast -> broadcast", rearranged_scalar},
    {"slice", "of everything -> x", [](const Candidate& c) { return keep(c, is_whole_slice(c), 0); }},
    {"slice", "of a scalar's broadcast -> broadcast", rearranged_scalar},
    {"slice", "within a part of a concatenate -> slice of the part", slice_of_part},
    {"reduce", "of single elements -> reshape", reduce_of_single_elements},
    {"reduce_window", "of windows of one element -> x", window_of_single_elements},
    {"pad", "by nothing -> x", [](const Candidate& c) { return keep(c, pads_nothing(c), 0); }},
    {"reverse", "of no dimension -> x",
     [](const Candidate& c) { return keep(c, list(c.op, "dimensions").empty(), 0); }},
    {"concatenate", "of one -> x", [](const Candidate& c) { return keep(c, c.operands.size() == 1, 0); }},
    {"dot_general", "of a transpose -> dot_general", dot_of_transpose},
    {"scatter", "at distinct constants -> gather", scatter_at_distinct_constants},
    {"scatter", "of one window at a constant position -> dynamic_update_slice", scatter_of_one_window},
};

}  // namespace

std::span<const Pattern> simplify_patterns() { return kPatterns; }

const ir::Op* made_by(ir::Value value, std::string_view name) {
  return value.op() != nullptr && value.op()->name() == name ? value.op() : nullptr;
}

std::optional<ir::Literal> splat_value(ir::Value value) {
  if (const ir::Op* broadcast = made_by(value, "broadcast_in_dim")) return splat_value(broadcast->operand(0));
  const ir::Op* constant = made_by(value, "constant");
  if (constant == nullptr) return std::nullopt;
  const auto& literal = constant->attributes().get<ir::Literal>("value");
  if (literal.type().rank() == 0) return literal;
  if (!literal.is_splat()) return std::nullopt;
  ir::Literal scalar(ir::TensorType{literal.type().dtype, {}});
  ops::copy_element(scalar.mutable_bytes(), 0, literal.bytes(), 0, ir::size_bytes(literal.type().dtype));
  return scalar;
}

ir::Value make_constant(ir::Builder& builder, const ir::Literal& literal) {
  if (literal.type().rank() == 0 || !literal.is_splat()) return ops::constant(builder, literal);
  ir::Literal scalar(ir::TensorType{literal.type().dtype, {}});
  ops::copy_element(scalar.mutable_bytes(), 0, literal.bytes(), 0, ir::size_bytes(literal.type().dtype));
  return ops::broadcast_scalar(builder, ops::constant(builder, scalar), literal.type().dims);
}

}  // namespace cornu::inline v0::transform
