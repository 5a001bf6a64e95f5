#include "cornu/backends/cpu/sort/sort_order.h"

#include <cmath>
#include <map>
#include <optional>
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
  enum class Kind { kCases, kElement, kZeroTest, kTail, kOrder };
  Kind kind = Kind::kCases;
  std::uint8_t cases = 0;  // kCases: those in which the value is true
  // kElement: one of the two elements of an input; kZeroTest: true if that element is zero; kCases: compared,
  // if there are cases in which the value differs; kTail: equal, and the rest is in `order`.
  std::size_t key = 0;
  std::vector<SortOrder> order = {};  // kTail, kOrder
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

  std::vector<SortOrder> read() {
    for (const auto& op : comparator_.ops()) {
      if (op->results().size() != 1) return {};
      if (scalar_constant(op->result())) continue;
      const std::optional<Known> known = read_op(*op);
      if (!known) return {};
      known_[op->result()] = *known;
    }
    const Known* const result = find(comparator_.results()[0]);
    if (result == nullptr) return {};
    if (result->kind == Known::Kind::kOrder) return result->order;
    if (result->kind != Known::Kind::kCases || is_total_.empty()) return {};
    return {order_of(*result)};
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
    if (right->kind != Known::Kind::kElement || left->key != right->key) return std::nullopt;
    return cases_of_compare(direction, *left, *right, is_total);
  }

  std::optional<Known> cases_of_compare(const std::string& direction, const Known& left, const Known& right,
                                        bool is_total) {
    const auto known = [&](std::uint8_t cases) { return Known{.cases = cases, .key = left.key}; };
    const auto earlier = is_total_.find(left.key);
    if (!is_total) {
      // Replacing zeros and NaN by others changes no comparison of numbers.
      if (earlier != is_total_.end() && earlier->second) return std::nullopt;
      is_total_[left.key] = false;
      if (left.is_left == right.is_left) return known(compared_with_itself(direction, left.is_left));
      return known(left.is_left ? compared(direction) : swapped(compared(direction)));
    }
    if (left.is_left == right.is_left) return std::nullopt;
    const bool replaced = left.has_one_zero && left.has_one_nan;
    if (replaced != (right.has_one_zero && right.has_one_nan)) return std::nullopt;
    if (!replaced && (left.has_one_zero || left.has_one_nan || right.has_one_zero || right.has_one_nan))
      return std::nullopt;
    if (earlier != is_total_.end() && earlier->second == replaced) return std::nullopt;
    is_total_[left.key] = !replaced;
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
        predicate->key == element->key && predicate->cases == compared_with_itself("NE", element->is_left)) {
      result.has_one_nan = true;
      return result;
    }
    return std::nullopt;
  }

  std::optional<Known> read_logic(const ir::Op& op) const {
    const std::string_view name = op.name();
    if (name == "constant" && op.result().type() == ir::TensorType{ir::DType::kI1, {}})
      return Known{.cases = op.attributes().get<ir::Literal>("value").data<bool>()[0] ? kAllCases
                                                                                      : std::uint8_t{0}};
    const Known* operands[2] = {};
    for (std::size_t i = 0; i < op.operands().size(); ++i) {
      if (i > 1) return std::nullopt;
      operands[i] = find(op.operand(i));
      if (operands[i] == nullptr) return std::nullopt;
    }
    const auto [x, y] = operands;
    if (x == nullptr) return std::nullopt;
    if (y != nullptr && (name == "and" || name == "or"))
      if (std::optional<Known> joined = name == "and" ? tail_of(*x, *y) : order_of(*x, *y)) return joined;
    return combined(name, *x, y);
  }

  /// Logic of one or two values that are true in some cases of one key.
  static std::optional<Known> combined(std::string_view name, const Known& x, const Known* y) {
    if (x.kind != Known::Kind::kCases || (y != nullptr && y->kind != Known::Kind::kCases))
      return std::nullopt;
    const int a = x.cases, b = y == nullptr ? 0 : y->cases;
    const std::optional<std::size_t> key = y == nullptr ? x.key : common_key(x, *y);
    if (!key) return std::nullopt;
    const auto result = [&](int cases) {
      return Known{.cases = static_cast<std::uint8_t>(cases), .key = *key};
    };
    if (name == "not") return result(kAllCases ^ a);
    if (name == "and") return result(a & b);
    if (name == "or") return result(a | b);
    if (name == "xor") return result(a ^ b);
    return std::nullopt;
  }

  static bool differs(const Known& known) { return known.cases != 0 && known.cases != kAllCases; }

  static std::optional<std::size_t> common_key(const Known& x, const Known& y) {
    if (differs(x) && differs(y) && x.key != y.key) return std::nullopt;
    return differs(x) ? x.key : y.key;
  }

  SortOrder order_of(const Known& known) const {
    const auto total = is_total_.find(known.key);
    return {known.key, known.cases, total != is_total_.end() && total->second};
  }

  /// x == y of one key, and an order by others.
  std::optional<Known> tail_of(const Known& x, const Known& y) const {
    using O = SortOrder;
    const auto is_equality = [](const Known& known) {
      return known.kind == Known::Kind::kCases && (known.cases | O::kBothNan) == (O::kEqual | O::kBothNan);
    };
    const auto is_order = [](const Known& known) {
      return known.kind == Known::Kind::kOrder || (known.kind == Known::Kind::kCases && differs(known));
    };
    const Known &equal = is_equality(x) ? x : y, &rest = is_equality(x) ? y : x;
    if (!is_equality(equal) || !is_order(rest) || (rest.kind == Known::Kind::kCases && rest.key == equal.key))
      return std::nullopt;
    Known tail{.kind = Known::Kind::kTail, .key = equal.key, .order = rest.order};
    if (rest.kind == Known::Kind::kCases) tail.order = {order_of(rest)};
    return tail;
  }

  /// A comparison of one key, or its equality and an order by others.
  std::optional<Known> order_of(const Known& x, const Known& y) const {
    const Known &first = x.kind == Known::Kind::kTail ? y : x, &tail = x.kind == Known::Kind::kTail ? x : y;
    if (first.kind != Known::Kind::kCases || tail.kind != Known::Kind::kTail || first.key != tail.key ||
        !differs(first) || (first.cases & SortOrder::kEqual) != 0)
      return std::nullopt;
    Known whole{.kind = Known::Kind::kOrder, .order = {order_of(first)}};
    whole.order.insert(whole.order.end(), tail.order.begin(), tail.order.end());
    return whole;
  }

  const ir::Block& comparator_;
  std::unordered_map<ir::Value, Known, ir::ValueHash> known_;
  std::map<std::size_t, bool> is_total_;  // by key that was compared; false if cases of NaN are distinguished
};

}  // namespace

std::vector<SortOrder> sort_orders(const ir::Block& comparator) { return OrderReader(comparator).read(); }

}  // namespace cornu::inline v0::backends::cpu
