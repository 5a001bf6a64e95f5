#include "cornu/backends/cpu/op/cpu_op.h"

#include <unordered_map>

#include "cornu/base/check.h"
#include "cornu/ir/op_def.h"
#include "cornu/ops/reduce/scalar_body.h"
#include "cornu/ops/registry.h"

namespace cornu::inline v0::backends::cpu {
namespace {

using Rows = std::unordered_map<const ir::OpDef*, const CpuOp*>;

Rows rows_by_definition() {
  std::unordered_map<std::string_view, const ir::OpDef*> definitions;
  for (const ir::OpDef* def : ops::all_op_defs()) definitions.emplace(def->name, def);
  Rows rows;
  for (const CpuOp& row : all_cpu_ops()) {
    const auto found = definitions.find(row.name);
    CORNU_CHECK(found != definitions.end(), "a row of the CPU engine is of {}, which is no op", row.name);
    CORNU_CHECK(rows.emplace(found->second, &row).second, "two rows of the CPU engine are of {}", row.name);
  }
  return rows;
}

}  // namespace

const CpuOp* find_cpu_op(const ir::Op& op) {
  static const auto& rows = *new const Rows(rows_by_definition());
  const auto found = rows.find(&op.def());
  return found == rows.end() ? nullptr : found->second;
}

OpKind classify(const ir::Op& op) {
  const CpuOp* const row = find_cpu_op(op);
  if (row == nullptr) return OpKind::kReference;
  if (row->classify != nullptr) return row->classify(op);
  return row->op_kind == OpKind::kKernel && !has_group_kernel(op) ? OpKind::kReference : row->op_kind;
}

bool is_loop(const ir::Op& op) {
  const CpuOp* const row = find_cpu_op(op);
  return row != nullptr && row->is_loop;
}

Combiner combiner_of(const ir::Op& op) {
  const CpuOp* const row = find_cpu_op(op);
  return row == nullptr ? Combiner::kNone : row->combiner;
}

Combiner combiner_of_body(const ir::Block& body) {
  return ops::simple_body_kind(body).empty() ? Combiner::kNone : combiner_of(*body.ops()[0]);
}

WindowUse window_use(const ir::Op& op) {
  const CpuOp* const row = find_cpu_op(op);
  return row == nullptr ? WindowUse::kNone : row->windows;
}

double elementwise_cost(const ir::Op& op) {
  const CpuOp* const row = find_cpu_op(op);
  if (row == nullptr) return 1;
  if (row->cost_of != nullptr) return row->cost_of(op);
  return row->integer_cost != 0 && !ir::is_float(op.result().dtype()) ? row->integer_cost : row->cost;
}

bool can_emit_elementwise(const ir::Op& op) {
  const CpuOp* const row = find_cpu_op(op);
  return row != nullptr && row->emit != nullptr;
}

bool has_group_kernel(const ir::Op& op) {
  const CpuOp* const row = find_cpu_op(op);
  if (row == nullptr || row->kernel.make == nullptr || op.operands().size() > kMaxKernelTensors) return false;
  return row->kernel.serves == nullptr || row->kernel.serves(op);
}

std::unique_ptr<GroupKernel> make_group_kernel(const ir::Op& op, const Target& target, int num_threads) {
  const CpuOp* const row = find_cpu_op(op);
  CORNU_CHECK(row != nullptr && row->kernel.make != nullptr, "{} has no kernel", op.name());
  return row->kernel.make(op, target, num_threads);
}

const AsyncCollectiveColumn* async_collective_of(const ir::Op& op) {
  const CpuOp* const row = find_cpu_op(op);
  if (row == nullptr || row->kernel.async_collective.serves == nullptr || !has_group_kernel(op))
    return nullptr;
  return row->kernel.async_collective.serves(op) ? &row->kernel.async_collective : nullptr;
}

bool makes_view(const ir::Op& op) {
  const CpuOp* const row = find_cpu_op(op);
  return row != nullptr && row->kernel.make_view_end != nullptr && has_group_kernel(op);
}

bool spans_processes(const ir::Op& op) {
  const CpuOp* const row = find_cpu_op(op);
  return row != nullptr && row->kernel.sent_bytes != nullptr && has_group_kernel(op);
}

double sent_bytes(const ir::Op& op) {
  return spans_processes(op) ? find_cpu_op(op)->kernel.sent_bytes(op) : 0;
}

bool upcasts_low_precision(const ir::Op& op) {
  const CpuOp* const row = find_cpu_op(op);
  return row != nullptr && row->upcasts_low_precision;
}

double kernel_flops(const ir::Op& op) {
  const CpuOp* const row = find_cpu_op(op);
  return row == nullptr || row->kernel.flops == nullptr ? 0 : row->kernel.flops(op);
}

KernelWork kernel_work(const ir::Op& op) {
  const CpuOp* const row = find_cpu_op(op);
  return row == nullptr ? KernelWork::kProducts : row->kernel.work;
}

}  // namespace cornu::inline v0::backends::cpu
