#include "cornu/backends/cpu/sort/sort_order.h"

#include <string_view>
#include <unordered_map>

#include "cornu/ir/literal.h"
#include "cornu/ir/op_def.h"

namespace cornu::inline v0::backends::cpu {
namespace {

// patterns: comparisons of one key, put together by logic

constexpr std::uint8_t kAllCases = 63;

/// The cases in which left `direction` right holds, for x against y.
std::uint8_t compared(std::string_view direction) {
  using O = SortOrder;
  if (direction == "LT") return O::kLess;
  if (direction == "GT") return O::kGreater;
  if (direction == "EQ") return O::kEqual;
  if (direction == "LE") return O::kLess | O::kEqual;
  if (direction == "GE") return O::kGreater | O::kEqual;
  return kAllCases ^ O::kEqual;  // NE
}

std::uint8_t swapped(std::uint8_t cases) {
  using O = SortOrder;
  const auto move = [&](int from, int to) { return (cases & from) != 0 ? to : 0; };
  return static_cast<std::uint8_t>((cases & (O::kEqual | O::kBothNan)) | move(O::kLess, O::kGreater) |
                                   move(O::kGreater, O::kLess) | move(O::kLeftNan, O::kRightNan) |
                                   move(O::kRightNan, O::kLeftNan));
}

/// An element with itself.
std::uint8_t compared_with_itself(std::string_view direction, bool left) {
  const auto is_nan =
      static_cast<std::uint8_t>(SortOrder::kBothNan | (left ? SortOrder::kLeftNan : SortOrder::kRightNan));
  if (direction == "NE") return is_nan;
  if (direction == "LT" || direction == "GT") return 0;
  return static_cast<std::uint8_t>(kAllCases ^ is_nan);
}

using Cases = std::unordered_map<ir::Value, std::uint8_t, ir::ValueHash>;

/// The cases in which a comparison of two elements of one key holds, and the key.
std::optional<SortOrder> order_of_compare(const ir::Op& compare, const ir::Block& comparator) {
  const ir::Value left = compare.operand(0), right = compare.operand(1);
  if (left.op() != nullptr || right.op() != nullptr || left.block() != &comparator ||
      right.block() != &comparator || left.index() / 2 != right.index() / 2)
    return std::nullopt;
  const std::string& direction = compare.attributes().get<std::string>("comparison_direction");
  const bool from_left = left.index() % 2 == 0;
  const auto key = static_cast<std::size_t>(left.index() / 2);
  if (left == right) return SortOrder{key, compared_with_itself(direction, from_left)};
  return SortOrder{key, from_left ? compared(direction) : swapped(compared(direction))};
}

/// The cases in which a constant or a logical op on known cases holds; empty for other ops.
std::optional<std::uint8_t> cases_of_logic(const ir::Op& op, const Cases& known) {
  const std::string_view name = op.name();
  if (name == "constant" && op.result().type() == ir::TensorType{ir::DType::kI1, {}})
    return op.attributes().get<ir::Literal>("value").data<bool>()[0] ? kAllCases : std::uint8_t{0};
  int operands[2] = {};
  for (std::size_t i = 0; i < op.operands().size(); ++i) {
    const auto found = known.find(op.operand(i));
    if (found == known.end() || i > 1) return std::nullopt;
    operands[i] = found->second;
  }
  const auto [a, b] = operands;
  if (name == "not") return static_cast<std::uint8_t>(kAllCases ^ a);
  if (name == "and") return static_cast<std::uint8_t>(a & b);
  if (name == "or") return static_cast<std::uint8_t>(a | b);
  if (name == "xor") return static_cast<std::uint8_t>(a ^ b);
  return std::nullopt;
}

}  // namespace

std::optional<SortOrder> sort_order(const ir::Block& comparator) {
  Cases cases;
  std::optional<std::size_t> key;
  for (const auto& op : comparator.ops()) {
    if (op->name() == "compare") {
      const std::optional<SortOrder> order = order_of_compare(*op, comparator);
      if (!order || (key && *key != order->key)) return std::nullopt;
      key = order->key;
      cases[op->result()] = order->before;
    } else {
      const std::optional<std::uint8_t> logic = cases_of_logic(*op, cases);
      if (!logic) return std::nullopt;
      cases[op->result()] = *logic;
    }
  }
  const auto result = cases.find(comparator.results()[0]);
  if (result == cases.end() || !key) return std::nullopt;
  return SortOrder{*key, result->second};
}

}  // namespace cornu::inline v0::backends::cpu
