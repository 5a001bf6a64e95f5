#include "cornu/transform/index_reductions.h"

#include <algorithm>
#include <limits>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "cornu/ops/broadcast_in_dim/broadcast_in_dim.h"
#include "cornu/ops/compare/compare.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/convert/convert.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/index_space.h"
#include "cornu/ops/iota/iota.h"
#include "cornu/ops/reduce/reduce.h"
#include "cornu/ops/reduce/scalar_body.h"
#include "cornu/ops/select/select.h"
#include "cornu/transform/evaluate.h"
#include "cornu/transform/rewrite.h"

namespace cornu::inline v0::transform {
namespace {

// patterns: argmax and argmin as a reduce of elements and an iota

using ir::Value;
using ValueSet = std::unordered_set<Value, ir::ValueHash>;

enum class Extremum { kNone, kLargest, kSmallest };

void collect_used(const ir::Block& block, ValueSet& used) {
  used.insert(block.results().begin(), block.results().end());
  for (const auto& op : block.ops()) {
    used.insert(op->operands().begin(), op->operands().end());
    for (const auto& region : op->regions()) collect_used(*region, used);
  }
}

/// True if the results of a body of four arguments depend only on the order of its two elements and on that of its two indices:
/// a few values show what it computes then.
bool only_compares(const ir::Block& body) {
  constexpr std::string_view kLogic[] = {"and", "not", "or", "select", "xor"};
  const auto arguments = body.arguments();
  const auto are_pair = [&](const ir::Op& op, std::size_t first) {
    return std::ranges::all_of(op.operands(),
                               [&](Value x) { return x == arguments[first] || x == arguments[first + 2]; });
  };
  return std::ranges::all_of(body.ops(), [&](const auto& op) {
    if (op->name() == "compare")
      return !ops::compares_total_order(*op) && (are_pair(*op, 0) || are_pair(*op, 1));
    return std::ranges::count(kLogic, op->name()) > 0 && op->operand(0).dtype() == ir::DType::kI1;
  });
}

/// Runs the body on (a, i) and (b, k); returns the index.
double chosen_index(const ir::Block& body, double a, double i, double b, double k) {
  ir::Function function("body");
  ir::Builder builder(function.body);
  ir::ValueMap map;
  std::vector<ir::Literal> inputs;
  const double numbers[] = {a, i, b, k};
  for (std::size_t n = 0; n < 4; ++n) {
    const Value argument = body.arguments()[n];
    map[argument] = function.body.add_argument(argument.type());
    inputs.push_back(ir::Literal::scalar(argument.dtype(), numbers[n]));
  }
  function.body.set_results(clone_ops(builder, body, map));
  return evaluate(function, inputs)[1].at(0);
}

/// The extremum whose first index the body chooses. NaN comes before any number; the left one of two comes first.
Extremum extremum_of(const ir::Block& body) {
  if (!only_compares(body)) return Extremum::kNone;
  const double larger = chosen_index(body, 20, 1, 10, 2);
  const bool is_largest = larger == 1;
  const auto chooses = [&](double a, double i, double b, double k, double expected) {
    return chosen_index(body, a, i, b, k) == expected;
  };
  bool fits = true;
  for (const auto& [i, k] : {std::pair(1.0, 2.0), std::pair(2.0, 1.0)})
    fits = fits && chooses(20, i, 10, k, is_largest ? i : k) && chooses(10, i, 20, k, is_largest ? k : i) &&
           chooses(10, i, 10, k, 1);
  if (ir::is_float(body.arguments()[0].dtype())) {
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    for (const auto& [i, k] : {std::pair(1.0, 2.0), std::pair(2.0, 1.0)})
      fits = fits && chooses(kNan, i, 10, k, i) && chooses(10, i, kNan, k, k);
    fits = fits && chooses(kNan, 1, kNan, 2, 1);
  }
  if (!fits) return Extremum::kNone;
  return is_largest ? Extremum::kLargest : Extremum::kSmallest;
}

bool is_scalar_of(Value value, const ir::Literal& literal) {
  return ops::is_constant(value) && value.op()->attributes().get<ir::Literal>("value") == literal;
}

/// True for a reduction of long lines in memory, with few results or along the last dimension.
bool has_long_lines(const ir::Op& op) {
  constexpr std::int64_t kFewResults = 16, kFewestElements = 256;
  const auto& dimensions = op.attributes().get<ir::Dims>("dimensions");
  const ir::Dims& dims = op.operand(0).dims();
  if (dimensions.size() != 1) return false;
  const std::int64_t extent = dims[static_cast<std::size_t>(dimensions[0])];
  return extent >= kFewestElements && extent <= std::numeric_limits<std::int32_t>::max() &&
         (dimensions[0] + 1 == op.operand(0).rank() || op.result(0).type().num_elements() < kFewResults);
}

Extremum found_extremum(const ir::Op& op, const ValueSet& used) {
  if (op.name() != "reduce" || op.operands().size() != 4 || used.contains(op.result(0)) ||
      !has_long_lines(op))
    return Extremum::kNone;
  const ir::DType dtype = op.operand(0).dtype(), index = op.operand(1).dtype();
  const ir::Op* const iota = op.operand(1).op();
  const bool is_iota = iota != nullptr && iota->name() == "iota" && ir::is_integer(index) &&
                       iota->attributes().get<std::int64_t>("iota_dimension") ==
                           op.attributes().get<ir::Dims>("dimensions")[0];
  if (!is_iota || ir::bit_width(index) < 32 || ir::is_complex(dtype) || ir::bit_width(dtype) < 8)
    return Extremum::kNone;
  const Extremum extremum = extremum_of(op.region(0));
  const ir::Literal least =
      extremum == Extremum::kLargest ? ops::least_value(dtype) : ops::greatest_value(dtype);
  const bool is_neutral =
      is_scalar_of(op.operand(2), least) && is_scalar_of(op.operand(3), ir::Literal(op.operand(3).type()));
  return is_neutral ? extremum : Extremum::kNone;
}

/// The least index of an element that equals the extremum, or is NaN.
Value first_index(ir::Builder& b, const ir::Op& op, Value x, Extremum which) {
  const auto& dimensions = op.attributes().get<ir::Dims>("dimensions");
  const Value extremum =
      which == Extremum::kLargest ? ops::reduce_max(b, x, dimensions) : ops::reduce_min(b, x, dimensions);
  const ir::Dims kept = ops::remaining_dimensions(x.rank(), dimensions);
  Value is_found =
      ops::compare(b, x, ops::broadcast_in_dim(b, extremum, x.dims(), kept), ops::ComparisonDirection::kEq);
  if (ir::is_float(x.dtype()))
    is_found = ops::or_(b, is_found, ops::compare(b, x, x, ops::ComparisonDirection::kNe));
  const ir::TensorType positions = {ir::DType::kI32, x.dims()};
  const Value none = ops::full(b, positions, std::numeric_limits<std::int32_t>::max());
  const Value index =
      ops::reduce_min(b, ops::select(b, is_found, ops::iota(b, positions, dimensions[0]), none), dimensions);
  return ops::convert(b, index, op.result(1).dtype());
}

}  // namespace

std::unique_ptr<ir::Function> split_index_reductions(const ir::Function& function) {
  ValueSet used;
  collect_used(function.body, used);
  return replace_matching(
      function, [&](const ir::Op& op) { return found_extremum(op, used) != Extremum::kNone; },
      [&](ir::Builder& b, const ir::Op& op, std::span<const Value> operands) {
        const Value index = first_index(b, op, operands[0], found_extremum(op, used));
        return std::vector{ops::broadcast_scalar(b, operands[2], op.result(0).dims()), index};
      });
}

}  // namespace cornu::inline v0::transform
