#include <cstring>
#include <string>

#include "cornu/backends/cpu/kernels/slices.h"
#include "cornu/backends/cpu/memory/table_file.h"
#include "cornu/base/check.h"
#include "cornu/base/printable.h"

namespace cornu::inline v0::backends::cpu::initialize_rows_folder {
namespace {

template <typename Id>
class InitializeRowsKernel final : public GroupKernel {
 public:
  explicit InitializeRowsKernel(const ir::Op& op)
      : count_(static_cast<std::size_t>(op.operand(1).type().num_elements())),
        name_(op.attributes().get<std::string>("table_name")) {}

  void run(const KernelMemory& memory, ThreadPool&) const override {
    const auto* const ids = reinterpret_cast<const Id*>(memory.operands[1]);
    if (TableFile* const table = TableFile::find(memory.operands[0]); table != nullptr)
      table->initialize(std::span(ids, count_));
    else if (!name_.empty())
      fail(
          ErrorCode::kFailedPrecondition,
          "[cpu] the program reads a copy of table \"{}\", which is kept in a file; look up its rows outside "
          "of loops and branches",
          printable(name_));
    if (count_ > 0) std::memcpy(memory.results[0], ids, count_ * sizeof(Id));
  }

 private:
  std::size_t count_;
  std::string name_;
};

std::unique_ptr<GroupKernel> make(const ir::Op& op, const Target&, int) {
  if (op.operand(1).dtype() == ir::DType::kI32)
    return std::make_unique<InitializeRowsKernel<std::int32_t>>(op);
  return std::make_unique<InitializeRowsKernel<std::int64_t>>(op);
}

}  // namespace

std::span<const CpuOp> cpu_ops() {
  static constexpr CpuOp kRows[] = {
      {.name = "cornu.initialize_rows", .op_kind = OpKind::kKernel, .kernel = {.make = make}},
  };
  return kRows;
}

}  // namespace cornu::inline v0::backends::cpu::initialize_rows_folder
