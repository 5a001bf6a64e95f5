#include "cornu/backends/remote/worker/array_files.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <memory>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/checked_size.h"
#include "cornu/io/byte_reader.h"
#include "cornu/io/byte_stream.h"
#include "cornu/io/example.h"
#include "cornu/io/npy.h"
#include "cornu/io/tfrecord.h"
#include "cornu/io/zip.h"

namespace cornu::inline v0::backends::remote {
namespace {

using io::ElementType;

constexpr std::array<std::pair<ElementType, ir::DType>, 15> kTypes = {
    {{ElementType::kBool, ir::DType::kI1},
     {ElementType::kI8, ir::DType::kI8},
     {ElementType::kU8, ir::DType::kU8},
     {ElementType::kI16, ir::DType::kI16},
     {ElementType::kU16, ir::DType::kU16},
     {ElementType::kI32, ir::DType::kI32},
     {ElementType::kU32, ir::DType::kU32},
     {ElementType::kI64, ir::DType::kI64},
     {ElementType::kU64, ir::DType::kU64},
     {ElementType::kF16, ir::DType::kF16},
     {ElementType::kF32, ir::DType::kF32},
     {ElementType::kF64, ir::DType::kF64},
     {ElementType::kBF16, ir::DType::kBF16},
     {ElementType::kC64, ir::DType::kC64},
     {ElementType::kC128, ir::DType::kC128}}};

bool is_called(std::string_view path, std::string_view ending) { return path.ends_with(ending); }

using TakeArray = std::function<void(const StoredArray&)>;

void take_file(const DataRoot& root, const OpenOrder& order, MemoryQuota& quota, const TakeArray& take) {
  const std::string& path = order.paths[0];
  io::RandomAccessPointer bytes = root.open(path);
  if (is_called(path, ".npy")) {
    if (order.items.size() != 1)
      invalid_argument("[worker] {} holds one array; {} were asked for", io::shown(path), order.items.size());
    return take(stored_array(io::open_npy(std::move(bytes))));
  }
  if (!is_called(path, ".npz"))
    invalid_argument(
        "[worker] {}: arrays are read from .npy and .npz files; for files of records say what their "
        "features are",
        io::shown(path));
  const io::ZipFile archive(std::move(bytes), ".npz");
  for (const OpenItem& item : order.items) take_member(archive, item.name, quota, take);
}

/// A file's bytes, read sequentially.
class AccessStream final : public io::ByteStream {
 public:
  explicit AccessStream(io::RandomAccessPointer file) : file_(std::move(file)) {}
  std::size_t read(std::span<std::byte> to) override {
    const std::uint64_t left = file_->size() - std::min(offset_, file_->size());
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(to.size(), left));
    file_->read(offset_, to.first(count));
    offset_ += count;
    return count;
  }
  void seek(std::uint64_t offset) override { offset_ = offset; }
  const std::string& name() const override { return file_->name(); }

 private:
  io::RandomAccessPointer file_;
  std::uint64_t offset_ = 0;
};

io::FeatureSpec spec_of(const OpenItem& item) {
  const ir::TensorType& row = *item.row;
  ir::check_type(row);
  switch (row.dtype) {
    case ir::DType::kF32: return {.name = item.name, .type = io::FeatureType::kFloat, .shape = row.dims};
    case ir::DType::kI64: return {.name = item.name, .type = io::FeatureType::kInt64, .shape = row.dims};
    // One text, whose bytes are the elements.
    case ir::DType::kU8: return {.name = item.name, .type = io::FeatureType::kBytes, .shape = {}};
    default:
      invalid_argument("[worker] feature \"{}\" must be f32, i64, or ui8 for bytes; got {}",
                       io::shown(item.name), ir::stablehlo_name(row.dtype));
  }
}

/// Growing bytes whose capacity, not only size, counts against the quota.
class CountedBytes {
 public:
  explicit CountedBytes(MemoryQuota& quota) : quota_(quota) {}
  const std::byte* data() const { return bytes_.data(); }
  void append(const void* from, std::size_t size) {
    if (size > bytes_.capacity() - bytes_.size()) grow(bytes_.size() + size);
    const auto* const bytes = static_cast<const std::byte*>(from);
    bytes_.insert(bytes_.end(), bytes, bytes + size);
  }

 private:
  void grow(std::size_t least) {
    const std::size_t capacity = std::max(least, 2 * bytes_.capacity());
    // In addition to the old share: both blocks exist while the bytes are moved.
    QuotaShare share(quota_, capacity, "data read from files");
    bytes_.reserve(capacity);
    share_ = std::move(share);
  }

