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

}  // namespace

std::optional<SortOrder> sort_order(const ir::Block& comparator) {
  std::unordered_map<ir::Value, std::uint8_t, ir::ValueHash> cases;
  std::optional<std::int64_t> key;
  for (const auto& op : comparator.ops()) {
    const std::string_view name = op->name();
    const auto is_known = [&](std::size_t i) { return cases.contains(op->operand(i)); };
    if (name == "constant" && op->result().type() == ir::TensorType{ir::DType::kI1, {}}) {
      const bool value = op->attributes().get<ir::Literal>("value").data<bool>()[0];
      cases[op->result()] = value ? kAllCases : std::uint8_t{0};
    } else if (name == "compare") {
      const ir::Value left = op->operand(0), right = op->operand(1);
      if (left.op() != nullptr || right.op() != nullptr || left.block() != &comparator ||
          right.block() != &comparator)
        return std::nullopt;
      if (left.index() / 2 != right.index() / 2 || (key && *key != left.index() / 2)) return std::nullopt;
      key = left.index() / 2;
      const std::string& direction = op->attributes().get<std::string>("comparison_direction");
      const bool from_left = left.index() % 2 == 0;
      if (left == right)
        cases[op->result()] = compared_with_itself(direction, from_left);
      else
        cases[op->result()] = from_left ? compared(direction) : swapped(compared(direction));
    } else if (name == "not" && is_known(0)) {
      cases[op->result()] = static_cast<std::uint8_t>(kAllCases ^ cases[op->operand(0)]);
    } else if ((name == "and" || name == "or" || name == "xor") && is_known(0) && is_known(1)) {
      const int a = cases[op->operand(0)], b = cases[op->operand(1)];
      cases[op->result()] = static_cast<std::uint8_t>(name == "and" ? a & b : name == "or" ? a | b : a ^ b);
    } else {
      return std::nullopt;
    }
  }
  const auto result = cases.find(comparator.results()[0]);
  if (result == cases.end() || !key) return std::nullopt;
  return SortOrder{static_cast<std::size_t>(*key), result->second};
}

}  // namespace cornu::inline v0::backends::cpu
