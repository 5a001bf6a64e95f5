#include <algorithm>
#include <unordered_map>

#include "cornu/backends/cpu/plan/passes.h"
#include "cornu/ir/clone.h"
#include "cornu/transform/rewrite.h"

namespace cornu::inline v0::backends::cpu {
namespace {

using ir::Op;
using ir::Value;

/// The size of a bucket: smaller messages are bound by latency, larger ones start late.
constexpr std::size_t kBucketBytes = 1 << 20;

bool is_large_exchange(const Op& op) {
  std::size_t bytes = 0;
  for (const Value& operand : op.operands()) bytes += operand.type().size_bytes();
  const AsyncCollectiveColumn* const async_collective = async_collective_of(op);
  return async_collective != nullptr && async_collective->is_by_operand && bytes > kBucketBytes;
}

/// The op's operands by number, in the order in which the block makes them, in pieces of at least
/// kBucketBytes; the last has the rest.
std::vector<std::vector<std::size_t>> buckets_of(const Op& exchange,
                                                 const std::unordered_map<const Op*, std::size_t>& places) {
  const auto place = [&](std::size_t i) {
    const auto found = places.find(exchange.operand(i).op());
    return found == places.end() ? 0 : found->second + 1;
  };
  std::vector<std::size_t> order(exchange.operands().size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return place(a) < place(b); });
  std::vector<std::vector<std::size_t>> buckets(1);
  std::size_t bytes = 0;
  for (const std::size_t i : order) {
    if (bytes >= kBucketBytes) {
      buckets.emplace_back();
      bytes = 0;
    }
    buckets.back().push_back(i);
    bytes += exchange.operand(i).type().size_bytes();
  }
  return buckets;
}

bool uses_buffer_of(const Plan& plan, const Group& user, const Group& exchange) {
  const auto is_of_exchange = [&](int buffer) {
    return std::any_of(exchange.stores.begin(), exchange.stores.end(),
                       [&](const Store& store) { return store.buffer == buffer; });
  };
  const std::vector<Read> reads = group_reads(plan, user);
  return std::any_of(reads.begin(), reads.end(),
                     [&](const Read& read) { return is_of_exchange(plan.buffer_of.at(read.value)); }) ||
         std::any_of(user.stores.begin(), user.stores.end(),
                     [&](const Store& store) { return is_of_exchange(store.buffer); });
}

void split_async_collectives_in(const Plan& plan, std::vector<Group>& groups) {
  for (std::size_t i = 0; i < groups.size(); ++i) {
    for (std::vector<Group>& region : groups[i].regions) split_async_collectives_in(plan, region);
    auto* const kernel = std::get_if<KernelGroup>(&groups[i].kind);
    if (kernel == nullptr || kernel->async_part != AsyncPart::kWhole ||
        async_collective_of(*groups[i].op) == nullptr)
      continue;
    std::size_t end = i + 1;
    while (end < groups.size() && !uses_buffer_of(plan, groups[end], groups[i])) ++end;
    if (end == i + 1) continue;  // no other work to overlap with
    kernel->async_part = AsyncPart::kStart;
    Group rest = groups[i];
    std::get<KernelGroup>(rest.kind).async_part = AsyncPart::kDone;
    groups.insert(groups.begin() + static_cast<std::ptrdiff_t>(end), std::move(rest));
  }
}

/// True if the group, or one in its regions, writes the buffer.
bool writes_buffer(const Group& group, int buffer) {
  return std::any_of(group.stores.begin(), group.stores.end(),
                     [&](const Store& store) { return store.buffer == buffer; }) ||
         std::ranges::any_of(group.regions, [&](const std::vector<Group>& region) {
           return std::ranges::any_of(region,
                                      [&](const Group& inner) { return writes_buffer(inner, buffer); });
         });
}

void end_views_in(const Plan& plan, std::vector<Group>& groups) {
  for (std::size_t i = 0; i < groups.size(); ++i) {
    for (std::vector<Group>& region : groups[i].regions) end_views_in(plan, region);
    const auto* const kernel = groups[i].as<KernelGroup>();
    if (kernel == nullptr || kernel->async_part == AsyncPart::kDone || !makes_view(*groups[i].op)) continue;
    const int shown = plan.buffer_of.at(groups[i].op->operand(0));
    std::size_t end = i + 1;
    while (end < groups.size() && !writes_buffer(groups[end], shown)) ++end;
    Group rest = groups[i];
    std::get<KernelGroup>(rest.kind).async_part = AsyncPart::kDone;
    groups.insert(groups.begin() + static_cast<std::ptrdiff_t>(end), std::move(rest));
  }
}

}  // namespace

void bucket_gradients(Plan& plan) {
  const ir::Block& body = plan.step->body;
  const auto matches = [](const std::unique_ptr<Op>& op) { return is_large_exchange(*op); };
  if (std::none_of(body.ops().begin(), body.ops().end(), matches)) return;
  std::unordered_map<const Op*, std::size_t> places;
  for (const auto& op : body.ops()) places.emplace(op.get(), places.size());
  auto copy = std::make_unique<ir::Function>();
  copy->name = plan.step->name;
  transform::ValueMap map;
  for (const Value& argument : body.arguments()) map[argument] = copy->body.add_argument(argument.type());
  ir::Builder builder(copy->body);
  for (const auto& op : body.ops()) {
    if (!matches(op)) {
      transform::clone_op(builder, *op, map);
      continue;
    }
    const ir::LocationScope location(builder, op->location());
    for (const std::vector<std::size_t>& bucket : buckets_of(*op, places)) {
      std::vector<Value> operands;
      operands.reserve(bucket.size());
      for (const std::size_t i : bucket) operands.push_back(transform::mapped(map, op->operand(i)));
      std::vector<std::unique_ptr<ir::Block>> regions;
      for (const auto& region : op->regions()) regions.push_back(ir::clone_block(*region));
      const Op& part = builder.create(op->def(), std::move(operands), op->attributes(), std::move(regions));
      for (std::size_t k = 0; k < bucket.size(); ++k) map[op->result(bucket[k])] = part.result(k);
    }
  }
  copy->body.set_results(transform::mapped(map, body.results()));
  plan.step = std::move(copy);
}

void end_views(Plan& plan) { end_views_in(plan, plan.groups); }

void split_async_collectives(Plan& plan) { split_async_collectives_in(plan, plan.groups); }

}  // namespace cornu::inline v0::backends::cpu
