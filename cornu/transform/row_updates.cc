#include "cornu/transform/row_updates.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "cornu/ops/all.h"
#include "cornu/ops/operands.h"
#include "cornu/transform/rewrite.h"
#include "cornu/transform/simplify_patterns.h"

namespace cornu::inline v0::transform {
namespace {

// patterns: rows that ids add to zeros, and what follows from them

using ir::Builder;
using ir::Op;
using ir::Value;

constexpr std::int64_t kLeastTableBytes = 1 << 20;  // smaller ones fit in the caches anyway

bool is_splat(Value value, double wanted) {
  const std::optional<ir::Literal> splat = splat_value(value);
  return splat && splat->at(0) == wanted;
}

/// Knowledge of the rows of a value where all gradients are zero.
struct Fact {
  enum class Kind { kUnknown, kZero, kFalse, kTrue, kEquals };
  Kind kind = Kind::kUnknown;
  Value equals = {};  // kEquals: these rows are those of this value
  bool operator==(const Fact&) const = default;
};
constexpr Fact kUnknown = {}, kZero = {.kind = Fact::Kind::kZero};
constexpr Fact kFalse = {.kind = Fact::Kind::kFalse}, kTrue = {.kind = Fact::Kind::kTrue};
Fact fact_of(bool value) { return value ? kTrue : kFalse; }

using Facts = std::span<const Fact>;

Fact fact_of_compare(const Op& op, Facts of) {
  if (of[0] != kZero || of[1] != kZero || ops::compares_total_order(op)) return kUnknown;
  const auto direction =
      ops::comparison_direction_from_name(op.attributes().get<std::string>("comparison_direction"));
  using enum ops::ComparisonDirection;
  return fact_of(direction == kEq || direction == kGe || direction == kLe);
}

Fact fact_of_clamp(const Op& op, Facts of) {
  const std::optional<ir::Literal> low = splat_value(op.operand(0)), high = splat_value(op.operand(2));
  return of[1] == kZero && low && high && low->at(0) <= 0 && high->at(0) >= 0 ? kZero : kUnknown;
}

Fact fact_of_power(const Op& op, Facts of) {
  const std::optional<ir::Literal> exponent = splat_value(op.operand(1));
  return of[0] == kZero && exponent && exponent->at(0) > 0 ? kZero : kUnknown;
}

Fact fact_of_select(const Op&, Facts of) {
  if (of[0] == kTrue || of[1] == of[2]) return of[1];
  return of[0] == kFalse ? of[2] : kUnknown;
}

Fact fact_of_either(Facts of, const Fact& neutral, const Fact& absorbing) {
  if (of[0] == absorbing || of[1] == absorbing) return absorbing;
  if (of[0] == neutral) return of[1];
  return of[1] == neutral ? of[0] : kUnknown;
}

/// A reduction of elements that are all neutral in it, inside a row or over all rows.
Fact fact_of_reduce(const Op& op, Facts of) {
  const std::string_view kind = ops::simple_reduce_kind(op);
  if (kind == "add" && is_splat(op.operand(1), 0)) return of[0] == kZero ? kZero : kUnknown;
  if (kind == "or" && is_splat(op.operand(1), 0)) return of[0] == kFalse ? kFalse : kUnknown;
  if (kind == "and" && is_splat(op.operand(1), 1)) return of[0] == kTrue ? kTrue : kUnknown;
  return kUnknown;
}

Fact fact_of_rearranged(const Op&, Facts of) { return of[0].kind == Fact::Kind::kEquals ? kUnknown : of[0]; }

/// f(0) = 0.
Fact fact_of_odd(const Op&, Facts of) { return of[0] == kZero || of[0] == kFalse ? kZero : kUnknown; }

/// An op and what its result is where the gradient is zero.
struct FactRule {
  std::string_view op;
  Fact (*fact)(const Op& op, Facts of);
};
constexpr FactRule kFactRules[] = {
    {"abs", fact_of_odd},
    {"add", [](const Op&, Facts of) { return of[0] == kZero   ? of[1]
                                             : of[1] == kZero ? of[0]
                                                              : kUnknown; }},
    {"and", [](const Op&, Facts of) { return fact_of_either(of, kTrue, kFalse); }},
    {"broadcast_in_dim", fact_of_rearranged},
    {"cbrt", fact_of_odd},
    {"clamp", fact_of_clamp},
    {"compare", fact_of_compare},
    {"convert", fact_of_odd},
    {"divide", [](const Op&, Facts of) { return of[0] == kZero ? kZero : kUnknown; }},
    {"is_finite", [](const Op&, Facts of) { return of[0] == kZero ? kTrue : kUnknown; }},
    {"maximum", [](const Op&, Facts of) { return of[0] == of[1] ? of[0] : kUnknown; }},
    {"minimum", [](const Op&, Facts of) { return of[0] == of[1] ? of[0] : kUnknown; }},
    {"multiply", [](const Op&, Facts of) { return of[0] == kZero || of[1] == kZero ? kZero : kUnknown; }},
    {"negate", fact_of_odd},
    {"not", [](const Op&, Facts of) { return of[0] == kTrue    ? kFalse
                                             : of[0] == kFalse ? kTrue
                                                               : kUnknown; }},
    {"or", [](const Op&, Facts of) { return fact_of_either(of, kFalse, kTrue); }},
    {"power", fact_of_power},
    {"reduce", fact_of_reduce},
    {"reduce_precision", fact_of_odd},
    {"reshape", fact_of_rearranged},
    {"select", fact_of_select},
    {"sign", fact_of_odd},
    {"sine", fact_of_odd},
    {"sqrt", fact_of_odd},
    {"subtract", [](const Op&, Facts of) { return of[1] == kZero ? of[0] : kUnknown; }},
    {"tanh", fact_of_odd},
};

/// The role of an op that reads a gradient's rows.
enum class Role {
  kNone,   // it reads rows in another way
  kRow,    // row i of its result follows from row i of its operands
  kTotal,  // adds or combines all rows, of which the others are neutral
};

Role role_of_reduce(const Op& op) {
  const std::string_view kind = ops::simple_reduce_kind(op);
  if (kind.empty()) return Role::kNone;
  const auto& dims = op.attributes().get<ir::Dims>("dimensions");
  if (std::find(dims.begin(), dims.end(), 0) == dims.end()) return Role::kRow;
  return kind == "add" || kind == "and" || kind == "or" ? Role::kTotal : Role::kNone;
}

/// The values that are computed from one or several gradients with the same rows.
class RowUpdate {
 public:
  RowUpdate(const ir::Block& block, std::vector<const Op*> gradients)
      : block_(block), gradients_(std::move(gradients)), num_rows_(gradients_[0]->result().dims()[0]) {}

