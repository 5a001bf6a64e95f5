#include "cornu/backends/cpu/plan/plan.h"

#include <algorithm>
#include <memory>
#include <unordered_set>

#include "cornu/backends/cpu/attention/attention.h"
#include "cornu/backends/cpu/plan/dot_shape.h"
#include "cornu/backends/cpu/plan/passes.h"
#include "cornu/backends/cpu/plan/update.h"
#include "cornu/base/check.h"
#include "cornu/ir/op_def.h"
#include "cornu/ops/reshape/reshape.h"
#include "cornu/ops/while/loop_analysis.h"
#include "cornu/runtime/program_signature.h"
#include "cornu/transform/batch_statistics.h"
#include "cornu/transform/common_factors.h"
#include "cornu/transform/concatenated_slices.h"
#include "cornu/transform/growing_windows.h"
#include "cornu/transform/index_reductions.h"
#include "cornu/transform/line_convolutions.h"
#include "cornu/transform/loop_products.h"
#include "cornu/transform/padded_convolutions.h"
#include "cornu/transform/pointwise_convolutions.h"
#include "cornu/transform/pool_gradients.h"
#include "cornu/transform/rewrite.h"
#include "cornu/transform/row_updates.h"
#include "cornu/transform/simplify.h"
#include "cornu/transform/split_complex.h"
#include "cornu/transform/symmetric_products.h"
#include "cornu/transform/thin_products.h"
#include "cornu/transform/wide_products.h"
#include "cornu/transform/widen_small_types.h"
#include "cornu/transform/window_sums.h"
#include "cornu/transform/written_attention.h"

