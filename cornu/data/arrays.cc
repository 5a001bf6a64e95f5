#include "cornu/data/arrays.h"

#include <algorithm>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/error.h"
#include "cornu/data/stage.h"
#include "cornu/io/hdf5.h"
#include "cornu/io/npy.h"
#include "cornu/io/zip.h"

namespace cornu::inline v0::data {
namespace {

/// The rows of one stored array.
struct StoredRows {
  TensorType row;
  std::int64_t element_bytes = 0;
  io::StoredArray array;
  std::size_t row_bytes() const { return row.size_bytes(); }
};

DType dtype_of(io::ElementType type) {
  switch (type) {
    case io::ElementType::kBool: return DType::kI1;
    case io::ElementType::kI8: return DType::kI8;
    case io::ElementType::kU8: return DType::kU8;
    case io::ElementType::kI16: return DType::kI16;
    case io::ElementType::kU16: return DType::kU16;
    case io::ElementType::kI32: return DType::kI32;
    case io::ElementType::kU32: return DType::kU32;
    case io::ElementType::kI64: return DType::kI64;
    case io::ElementType::kU64: return DType::kU64;
    case io::ElementType::kF16: return DType::kF16;
    case io::ElementType::kF32: return DType::kF32;
    case io::ElementType::kF64: return DType::kF64;
    case io::ElementType::kBF16: return DType::kBF16;
    case io::ElementType::kC64: return DType::kC64;
    case io::ElementType::kC128: return DType::kC128;
  }
  CORNU_CHECK(false, "an element type without a dtype");
}

using Columns = std::vector<StoredRows>;

/// Rows in their order, read some at a time.
class StoredCursor : public Cursor<Element> {
 public:
  StoredCursor(std::shared_ptr<const Columns> columns, std::int64_t count)
      : columns_(std::move(columns)), count_(count), blocks_(columns_->size()) {
    std::size_t largest = 1;
    for (const StoredRows& column : *columns_) largest = std::max(largest, column.row_bytes());
    rows_at_a_time_ = static_cast<std::int64_t>(std::max<std::size_t>(kBlockBytes / largest, 1));
  }
  std::size_t next(std::span<Element> items) override {
    std::size_t given = 0;
    while (given < items.size() && place_ < count_) {
      if (place_ < first_ || place_ >= end_) read_block();
      items[given++] = element_at(place_++);
    }
    return given;
  }
  std::int64_t skip(std::int64_t count) override {
    const std::int64_t done = std::min(count, count_ - place_);
    place_ += done;
    return done;
  }
  void save(PositionWriter& writer) override {
    writer.begin("stored rows");
    writer.write(place_);
  }
  void load(PositionReader& reader) override {
    reader.begin("stored rows");
    place_ = reader.read_between(0, count_);
  }

 private:
  static constexpr std::size_t kBlockBytes = std::size_t{256} << 10;

  // If a block cannot be read, smaller ones are tried. A row that cannot be read is skipped, so that the
  // iterator can continue with the next one.
  void read_block() {
    while (true) {
      const std::int64_t rows = std::min(rows_at_a_time_, count_ - place_);
      try {
        for (std::size_t i = 0; i < blocks_.size(); ++i) blocks_[i] = read_rows((*columns_)[i], place_, rows);
        first_ = place_;
        end_ = place_ + rows;
        return;
      } catch (const Error&) {
        first_ = end_ = 0;
        if (rows == 1) {
          ++place_;
          throw;
        }
        rows_at_a_time_ = std::max<std::int64_t>(rows / 2, 1);
      }
    }
  }

  static std::vector<std::byte> read_rows(const StoredRows& column, std::int64_t first, std::int64_t rows) {
    std::vector<std::byte> block(static_cast<std::size_t>(rows) * column.row_bytes());
    column.array.elements->read(static_cast<std::uint64_t>(first) * column.row_bytes(), block);
    if (column.array.other_order)
      block = io::copy_elements(block, io::word_size_bytes(column.array.type), true);
    if (column.row.dtype == DType::kI1 &&
        std::any_of(block.begin(), block.end(), [](std::byte value) { return value > std::byte{1}; }))
      fail(ErrorCode::kDataLoss, "[data] {}: a boolean in rows {} to {} is neither 0 nor 1",
           column.array.elements->name(), first, first + rows - 1);
    return block;
  }