  /// Finds them. False if not all of them can be restricted to rows.
  bool follow() {
    for (const Op* gradient : gradients_) {
      if (gradient->operand(1).dtype() != gradients_[0]->operand(1).dtype()) return false;
      facts_[gradient->result()] = kZero;
    }
    for (const auto& op : block_.ops()) {
      num_seen_ += static_cast<std::size_t>(std::count(gradients_.begin(), gradients_.end(), op.get()));
      if (uses_rows(*op) && !add(*op)) return false;
    }
    for (const Value& result : block_.results()) {
      const auto found = facts_.find(result);
      if (found == facts_.end()) continue;
      const Value kept = found->second.equals;
      if (!kept || kept.op() != nullptr || kept.type() != result.type()) return false;
      updated_[result] = kept;
    }
    return !updated_.empty();
  }

  /// Another gradient that ops of this one read, which must be restricted together with it; null: none.
  const Op* partner() const { return partner_; }

  const std::vector<const Op*>& gradients() const { return gradients_; }
  bool has_rows(Value value) const { return facts_.contains(value); }
  Role role(const Op& op) const {
    const auto found = roles_.find(&op);
    return found == roles_.end() ? Role::kNone : found->second;
  }
  /// The results that are updated arguments, with the arguments.
  const ValueMap& updated() const { return updated_; }
  /// True if an op adds or combines all rows.
  bool has_totals() const {
    return std::ranges::any_of(roles_, [](const auto& each) { return each.second == Role::kTotal; });
  }
  bool is_row_like(Value value) const { return value.rank() > 0 && value.dims()[0] == num_rows_; }
  std::int64_t num_rows() const { return num_rows_; }
  Role role_of(const Op& op) const;

