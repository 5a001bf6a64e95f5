#include "cornu/transform/concatenated_slices.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "cornu/ir/op_def.h"
#include "cornu/ops/concatenate/concatenate.h"
#include "cornu/ops/slice/slice.h"
#include "cornu/transform/rewrite.h"

namespace cornu::inline v0::transform {
namespace {

// patterns: a slice of a concatenate

using ir::Value;

/// The ops of a block that read each value, and the values that the block returns.
struct ValueUses {
  std::unordered_map<Value, std::vector<const ir::Op*>, ir::ValueHash> users;
  std::unordered_set<Value, ir::ValueHash> returned;
};

void collect_uses(const ir::Block& block, ValueUses& uses) {
  uses.returned.insert(block.results().begin(), block.results().end());
  for (const auto& op : block.ops()) {
    for (const Value& operand : op->operands()) uses.users[operand].push_back(op.get());
    for (const auto& region : op->regions()) collect_uses(*region, uses);
  }
}

const ir::Dims& attribute_of(const ir::Op& op, std::string_view name) {
  return op.attributes().get<ir::Dims>(name);
}

std::size_t joined_dimension(const ir::Op& concatenate) {
  return static_cast<std::size_t>(concatenate.attributes().get<std::int64_t>("dimension"));
}

/// True for a slice whose results are written to memory anyway: it is joined with others, or returned.
bool is_copied(const ir::Op& slice, const ValueUses& uses) {
  const auto users = uses.users.find(slice.result());
  if (users == uses.users.end()) return uses.returned.contains(slice.result());
  return std::all_of(users->second.begin(), users->second.end(),
                     [](const ir::Op* user) { return user->name() == "concatenate"; });
}

/// True if the slice reads runs of a few elements.
bool reads_elements(const ir::Op& slice) {
  constexpr std::int64_t kShortRun = 8;
  const ir::Dims &from = slice.operand(0).dims(), &to = slice.result().dims();
  std::int64_t run = 1;
  for (std::size_t d = to.size(); d-- > 0;) {
    run *= to[d];
    if (to[d] != from[d]) return run < kShortRun;
  }
  return false;
}

bool is_slice_to_move(const ir::Op& op, const ir::Op& concatenate, const ValueUses& uses) {
  return op.name() == "slice" && op.result().type().num_elements() > 0 && is_copied(op, uses) &&
         attribute_of(op, "strides")[joined_dimension(concatenate)] == 1;
}

/// The slices of a concatenate to move before it.
std::vector<const ir::Op*> slices_to_move(const ir::Op& concatenate, const ValueUses& uses) {
  constexpr std::int64_t kSmallShare = 16;
  const auto found = uses.users.find(concatenate.result());
  if (found == uses.users.end()) return {};
  const std::int64_t elements = concatenate.result().type().num_elements();
  std::vector<const ir::Op*> all, small;
  std::int64_t sum = 0;
  bool has_runs = true;
  for (const ir::Op* user : found->second) {
    if (!is_slice_to_move(*user, concatenate, uses)) continue;
    const std::int64_t size = user->result().type().num_elements();
    all.push_back(user);
    sum += size;
    has_runs = has_runs && !reads_elements(*user);
    if (size * kSmallShare <= elements) small.push_back(user);
  }
  const bool are_all = all.size() == found->second.size() && !uses.returned.contains(concatenate.result());
  return are_all && has_runs && sum <= elements ? all : small;
}

void find_slices(const ir::Block& block, const ValueUses& uses, std::unordered_set<const ir::Op*>& found) {
  for (const auto& op : block.ops()) {
    if (op->name() == "concatenate")
      for (const ir::Op* slice : slices_to_move(*op, uses)) found.insert(slice);
    for (const auto& region : op->regions()) find_slices(*region, uses, found);
  }
}

/// The slice as a concatenate of slices of the parts, or as a slice of one part.
Value moved(ir::Builder& b, const ir::Op& slice, const ir::Op& concatenate) {
  const std::size_t along = joined_dimension(concatenate);
  const ir::Dims &starts = attribute_of(slice, "start_indices"),
                 &limits = attribute_of(slice, "limit_indices");
  std::vector<Value> parts;
  std::int64_t begin = 0;
  for (const Value& part : concatenate.operands()) {
    const std::int64_t extent = part.dims()[along];
    ir::Dims from = starts, to = limits;
    from[along] = std::max<std::int64_t>(starts[along] - begin, 0);
    to[along] = std::min(limits[along] - begin, extent);
    if (from[along] < to[along])
      parts.push_back(ops::slice(b, part, from, to, attribute_of(slice, "strides")));
    begin += extent;
  }
  return parts.size() == 1
             ? parts[0]
             : ops::concatenate(b, std::move(parts), concatenate.attributes().get<std::int64_t>("dimension"));
}

}  // namespace

std::unique_ptr<ir::Function> slice_before_concatenating(const ir::Function& function) {
  if (!has_op(function.body, [](const ir::Op& op) { return op.name() == "concatenate"; })) return nullptr;
  ValueUses uses;
  collect_uses(function.body, uses);
  std::unordered_set<const ir::Op*> slices;
  find_slices(function.body, uses, slices);
  return replace_matching(
      function, [&](const ir::Op& op) { return slices.contains(&op); },
      [](ir::Builder& b, const ir::Op& op, std::span<const Value> operands) {
        return std::vector{moved(b, op, *operands[0].op())};
      });
}

}  // namespace cornu::inline v0::transform
