#include <algorithm>

#include "cornu/backends/cpu/plan/passes.h"
#include "cornu/base/check.h"
#include "cornu/base/printable.h"
#include "cornu/ir/clone.h"

namespace cornu::inline v0::backends::cpu {
namespace {

// patterns: tables whose rows are read and written by ids

constexpr std::string_view kInitializeRows = "cornu.initialize_rows";

/// True if the op reads or writes rows of the table by their ids.
bool uses_rows_by_id(const ir::Op& op, ir::Value table) {
  if (op.name() != kInitializeRows && op.name() != "gather" && op.name() != "scatter") return false;
  return std::ranges::count(op.operands(), table) == 1 && op.operand(0) == table;
}

[[noreturn]] void refuse(const std::string& name, const ir::Op& op) {
  const std::string layer =
      op.location().empty() ? "" : fmt::format(" in layer \"{}\"", printable(op.location()));
  fail(
      ErrorCode::kUnimplemented,
      "[cpu] table \"{}\" is kept in a file, so a step may use only the rows that its batch names; \"{}\"{} "
      "uses all rows. Use an optimizer that keeps the other rows (SGD without momentum, Adagrad, any with "
      "lazy_rows), without weight decay, moving averages, gradient accumulation and without a regularizer or "
      "a constraint of the table",
      printable(name), op.name(), layer);
}

void check_table(const ir::Block& body, ir::Value table, const std::string& name) {
  for (const auto& op : body.ops()) {
    const std::vector<ir::Value> captured = ir::captured_values(*op);
    const bool is_used = std::ranges::find(op->operands(), table) != op->operands().end();
    if (std::ranges::find(captured, table) != captured.end() || (is_used && !uses_rows_by_id(*op, table)))
      refuse(name, *op);
  }
}

}  // namespace

void check_table_files(const ir::Function& step) {
  const ir::Block& body = step.body;
  for (const auto& op : body.ops()) {
    if (op->name() != kInitializeRows) continue;
    const auto name = op->attributes().get<std::string>("table_name");
    if (!name.empty() && op->operand(0).op() == nullptr) check_table(body, op->operand(0), name);
  }
}

}  // namespace cornu::inline v0::backends::cpu