 private:
  bool uses_rows(const Op& op) const {
    const auto has = [this](Value value) { return has_rows(value); };
    if (std::any_of(op.operands().begin(), op.operands().end(), has)) return true;
    const std::vector<Value> captured = ir::captured_values(op);
    return std::any_of(captured.begin(), captured.end(), has);
  }

  bool add(const Op& op) {
    const Role role = role_of(op);
    if (role == Role::kNone) return false;
    roles_[&op] = role;
    std::vector<Fact> of;
    for (const Value& operand : op.operands()) of.push_back(fact_of_operand(operand));
    if (role == Role::kTotal) return fact_of_reduce(op, of) != kUnknown && num_seen_ == gradients_.size();
    const auto rule = std::find_if(std::begin(kFactRules), std::end(kFactRules),
                                   [&](const FactRule& each) { return each.op == op.name(); });
    facts_[op.result()] = rule == std::end(kFactRules) ? kUnknown : rule->fact(op, of);
    return true;
  }

  Fact fact_of_operand(Value operand) {
    if (const auto found = facts_.find(operand); found != facts_.end()) return found->second;
    if (operand.op() != nullptr && is_row_like(operand) && is_sparse_gradient(*operand.op()))
      partner_ = operand.op();
    if (is_splat(operand, 0)) return operand.dtype() == ir::DType::kI1 ? kFalse : kZero;
    if (operand.dtype() == ir::DType::kI1 && is_splat(operand, 1)) return kTrue;
    return {.kind = Fact::Kind::kEquals, .equals = operand};
  }

  const ir::Block& block_;
  std::vector<const Op*> gradients_;
  std::int64_t num_rows_;
  std::size_t num_seen_ = 0;                              // gradients before the op that is looked at
  std::unordered_map<Value, Fact, ir::ValueHash> facts_;  // of all values with the gradients' rows
  std::unordered_map<const Op*, Role> roles_;
  ValueMap updated_;
  const Op* partner_ = nullptr;
};

Role RowUpdate::role_of(const Op& op) const {
  if (op.results().size() != 1) return Role::kNone;
  const Value result = op.result();
  const bool is_elementwise = op.def().elementwise || op.name() == "select" || op.name() == "clamp";
  if (is_elementwise) {
    const auto fits = [&](Value operand) {
      return operand.dims() == result.dims() || (operand.rank() == 0 && !has_rows(operand));
    };
    return std::all_of(op.operands().begin(), op.operands().end(), fits) ? Role::kRow : Role::kNone;
  }
  if (op.name() == "reshape")
    return is_row_like(op.operand(0)) && is_row_like(result) ? Role::kRow : Role::kNone;
  if (op.name() == "broadcast_in_dim") {
    const auto& dims = op.attributes().get<ir::Dims>("broadcast_dimensions");
    return is_row_like(result) && !dims.empty() && dims[0] == 0 ? Role::kRow : Role::kNone;
  }
  return op.name() == "reduce" && !has_rows(op.operand(1)) ? role_of_reduce(op) : Role::kNone;
}

/// The ids of all gradients, each distinct one once.
struct NamedRows {
  Value first;    // [ids]: the position at which the same id occurs first; the number of ids for one outside
  Value targets;  // [ids]: the id at its first position, num_rows at the others
};

NamedRows named_rows(Builder& b, Value ids, std::int64_t num_rows) {
  const std::int64_t count = ids.dims()[0];
  const auto filled = [&](std::int64_t value) {
    return ops::full(b, ids.type(), static_cast<double>(value));
  };
  const auto compare = [&](Value value, std::int64_t with, ops::ComparisonDirection direction) {
    return ops::compare(b, value, filled(with), direction);
  };
  const Value inside = ops::and_(b, compare(ids, 0, ops::ComparisonDirection::kGe),
                                 compare(ids, num_rows, ops::ComparisonDirection::kLt));
  const Value first = ops::first_occurrence(b, ids);
  const Value is_first = ops::compare(b, first, ops::iota(b, ids.type(), 0), ops::ComparisonDirection::kEq);
  return {.first = ops::select(b, inside, first, filled(count)),
          .targets = ops::select(b, ops::and_(b, inside, is_first), ids, filled(num_rows))};
}

/// Builds the ops of a RowUpdate on the named rows.
class RowBuilder {
 public:
  /// `map`: the copies of the values so far.
  RowBuilder(Builder& builder, const RowUpdate& update, ValueMap& map)
      : b_(builder), update_(update), map_(map) {}

