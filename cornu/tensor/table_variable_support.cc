#include "cornu/tensor/table_variable_support.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "cornu/backends/cpu/memory/cpu_buffer.h"
#include "cornu/base/check.h"
#include "cornu/base/printable.h"
#include "cornu/base/scratch_memory.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/trace.h"
#include "cornu/tensor/trace/variable_fill.h"
#include "cornu/tensor/trace/variable_storage.h"
#include "cornu/tensor/value/device.h"
#include "cornu/tensor/value/placement.h"

namespace cornu::inline v0::detail {
namespace {

using backends::cpu::CpuBuffer;
using backends::cpu::FillRow;
using backends::cpu::TableFile;
using backends::cpu::TableFileOptions;

/// The values of a slot that begins with a constant.
std::function<FillRow(std::uint64_t)> constant_rows(DType dtype, double value) {
  if (value == 0) return {};
  return [dtype, value](std::uint64_t) -> FillRow {
    const ir::Literal one = ir::Literal::scalar(dtype, value);
    return [one](std::int64_t, std::span<std::byte> row) {
      const std::span<const std::byte> element = one.bytes();
      for (std::size_t at = 0; at < row.size(); at += element.size())
        std::ranges::copy(element, row.begin() + static_cast<std::ptrdiff_t>(at));
    };
  };
}

Variable variable_in(std::shared_ptr<runtime::Client> client, std::shared_ptr<TableFile> table,
                     VariableOptions options);

class TableStorage final : public VariableStorage {
 public:
  TableStorage(std::shared_ptr<runtime::Client> client, std::shared_ptr<TableFile> table)
      : client_(std::move(client)), table_(std::move(table)) {}

  std::string place() const override { return fmt::format("the file \"{}\"", printable(table_->path())); }
  bool initializes_rows() const override { return table_->type().size_bytes() >= kLeastSparseTableBytes; }

  void initialize_rows(const Tensor& ids) const override {
    if (!initializes_rows()) return;
    const EagerScope at_once;
    const Tensor numbers = ops::cast(ids, DType::kI64);
    const auto count = static_cast<std::size_t>(numbers.type().num_elements());
    table_->initialize(std::span(reinterpret_cast<const std::int64_t*>(numbers.bytes()), count));
  }

  Tensor rows() const override {
    return Tensor::from_bytes(table_->type(), table_->rows(), table_->type().size_bytes(), table_);
  }

  std::shared_ptr<std::byte> memory(const std::string& path) const override {
    const std::string folder = std::filesystem::path(table_->path()).parent_path().string();
    return scratch_memory(folder, table_->type().size_bytes(), [&] {
      return fmt::format("[variable] a copy of \"{}\", which is kept in {},", path, place());
    });
  }

  std::shared_ptr<const std::byte> copy(const std::string& path) const override {
    std::shared_ptr<std::byte> copied = memory(path);
    table_->read(copied.get());
    return copied;
  }

  Variable make_slot(const std::string& name, double initial, VariableOptions options) const override {
    std::shared_ptr<TableFile> slot =
        TableFile::open({.path = table_->path() + "." + name,
                         .type = table_->type(),
                         .initial_values = fmt::format("constant {}", initial),
                         .make_fill = constant_rows(table_->type().dtype, initial)});
    if (!initializes_rows()) slot->initialize_all();
    table_->add_slot(slot);
    return variable_in(client_, std::move(slot), std::move(options));
  }

 private:
  std::shared_ptr<runtime::Client> client_;
  std::shared_ptr<TableFile> table_;
};

Variable variable_in(std::shared_ptr<runtime::Client> client, std::shared_ptr<TableFile> table,
                     VariableOptions options) {
  auto buffer = std::make_unique<CpuBuffer>(table, client.get());
  auto storage = std::make_shared<const TableStorage>(client, std::move(table));
  return stored_variable(std::move(client), std::move(buffer), std::move(storage), std::move(options));
}

}  // namespace

Variable table_variable(const TableFileOptions& table, VariableOptions options) {
  const Placement here = current_placement();
  const std::unique_ptr<runtime::Buffer> some = here.client()->allocate({DType::kF32, {}}, here.device());
  if (dynamic_cast<const CpuBuffer*>(some.get()) == nullptr)
    fail(ErrorCode::kUnimplemented,
         "[table_file] the table in \"{}\" can only be on the CPU of this process; the current device is of "
         "{}",
         printable(table.path), here.client()->name());
  std::shared_ptr<TableFile> opened = TableFile::open(table);
  if (opened->type().size_bytes() < kLeastSparseTableBytes) opened->initialize_all();
  return variable_in(here.client(), std::move(opened), std::move(options));
}

}  // namespace cornu::inline v0::detail
