#include "cornu/backends/cpu/sort/sort_order.h"

#include <cmath>
#include <string_view>
#include <unordered_map>

#include "cornu/ir/literal.h"
#include "cornu/ir/op_def.h"
#include "cornu/ops/compare/compare.h"

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

/// The same in total order after zeros and NaN have been replaced: NaN is one number above infinity.
std::uint8_t compared_with_nan_last(std::string_view direction) {
  using O = SortOrder;
  constexpr std::uint8_t kBefore = O::kLess | O::kRightNan, kAfter = O::kGreater | O::kLeftNan,
                         kSame = O::kEqual | O::kBothNan;
  if (direction == "LT") return kBefore;
  if (direction == "GT") return kAfter;
  if (direction == "EQ") return kSame;
  if (direction == "LE") return kBefore | kSame;
  if (direction == "GE") return kAfter | kSame;
  return kBefore | kAfter;  // NE
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

/// Knowledge of a value in a comparator.
struct Known {
  enum class Kind { kCases, kElement, kZeroTest };
  Kind kind = Kind::kCases;
  std::uint8_t cases = 0;  // kCases: those in which the value is true
  // kElement: one of the two elements of an input; kZeroTest: true if that element is zero.
  std::size_t key = 0;
  bool is_left = true;
  bool has_one_zero = false, has_one_nan = false;  // -0 or any NaN has been replaced

  bool is_same_element(const Known& other) const { return key == other.key && is_left == other.is_left; }
};

std::optional<double> scalar_constant(ir::Value value) {
  if (value.op() == nullptr || value.op()->name() != "constant" || value.rank() != 0 ||
      !ir::is_float(value.dtype()))
    return std::nullopt;
  return value.op()->attributes().get<ir::Literal>("value").at(0);
}

bool is_positive_zero(std::optional<double> x) { return x && *x == 0 && !std::signbit(*x); }

/// Reads a comparator op by op.
class OrderReader {
 public:
  explicit OrderReader(const ir::Block& comparator) : comparator_(comparator) {
    for (std::size_t i = 0; i < comparator.arguments().size(); ++i)
      known_[comparator.arguments()[i]] = {
          .kind = Known::Kind::kElement, .key = i / 2, .is_left = i % 2 == 0};
  }

  std::optional<SortOrder> read() {
    for (const auto& op : comparator_.ops()) {
      if (op->results().size() != 1) return std::nullopt;
      if (scalar_constant(op->result())) continue;
      const std::optional<Known> known = read_op(*op);
      if (!known) return std::nullopt;
      known_[op->result()] = *known;
    }
    const Known* const result = find(comparator_.results()[0]);
    if (result == nullptr || result->kind != Known::Kind::kCases || !key_) return std::nullopt;
    return SortOrder{*key_, result->cases, is_total_.value_or(false)};
  }

 private:
  const Known* find(ir::Value value) const {
    const auto found = known_.find(value);
    return found == known_.end() ? nullptr : &found->second;
  }

  std::optional<Known> read_op(const ir::Op& op) {
    if (op.name() == "compare") return read_compare(op);
    if (op.name() == "select") return read_select(op);
    return read_logic(op);
  }

  std::optional<Known> read_compare(const ir::Op& op) {
    const std::string& direction = op.attributes().get<std::string>("comparison_direction");
    const Known *const left = find(op.operand(0)), *const right = find(op.operand(1));
    if (left == nullptr || left->kind != Known::Kind::kElement) return std::nullopt;
    const bool is_total = ops::compares_total_order(op);
    if (right == nullptr) {
      const std::optional<double> number = scalar_constant(op.operand(1));
      if (is_total || direction != "EQ" || !number || *number != 0) return std::nullopt;
      Known test = *left;
      test.kind = Known::Kind::kZeroTest;
      return test;
    }
    if (right->kind != Known::Kind::kElement || left->key != right->key || (key_ && *key_ != left->key))
      return std::nullopt;
    key_ = left->key;
    return cases_of_compare(direction, *left, *right, is_total);
  }

  std::optional<Known> cases_of_compare(const std::string& direction, const Known& left, const Known& right,
                                        bool is_total) {
    const auto known = [](std::uint8_t cases) { return Known{.cases = cases}; };
    if (!is_total) {
      // Replacing zeros and NaN by others changes no comparison of numbers.
      if (is_total_.value_or(false)) return std::nullopt;
      is_total_ = false;
      if (left.is_left == right.is_left) return known(compared_with_itself(direction, left.is_left));
      return known(left.is_left ? compared(direction) : swapped(compared(direction)));
    }
    if (left.is_left == right.is_left) return std::nullopt;
    const bool replaced = left.has_one_zero && left.has_one_nan;
    if (replaced != (right.has_one_zero && right.has_one_nan)) return std::nullopt;
    if (!replaced && (left.has_one_zero || left.has_one_nan || right.has_one_zero || right.has_one_nan))
      return std::nullopt;
    if (is_total_ && *is_total_ == replaced) return std::nullopt;
    is_total_ = !replaced;
    const std::uint8_t cases = replaced ? compared_with_nan_last(direction) : compared(direction);
    return known(left.is_left ? cases : swapped(cases));
  }

  /// An element whose zeros or NaN are replaced by one number.
  std::optional<Known> read_select(const ir::Op& op) const {
    const Known *const predicate = find(op.operand(0)), *const element = find(op.operand(2));
    const std::optional<double> number = scalar_constant(op.operand(1));
    if (predicate == nullptr || element == nullptr || element->kind != Known::Kind::kElement || !number)
      return std::nullopt;
    Known result = *element;
    if (predicate->kind == Known::Kind::kZeroTest && predicate->is_same_element(*element) &&
        is_positive_zero(number)) {
      result.has_one_zero = true;
      return result;
    }
    if (predicate->kind == Known::Kind::kCases && std::isnan(*number) && !std::signbit(*number) &&
        key_ == element->key && predicate->cases == compared_with_itself("NE", element->is_left)) {
      result.has_one_nan = true;
      return result;
    }
    return std::nullopt;
  }

  std::optional<Known> read_logic(const ir::Op& op) const {
    const std::string_view name = op.name();
    const auto known = [](int cases) { return Known{.cases = static_cast<std::uint8_t>(cases)}; };
    if (name == "constant" && op.result().type() == ir::TensorType{ir::DType::kI1, {}})
      return known(op.attributes().get<ir::Literal>("value").data<bool>()[0] ? kAllCases : 0);
    int operands[2] = {};
    for (std::size_t i = 0; i < op.operands().size(); ++i) {
      const Known* const operand = find(op.operand(i));
      if (operand == nullptr || operand->kind != Known::Kind::kCases || i > 1) return std::nullopt;
      operands[i] = operand->cases;
    }
    const auto [a, b] = operands;
    if (name == "not") return known(kAllCases ^ a);
    if (name == "and") return known(a & b);
    if (name == "or") return known(a | b);
    if (name == "xor") return known(a ^ b);
    return std::nullopt;
  }

  const ir::Block& comparator_;
  std::unordered_map<ir::Value, Known, ir::ValueHash> known_;
  std::optional<std::size_t> key_;
  std::optional<bool> is_total_;  // false if cases of NaN are distinguished
};

}  // namespace

std::optional<SortOrder> sort_order(const ir::Block& comparator) { return OrderReader(comparator).read(); }

}  // namespace cornu::inline v0::backends::cpu