  /// Called at each gradient, in order. The last one gathers the rows of all.
  void add_gradient() {
    if (++num_gradients_ < update_.gradients().size()) return;
    if (num_gradients_ == 1 && ops::are_ids_of_row_sums(update_.gradients()[0]->operand(1)))
      add_distinct_rows(*update_.gradients()[0]);
    else
      add_rows();
    for (const Op* op : waiting_) add(*op);
  }

  /// Appends the op on the named rows, once they are gathered.
  void add(const Op& op) {
    if (num_gradients_ < update_.gradients().size()) {
      waiting_.push_back(&op);
      return;
    }
    map_[op.result()] = on_rows(op);
  }

  /// Writes the named rows to the updated arguments.
  void end() {
    for (const auto& [result, argument] : update_.updated())
      map_[result] = written(mapped(map_, argument), map_.at(result), gathered_[argument]);
  }

 private:
  ir::Dims with_rows(ir::Dims dims) const {
    dims[0] = count_;
    return dims;
  }

  void add_rows() {
    std::vector<Value> ids;
    for (const Op* gradient : update_.gradients())
      ids.push_back(
          ops::reshape(b_, mapped(map_, gradient->operand(1)), {gradient->operand(1).type().num_elements()}));
    const Value all = ids.size() == 1 ? ids[0] : ops::concatenate(b_, ids, 0);
    rows_ = named_rows(b_, all, update_.num_rows());
    count_ = all.dims()[0];
    std::int64_t at = 0;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const Op& gradient = *update_.gradients()[i];
      const std::int64_t end = at + ids[i].dims()[0];
      const Value first = ids.size() == 1 ? rows_.first : ops::slice(b_, rows_.first, {at}, {end}, {1});
      const ir::TensorType type{gradient.result().dtype(), with_rows(gradient.result().dims())};
      map_[gradient.result()] = ops::scatter_add_rows(b_, ops::full(b_, type, 0),
                                                      ops::reshape(b_, first, gradient.operand(1).dims()),
                                                      mapped(map_, gradient.operand(2)));
      at = end;
    }
  }

  /// Rows whose ids are distinct already. Those of the id num_rows are unspecified: sums need zeros.
  void add_distinct_rows(const Op& gradient) {
    const Value ids = mapped(map_, gradient.operand(1));
    Value rows = mapped(map_, gradient.operand(2));
    rows_ = {.first = Value(), .targets = ids};
    count_ = ids.dims()[0];
    if (update_.has_totals()) {
      const Value is_named =
          ops::compare(b_, ids, ops::full(b_, ids.type(), static_cast<double>(update_.num_rows())),
                       ops::ComparisonDirection::kLt);
      rows = ops::select(b_, ops::broadcast_in_dim(b_, is_named, rows.dims(), {0}), rows,
                         ops::full(b_, rows.type(), 0));
    }
    map_[gradient.result()] = rows;
  }