  MemoryQuota& quota_;
  QuotaShare share_;
  std::vector<std::byte> bytes_;
};

/// The features of records, concatenated. Records in progress and parsed data count against the quota, except
/// at most 2 MiB.
class RecordColumns {
 public:
  RecordColumns(const OpenOrder& order, MemoryQuota& quota) : items_(order.items), quota_(quota) {
    std::vector<io::FeatureSpec> specs;
    for (const OpenItem& item : items_) {
      if (!item.row.has_value())
        invalid_argument("[worker] the type and shape of feature \"{}\" are missing", io::shown(item.name));
      specs.push_back(spec_of(item));
      if (item.row->dtype != ir::DType::kU8) row_bytes_ = row_bytes_ + item.row->size_bytes();
      columns_.push_back(std::make_unique<CountedBytes>(quota));
    }
    parser_.emplace(std::move(specs));
  }

  void add_file(const DataRoot& root, const std::string& path) {
    io::RecordReader reader(
        std::make_unique<AccessStream>(root.open(path)),
        {.make_chunk = [this](std::size_t num_bytes) { return counted_chunk(num_bytes); }});
    constexpr std::size_t kAtATime = 256, kBytesAtATime = io::RecordReader::kChunkBytes;
    std::vector<io::SharedBytes> records;
    std::size_t num_bytes = 0;
    while (true) {
      std::optional<io::SharedBytes> record = reader.next();
      const bool is_end = !record.has_value();
      if (!is_end) {
        num_bytes += record->view.size();
        records.push_back(std::move(*record));
      }
      if (records.size() >= kAtATime || num_bytes >= kBytesAtATime || (is_end && !records.empty())) {
        add(records, num_bytes, path);
        records.clear();
        num_bytes = 0;
      }
      if (is_end) return;
    }
  }

  /// Frees each column after it is taken.
  void take(const TakeArray& take) {
    for (std::size_t i = 0; i < items_.size(); ++i) {
      ir::TensorType type = *items_[i].row;
      type.dims.insert(type.dims.begin(), num_records_);
      ir::check_type(type);
      take({type, [&column = *columns_[i]](std::span<std::byte> to) {
              if (!to.empty()) std::memcpy(to.data(), column.data(), to.size());
            }});
      columns_[i].reset();
    }
  }

 private:
  /// A larger chunk, for a long record.
  std::shared_ptr<std::byte[]> counted_chunk(std::size_t num_bytes) const {
    if (num_bytes <= io::RecordReader::kChunkBytes)
      return std::shared_ptr<std::byte[]>(new std::byte[num_bytes]);
    const auto share = std::make_shared<const QuotaShare>(quota_, num_bytes, "a record");
    return {new std::byte[num_bytes], [share](const std::byte* chunk) { delete[] chunk; }};
  }
  /// The quota's share for the parsed form of records of `num_bytes` bytes. A number may take one byte of a
  /// record, and growing memory briefly exists three times.
  QuotaShare share_of_parsed(std::size_t num_records, std::size_t num_bytes) const {
    constexpr std::size_t kUncounted = std::size_t{1} << 20;
    const std::size_t most = sizeof(std::int64_t) * num_bytes;
    const CheckedSize numbers = row_bytes_ * num_records;
    const std::size_t parsed =
        3 * (num_bytes + (numbers.exceeds(static_cast<std::int64_t>(most))
                              ? most
                              : static_cast<std::size_t>(numbers.value("records' numbers"))));
    return parsed <= kUncounted ? QuotaShare() : QuotaShare(quota_, parsed, "data parsed from files");
  }
  void add(const std::vector<io::SharedBytes>& records, std::size_t num_bytes, const std::string& path) {
    const QuotaShare share = share_of_parsed(records.size(), num_bytes);
    std::vector<std::string_view> views;
    views.reserve(records.size());
    for (const io::SharedBytes& record : records) views.push_back(record.view);
    const std::vector<io::FeatureColumn> parsed = parser_->parse(views, path);
    for (std::size_t i = 0; i < parsed.size(); ++i) append(i, parsed[i], path);
    num_records_ += static_cast<std::int64_t>(records.size());
  }
  void append(std::size_t i, const io::FeatureColumn& column, const std::string& path) {
    const ir::TensorType& row = *items_[i].row;
    const auto add_bytes = [&](const void* from, std::size_t size) { columns_[i]->append(from, size); };
    if (row.dtype == ir::DType::kF32)
      return add_bytes(column.floats.data(), column.floats.size() * sizeof(float));
    if (row.dtype == ir::DType::kI64)
      return add_bytes(column.integers.data(), column.integers.size() * sizeof(std::int64_t));
    for (std::size_t k = 0; k + 1 < column.offsets.size(); ++k)
      if (const std::size_t size = column.offsets[k + 1] - column.offsets[k]; size != row.size_bytes())
        invalid_argument("[worker] {}: feature \"{}\" of record {} is {} bytes; {} should have {}",
                         io::shown(path), io::shown(items_[i].name),
                         num_records_ + static_cast<std::int64_t>(k), size, row.str(), row.size_bytes());
    add_bytes(column.bytes.data(), column.bytes.size());
  }