  // Rows are copied: a view would keep its whole block alive.
  Element element_at(std::int64_t at) const {
    std::vector<Element> parts;
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      const StoredRows& column = (*columns_)[i];
      const std::byte* from = blocks_[i].data() + static_cast<std::size_t>(at - first_) * column.row_bytes();
      const DType dtype = column.row.dtype;
      if (column.row.dims.empty() && dtype != DType::kF16 && dtype != DType::kBF16 && Number::holds(dtype)) {
        parts.push_back(Number::at(dtype, from));
        continue;
      }
      auto owner = std::make_shared<const std::vector<std::byte>>(from, from + column.row_bytes());
      parts.push_back(Tensor::from_bytes(column.row, owner->data(), owner->size(), owner));
    }
    return parts.size() == 1 ? std::move(parts[0]) : Element(std::move(parts));
  }

  std::shared_ptr<const Columns> columns_;
  std::int64_t count_, rows_at_a_time_ = 1;
  std::vector<std::vector<std::byte>> blocks_;  // rows [first_, end_)
  std::int64_t first_ = 0, end_ = 0, place_ = 0;
};

class StoredStage : public Stage {
 public:
  StoredStage(const char* name, Columns columns, std::int64_t count)
      : name_(name), columns_(std::make_shared<const Columns>(std::move(columns))), count_(count) {}
  const char* name() const override { return name_; }
  std::int64_t cardinality() const override { return count_; }
  ElementCursor iterate(const Iteration&) const override {
    return std::make_unique<StoredCursor>(columns_, count_);
  }

 private:
  const char* name_;
  std::shared_ptr<const Columns> columns_;
  std::int64_t count_;
};

StagePointer stored_stage(const char* op, const std::string& path, std::vector<io::StoredArray> arrays) {
  if (arrays.empty()) invalid_argument({.argument = "names"}, "[{}] names must name an array", op);
  Columns columns;
  for (io::StoredArray& array : arrays) {
    if (array.dims.empty())
      fail(ErrorCode::kDataLoss, "[{}] {}: an array without axes has no rows", op, array.elements->name());
    if (array.dims[0] != arrays[0].dims[0])
      invalid_argument({.argument = "names"},
                       "[{}] {}: the arrays must have one number of rows; got {} and {}", op, path,
                       arrays[0].dims[0], array.dims[0]);
    StoredRows rows;
    rows.row = {dtype_of(array.type), Dims(array.dims.begin() + 1, array.dims.end())};
    rows.element_bytes = io::element_size_bytes(array.type);
    rows.array = array;
    columns.push_back(std::move(rows));
  }
  const std::int64_t count = arrays[0].dims[0];
  return std::make_shared<StoredStage>(op, std::move(columns), count);
}

StagePointer npz_stage(const std::string& path, const std::vector<std::string>& names) {
  const io::ZipFile archive(io::open_random_access(path), ".npz");
  std::vector<io::StoredArray> arrays;
  arrays.reserve(names.size());
  for (const std::string& name : names) arrays.push_back(io::open_npy(archive.open(name + ".npy")));
  return stored_stage("npz", path, std::move(arrays));
}

StagePointer hdf5_stage(const std::string& path, const std::vector<std::string>& names) {
  const io::RandomAccessPointer bytes = io::open_random_access(path);
  const io::Hdf5File file(bytes);
  std::vector<io::StoredArray> arrays;
  for (const std::string& name : names) {
    const io::Hdf5Dataset* dataset = file.root().find_dataset(name);
    if (dataset == nullptr)
      fail(ErrorCode::kNotFound, {.argument = "names"}, "[hdf5] {} has no data set \"{}\"", path, name);
    arrays.push_back(
        {.type = dataset->type,
         .dims = dataset->dims,
         .elements = io::part_of(bytes, dataset->offset, dataset->size_bytes, path + ", " + name)});
  }
  return stored_stage("hdf5", path, std::move(arrays));
}

}  // namespace

NpyDataset::NpyDataset(const StringArgument& path)
    : Dataset(stored_stage("npy", path, {io::open_npy(io::open_random_access(path))})) {}
NpzDataset::NpzDataset(const StringArgument& path, const std::vector<std::string>& names)
    : Dataset(npz_stage(path, names)) {}
Hdf5Dataset::Hdf5Dataset(const StringArgument& path, const std::vector<std::string>& names)
    : Dataset(hdf5_stage(path, names)) {}

}  // namespace cornu::inline v0::data