  /// The table with new named rows. A difference to the present rows, or a sum, is taken where they are.
  Value written(Value table, Value rows, Value present) {
    const Op* const op = rows.op();
    if (op != nullptr && present && op->operands().size() == 2 && op->operand(0) == present &&
        (op->name() == "subtract" || op->name() == "add") && op->operand(1) != present)
      return changed(table, *op);
    return ops::scatter_rows(b_, table, rows_.targets, rows);
  }

  /// The table whose named rows are operand 0 of an op's.
  Value changed(Value table, const Op& op) {
    ir::Dims window(static_cast<std::size_t>(table.rank() - 1));
    std::iota(window.begin(), window.end(), 1);
    const ops::ScatterDimensions rows{.update_window_dims = window,
                                      .inserted_window_dims = {0},
                                      .input_batching_dims = {},
                                      .scatter_indices_batching_dims = {},
                                      .scatter_dims_to_operand_dims = {0},
                                      .index_vector_dim = 1};
    return ops::scatter(b_, {table}, rows_.targets, {op.operand(1)}, rows,
                        [&](Builder& inner, std::span<const Value> v) {
                          return std::vector<Value>{inner.create(op.def(), {v[0], v[1]}).result()};
                        })[0];
  }

  /// The op on the named rows of its operands.
  Value on_rows(const Op& op) {
    const ir::LocationScope location(b_, op.location());
    if (op.name() == "reshape")
      return ops::reshape(b_, row_operand(op.operand(0)), with_rows(op.result().dims()));
    if (op.name() == "broadcast_in_dim")
      return ops::broadcast_in_dim(b_, row_operand(op.operand(0)), with_rows(op.result().dims()),
                                   op.attributes().get<ir::Dims>("broadcast_dimensions"));
    std::vector<Value> operands;
    for (const Value& operand : op.operands()) operands.push_back(row_operand(operand));
    std::vector<std::unique_ptr<ir::Block>> regions;
    for (const auto& region : op.regions()) regions.push_back(clone_block(*region, map_));
    return b_.create(op.def(), operands, op.attributes(), std::move(regions)).result();
  }

  Value row_operand(Value value) {
    if (update_.has_rows(value)) return map_.at(value);
    if (!update_.is_row_like(value)) return mapped(map_, value);
    if (const auto found = gathered_.find(value); found != gathered_.end()) return found->second;
    return gathered_[value] = gathered(value);
  }

  /// The named rows of a value from outside.
  Value gathered(Value value) {
    if (const std::optional<ir::Literal> splat = splat_value(value))
      return ops::broadcast_scalar(b_, make_constant(b_, *splat), with_rows(value.dims()));
    const Op* const op = value.op();
    if (op != nullptr && op->name() == "broadcast_in_dim") {
      const auto& dims = op->attributes().get<ir::Dims>("broadcast_dimensions");
      if (std::find(dims.begin(), dims.end(), 0) == dims.end())
        return ops::broadcast_in_dim(b_, mapped(map_, op->operand(0)), with_rows(value.dims()), dims);
    }
    // Of what is computed from whole tensors beside the gradient, only the named rows, too.
    if (op != nullptr && update_.role_of(*op) == Role::kRow) return on_rows(*op);
    return ops::gather_rows(b_, mapped(map_, value), rows_.targets);  // which clamps
  }