  const std::vector<OpenItem>& items_;
  MemoryQuota& quota_;
  CheckedSize row_bytes_ = 0;  // of a record's numbers
  std::optional<io::ExampleParser> parser_;
  std::vector<std::unique_ptr<CountedBytes>> columns_;
  std::int64_t num_records_ = 0;
};

template <typename T>
runtime::ValueRange range_of_elements(const std::byte* elements, std::int64_t count) {
  const T* const values = reinterpret_cast<const T*>(elements);
  T least = values[0], greatest = values[0];
  bool are_integers = true;
  for (std::int64_t i = 0; i < count; ++i) {
    least = std::min(least, values[i]);
    greatest = std::max(greatest, values[i]);
    if constexpr (std::is_floating_point_v<T>)
      are_integers = are_integers && values[i] == std::floor(values[i]);
  }
  return {static_cast<double>(least), static_cast<double>(greatest), are_integers};
}

}  // namespace

StoredArray stored_array(io::StoredArray array) {
  const ir::TensorType type{dtype_of(array.type), {array.dims.begin(), array.dims.end()}};
  ir::check_type(type);
  const auto read = [type, array = std::move(array)](std::span<std::byte> to) {
    array.elements->read(0, to);
    if (array.other_order) {
      const std::vector<std::byte> turned = io::copy_elements(to, io::word_size_bytes(array.type), true);
      std::copy(turned.begin(), turned.end(), to.begin());
    }
    if (type.dtype == ir::DType::kI1 &&
        std::any_of(to.begin(), to.end(), [](std::byte value) { return value > std::byte{1}; }))
      fail(ErrorCode::kDataLoss, "[worker] {}: a truth value is neither 0 nor 1", array.elements->name());
  };
  return {type, read};
}

void take_member(const io::ZipFile& archive, const std::string& name, MemoryQuota& quota,
                 const TakeArray& take) {
  const std::string member = name + ".npy";
  const io::ZipFile::Member about = archive.about(member);
  QuotaShare share;
  if (!about.is_stored) share = QuotaShare(quota, about.size_bytes, "an unpacked array");
  take(stored_array(io::open_npy(archive.open(member))));
}

void open_arrays(const DataRoot& root, const OpenOrder& order, MemoryQuota& quota, const TakeArray& take) {
  if (order.paths.empty() || order.items.empty())
    invalid_argument("[worker] a path, or the list of arrays to read from it, is missing");
  if (order.items.size() > kMostArrays)
    invalid_argument("[worker] at most {} arrays are opened at a time; got {}", kMostArrays,
                     order.items.size());
  const bool are_records = std::any_of(order.items.begin(), order.items.end(),
                                       [](const OpenItem& item) { return item.row.has_value(); });
  if (!are_records) {
    if (order.paths.size() != 1)
      invalid_argument("[worker] arrays are read from one file; got {}", order.paths.size());
    return take_file(root, order, quota, take);
  }
  RecordColumns columns(order, quota);
  for (const std::string& path : order.paths) columns.add_file(root, path);
  columns.take(take);
}

std::optional<runtime::ValueRange> range_of(const ir::TensorType& type, const std::byte* elements) {
  if (type.num_elements() == 0) return std::nullopt;
  std::optional<runtime::ValueRange> range;
  const auto look = [&]<typename T>() {
    if constexpr (std::is_arithmetic_v<T>) range = range_of_elements<T>(elements, type.num_elements());
  };
  ir::visit_dtype(type.dtype, look);
  return range;
}

ir::DType dtype_of(ElementType type) {
  for (const auto& [element, dtype] : kTypes)
    if (element == type) return dtype;
  CORNU_CHECK(false, "an element type without a dtype");
}

std::optional<ElementType> element_type_of(ir::DType dtype) {
  for (const auto& [element, known] : kTypes)
    if (known == dtype) return element;
  return std::nullopt;
}

}  // namespace cornu::inline v0::backends::remote
