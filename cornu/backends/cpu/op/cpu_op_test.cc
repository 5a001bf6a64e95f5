#include "cornu/backends/cpu/op/cpu_op.h"

#include <gtest/gtest.h>

#include <set>
#include <string_view>

#include "cornu/ir/op_def.h"
#include "cornu/ops/registry.h"

namespace cornu::inline v0::backends::cpu {
namespace {

TEST(CpuOpTest, EveryOpThatIsNoCompositeHasARow) {
  std::set<std::string_view> names;
  for (const CpuOp& row : all_cpu_ops())
    EXPECT_TRUE(names.insert(row.name).second) << row.name << " has two rows";
  for (const ir::OpDef* def : ops::all_op_defs())
    if (!def->is_composite()) {
      EXPECT_EQ(names.count(def->name), 1U) << def->name;
    }
}

TEST(CpuOpTest, ARowIsOfAnOp) {
  for (const CpuOp& row : all_cpu_ops()) EXPECT_NE(ops::find_op_def(row.name), nullptr) << row.name;
}

TEST(CpuOpTest, ARowHasTheColumnsOfItsClassAndNoOthers) {
  for (const CpuOp& row : all_cpu_ops()) {
    SCOPED_TRACE(row.name);
    const bool is_elementwise = row.op_kind == OpKind::kElementwise;
    EXPECT_EQ(row.emit != nullptr, is_elementwise);
    if (!is_elementwise) {
      const ElementKernelColumn& kernels = row.kernels_from_code;
      EXPECT_TRUE(kernels.attributes == nullptr && kernels.variant == nullptr && !kernels.moves_bits);
      EXPECT_TRUE(row.combiner == Combiner::kNone && !row.keeps_numbers && row.error_bound.f32 == 0);
    }
    if (row.kernels_from_code.num_parameters > 0) {
      EXPECT_NE(row.eager, nullptr) << "the parameters have no source";
    }
    EXPECT_EQ(row.operand_map != nullptr, row.op_kind == OpKind::kView);
    EXPECT_EQ(row.update.add_parts != nullptr, row.op_kind == OpKind::kUpdate);
    EXPECT_EQ(row.windows != WindowUse::kNone, row.op_kind == OpKind::kWindow);
    if (row.op_kind == OpKind::kKernel) {
      EXPECT_NE(row.kernel.make, nullptr);
    }
    if (row.op_kind == OpKind::kReference) {
      EXPECT_FALSE(row.falls_back.empty());
    }
    if (row.kernel.work != KernelWork::kProducts) {
      EXPECT_TRUE(row.upcasts_low_precision);
    }
    if (row.is_loop) {
      EXPECT_EQ(row.op_kind, OpKind::kControl);
    }
    if (row.is_computed_view) {
      EXPECT_EQ(row.op_kind, OpKind::kView);
    }
  }
}

}  // namespace
}  // namespace cornu::inline v0::backends::cpu