  Builder& b_;
  const RowUpdate& update_;
  ValueMap& map_;
  std::size_t num_gradients_ = 0;
  std::vector<const Op*> waiting_;
  NamedRows rows_;
  std::int64_t count_ = 0;
  ValueMap gathered_;
};

/// The updates of the block, none of which share a gradient.
std::vector<RowUpdate> find_updates(const ir::Block& block) {
  std::vector<RowUpdate> updates;
  std::unordered_set<const Op*> seen;
  for (const auto& op : block.ops()) {
    if (seen.contains(op.get()) || !is_sparse_gradient(*op)) continue;
    std::vector<const Op*> gradients = {op.get()};
    while (true) {
      RowUpdate update(block, gradients);
      const bool is_good = update.follow();
      const Op* const partner = update.partner();
      if (partner != nullptr && !seen.contains(partner) &&
          std::find(gradients.begin(), gradients.end(), partner) == gradients.end()) {
        gradients.push_back(partner);
        continue;
      }
      seen.insert(gradients.begin(), gradients.end());
      if (is_good) updates.push_back(std::move(update));
      break;
    }
  }
  return updates;
}

}  // namespace

namespace {

/// True if the ids name rows of a table in a file: other rows of such a table must not be used.
bool are_ids_of_file(Value ids) {
  constexpr int kMostOps = 8;  // clamps, reshapes and casts between the lookup and the scatter
  for (int i = 0; i < kMostOps && ids.op() != nullptr; ++i) {
    const Op& op = *ids.op();
    if (op.name() == "cornu.initialize_rows") return true;
    const auto same_count = std::ranges::find_if(op.operands(), [&](Value operand) {
      return operand.type().num_elements() == ids.type().num_elements() && !splat_value(operand);
    });
    if (same_count == op.operands().end()) return false;
    ids = *same_count;
  }
  return false;
}

}  // namespace

bool is_sparse_gradient(const Op& op) {
  if (op.name() != "scatter" || !ops::is_scatter_add_rows(op) || !is_splat(op.operand(0), 0)) return false;
  const Value table = op.result(), ids = op.operand(1);
  if (ids.dtype() != ir::DType::kI32 && ids.dtype() != ir::DType::kI64) return false;
  return static_cast<std::int64_t>(table.type().size_bytes()) >= kLeastTableBytes &&
         ids.type().num_elements() > 0 &&
         (2 * ids.type().num_elements() <= table.dims()[0] || are_ids_of_file(ids) ||
          ops::are_ids_of_row_sums(ids));
}

std::unique_ptr<ir::Function> update_named_rows(const ir::Function& step) {
  const std::vector<RowUpdate> updates = find_updates(step.body);
  if (updates.empty()) return nullptr;
  ir::Function whole;
  ValueMap map;
  for (const Value& argument : step.body.arguments())
    map[argument] = whole.body.add_argument(argument.type());
  Builder builder(whole.body);
  std::vector<RowBuilder> builders;
  builders.reserve(updates.size());
  for (const RowUpdate& update : updates) builders.emplace_back(builder, update, map);
  for (const auto& op : step.body.ops()) {
    bool is_done = false;
    for (std::size_t i = 0; i < updates.size() && !is_done; ++i) {
      const auto& gradients = updates[i].gradients();
      if (std::find(gradients.begin(), gradients.end(), op.get()) != gradients.end()) {
        builders[i].add_gradient();
        is_done = true;
      } else if (updates[i].role(*op) != Role::kNone) {
        builders[i].add(*op);
        is_done = true;
      }
    }
    if (!is_done) clone_op(builder, *op, map);
  }
  for (RowBuilder& each : builders) each.end();
  whole.body.set_results(mapped(map, step.body.results()));

  auto needed = std::make_unique<ir::Function>();
  needed->name = step.name;
  ValueMap copies;
  for (const Value& argument : whole.body.arguments())
    copies[argument] = needed->body.add_argument(argument.type());
  Builder b(needed->body);
  needed->body.set_results(clone_needed_ops(b, whole.body, whole.body.results(), copies));
  return needed;
}

}  // namespace cornu::inline v0::transform