namespace cornu::inline v0::backends::cpu {
namespace {

/// Plans a block's regions, after the values that they capture and carry got buffers.
void plan_regions(Plan& plan, std::vector<Group>& groups, const PlanOptions& options);

std::vector<Group> plan_block(Plan& plan, const ir::Block& block, const std::vector<OrderTarget>& targets,
                              const PlanOptions& options) {
  std::vector<Group> groups = fuse(plan, block, options);
  order(plan, block, groups, targets);
  plan_regions(plan, groups, options);
  return groups;
}

/// Copies a loop's initial values into the buffers of the carried values, unless they are made there or the loop
/// overwrites all of them.
std::vector<Group> entry_copies(const Plan& plan, const Group& loop) {
  std::vector<Group> groups;
  const ops::LoopAnalysis analysis(*loop.op);
  for (const Store& store : loop.stores) {
    const auto carried = static_cast<std::size_t>(store.value.index());
    const ir::Value initial = loop.op->operand(carried);
    if (initial.type().num_elements() == 0 || analysis.is_overwritten(carried) ||
        (plan.in_memory(initial) && plan.buffer_of.at(initial) == store.buffer))
      continue;
    Group copy;
    copy.stores = {{initial, store.buffer}};
    copy.extents = initial.dims();
    groups.push_back(std::move(copy));
  }
  return groups;
}

void plan_loop(Plan& plan, Group& loop, WhileGroup& kind, const PlanOptions& options) {
  const ir::Block& condition = loop.op->region(0);
  const ir::Block& body = loop.op->region(1);
  std::vector<OrderTarget> targets;
  for (const Store& store : loop.stores) {
    const auto i = static_cast<std::size_t>(store.value.index());
    plan.buffer_of[condition.arguments()[i]] = store.buffer;
    plan.buffer_of[body.arguments()[i]] = store.buffer;
    targets.push_back({body.arguments()[i], body.results()[i], store.buffer});
  }
  loop.regions.push_back(entry_copies(plan, loop));
  loop.regions.push_back(plan_block(plan, condition, {}, options));
  kind.condition_buffer = plan.buffer_of.at(condition.results()[0]);
  loop.regions.push_back(plan_block(plan, body, targets, options));
}

void plan_branches(Plan& plan, Group& branch, BranchGroup& kind, const PlanOptions& options) {
  kind.choice_buffer = plan.buffer_of.at(branch.op->operand(0));
  for (const auto& region : branch.op->regions()) {
    std::vector<OrderTarget> targets;
    targets.reserve(branch.stores.size());
    for (const Store& store : branch.stores)
      targets.push_back(
          {ir::Value(), region->results()[static_cast<std::size_t>(store.value.index())], store.buffer});
    branch.regions.push_back(plan_block(plan, *region, targets, options));
  }
}

void plan_update(Plan& plan, Group& update) {
  update.regions = {update_parts(plan, update)};
  for (const Group& part : update.regions[0])
    if (const auto* scatter = part.as<ScatterGroup>(); scatter != nullptr && scatter->fill)
      plan.buffers[static_cast<std::size_t>(part.stores[0].buffer)].row_major_only = true;
}

void plan_regions(Plan& plan, std::vector<Group>& groups, const PlanOptions& options) {
  for (Group& group : groups) {
    std::visit(Overloaded{[&](WhileGroup& kind) { plan_loop(plan, group, kind, options); },
                          [&](BranchGroup& kind) { plan_branches(plan, group, kind, options); },
                          [&](UpdateGroup&) { plan_update(plan, group); },
                          []<typename Kind>(Kind&)
                            requires(!Kind::kIsControl)
                          {}},
                          group.kind);
  }
  if (options.fuse) join_updates(plan, groups);
}

template <typename Groups, typename Visit>
void visit_groups(Groups& groups, int depth, const Visit& visit) {
  for (auto& group : groups) {
    visit(group, depth);
    for (auto& region : group.regions) visit_groups(region, depth + 1, visit);
  }
}

std::vector<OrderTarget> state_targets(const Plan& plan) {
  std::vector<OrderTarget> targets;
  const auto results = plan.step->body.results();
  for (std::size_t i = 0; i < plan.arguments.size(); ++i) {
    if (plan.arguments[i] != runtime::ArgumentKind::kState) continue;
    const ir::Value argument = plan.step->body.arguments()[i];
    targets.push_back({argument, results[targets.size()], plan.buffer_of.at(argument)});
  }
  return targets;
}

}  // namespace

std::size_t Plan::num_buffer_arguments() const {
  return static_cast<std::size_t>(std::ranges::count_if(arguments, [](runtime::ArgumentKind kind) {
    return kind == runtime::ArgumentKind::kState || kind == runtime::ArgumentKind::kFixed;
  }));
}

void for_each_group(const Plan& plan, const std::function<void(const Group&, int)>& visit) {
  visit_groups(plan.groups, 0, visit);
}

void for_each_group(Plan& plan, const std::function<void(Group&)>& visit) {
  visit_groups(plan.groups, 0, [&](Group& group, int) { visit(group); });
}

void add_scratch(Plan& plan, Group& group, std::size_t size_bytes) {
  PlanBuffer buffer;
  buffer.type.dtype = ir::DType::kU8;
  buffer.type.dims.push_back(static_cast<std::int64_t>(size_bytes));
  buffer.strides.push_back(1);
  buffer.row_major_only = true;
  group.scratch_buffer = static_cast<int>(plan.buffers.size());
  plan.buffers.push_back(std::move(buffer));
}

namespace {

// pattern: simplification keeps barriers, so that what is computed again is not merged with its original
bool is_barrier(const ir::Op& op) { return op.name() == "optimization_barrier"; }

bool is_kept_composite(const ir::Op& op) { return has_group_kernel(op) || is_barrier(op); }

/// Replaces barriers by reshapes to the same shape: loops do not share what is on both sides of a view, and
/// views have no memory of their own. Weights are read as they are.
std::unique_ptr<ir::Function> with_views_for_barriers(std::unique_ptr<ir::Function> step,
                                                      std::span<const runtime::ArgumentKind> kinds) {
  std::unordered_set<ir::Value, ir::ValueHash> weights;
  for (std::size_t i = 0; i < kinds.size(); ++i)
    if (kinds[i] == runtime::ArgumentKind::kState || kinds[i] == runtime::ArgumentKind::kFixed)
      weights.insert(step->body.arguments()[i]);
  const auto replace = [&](ir::Builder& b, const ir::Op& op, std::span<const ir::Value> operands) {
    std::vector<ir::Value> results(operands.begin(), operands.end());
    for (std::size_t i = 0; i < results.size(); ++i)
      if (!weights.contains(op.operand(i))) results[i] = ops::reshape(b, results[i], results[i].dims());
    return results;
  };
  auto with_views = transform::replace_matching(*step, &is_barrier, replace);
  return with_views != nullptr ? std::move(with_views) : std::move(step);
}

/// Passes that give ops the form of other ops; null where they change nothing.
using Rewrite = std::unique_ptr<ir::Function> (*)(const ir::Function&);
constexpr Rewrite kRewrites[] = {
    &transform::join_symmetric_products,
    &transform::join_common_factors,
    [](const ir::Function& step) { return transform::join_written_attention(step, &attention::pays); },
    &transform::slice_before_concatenating,
    &transform::split_index_reductions,
    [](const ir::Function& step) { return transform::pad_in_convolutions(step); },
    &transform::multiply_single_windows,
    &transform::multiply_long_lines,
    [](const ir::Function& step) { return transform::scan_growing_windows(step, &has_group_kernel); },
    &transform::unroll_pool_gradients,
    &transform::unroll_window_sums,
    &transform::take_products_out_of_loops};

/// The simplified step, with products of f16 and bf16 in the type in which they are computed.
std::unique_ptr<ir::Function> simplified_step(const ir::Function& step, const PlanOptions& options) {
  if (options.fuse)
    if (const auto thin = transform::multiply_thin_products(step)) return simplified_step(*thin, options);
  if (options.fuse)
    if (const auto once = transform::sum_statistics_in_one_pass(step)) return simplified_step(*once, options);
  if (const auto real = transform::split_complex(step)) return simplified_step(*real, options);
  if (const auto wide = transform::widen_small_types(step)) return simplified_step(*wide, options);
  const auto wide_composites = transform::upcast_low_precision_products(
      step, [](const ir::Op& op) { return upcasts_low_precision(op) && op.def().is_composite(); });
  std::unique_ptr<ir::Function> simple = transform::simplify(
      wide_composites != nullptr ? *wide_composites : step, {.keep_composite = &is_kept_composite});
  for (const Rewrite& rewrite : kRewrites)
    if (const auto rewritten = options.fuse ? rewrite(*simple) : nullptr)
      simple = transform::simplify(*rewritten, {.inline_composites = false});
  const auto wide = transform::upcast_low_precision_products(
      *simple, [&](const ir::Op& op) { return upcasts_low_precision(op) && !has_bf16_kernel(op, options); });
  return wide == nullptr ? std::move(simple) : transform::simplify(*wide, {.inline_composites = false});
}

/// Makes the kernels, with their decisions and scratch memory.
void make_kernels(Plan& plan, const PlanOptions& options) {
  std::unordered_map<const ir::Op*, int> scratch_of_begun;
  for_each_group(plan, [&](Group& group) {
    auto* const kind = std::get_if<KernelGroup>(&group.kind);
    if (kind == nullptr || !options.target) return;
    if (kind->async_part == AsyncPart::kDone) {
      const KernelColumn& row = find_cpu_op(*group.op)->kernel;
      kind->kernel =
          (row.make_view_end != nullptr ? row.make_view_end : row.async_collective.make_done)(*group.op);
      group.scratch_buffer = scratch_of_begun.at(group.op);
      return;
    }
    kind->kernel = kind->async_part == AsyncPart::kStart
                       ? async_collective_of(*group.op)->make_start(*group.op)
                       : make_group_kernel(*group.op, *options.target, options.num_threads);
    if (const std::size_t bytes = kind->kernel->scratch_bytes(); bytes > 0) add_scratch(plan, group, bytes);
    if (kind->async_part == AsyncPart::kStart || makes_view(*group.op))
      scratch_of_begun.emplace(group.op, group.scratch_buffer);
  });
}

}  // namespace

Plan make_plan(const runtime::StepProgram& program, const PlanOptions& options) {
  Plan plan;
  plan.batch = runtime::ProgramSignature(program).batch();
  plan.name = program.name;
  plan.step = with_views_for_barriers(simplified_step(*program.step, options), program.arguments);
  plan.arguments = program.arguments;
  const auto done = [&](std::string_view pass) {
    if (options.after_pass) options.after_pass(pass, plan);
  };
  done("simplify");
  if (options.fuse)
    if (auto by_rows = transform::update_named_rows(*plan.step)) plan.step = std::move(by_rows);
  done("update_named_rows");
  check_table_files(*plan.step);
  if (options.fuse) compact_sparse_tables(plan);
  done("compact_sparse_tables");
  bucket_gradients(plan);
  done("bucket_gradients");
  prepare_regions(plan);
  done("prepare_regions");
  insert_copies(plan);
  done("insert_copies");
  const ir::Block& body = plan.step->body;
  plan.groups = fuse(plan, body, options);
  done("fuse");
  const std::vector<OrderTarget> targets = state_targets(plan);
  order(plan, body, plan.groups, targets);
  int output = 0;
  for (std::size_t i = targets.size(); i < body.results().size(); ++i) {
    PlanBuffer& buffer = plan.buffers[static_cast<std::size_t>(plan.buffer_of.at(body.results()[i]))];
    buffer.space = MemorySpace::kOutput;
    buffer.index = output++;
    buffer.row_major_only = true;
  }
  plan_regions(plan, plan.groups, options);
  done("order");
  split_async_collectives(plan);
  end_views(plan);
  done("split_async_collectives");
  for_each_group(plan, [&](Group& group) { group.id = plan.num_groups++; });
  make_kernels(plan, options);
  assign_layouts(plan, options);
  done("assign_layouts");
  estimate(plan, options);
  done("estimate");
  chain_groups(plan, options);
  done("chain_groups");
  place(plan);
  done("place");
  return plan;
}

}  // namespace cornu::inline v0::backends::cpu
