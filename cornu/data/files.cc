#include "cornu/data/files.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <type_traits>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/data/stages/files_stage.h"
#include "cornu/io/csv.h"
#include "cornu/io/tfrecord.h"

namespace cornu::inline v0::data {
namespace {

class RecordFile final : public FileReader {
 public:
  RecordFile(const std::string& path, io::Compression compression)
      : reader_(path, io::RecordReaderOptions{.compression = compression}) {}
  std::optional<Element> next() override {
    std::optional<io::SharedBytes> record = reader_.next();
    if (!record.has_value()) return std::nullopt;
    return Text(record->view, std::move(record->owner));
  }
  std::uint64_t offset() const override { return reader_.offset(); }
  void seek(std::uint64_t offset) override { reader_.seek(offset); }

 private:
  io::RecordReader reader_;
};

class LineFile final : public FileReader {
 public:
  LineFile(const std::string& path, io::Compression compression)
      : reader_(io::open_file(path, compression)) {}
  std::optional<Element> next() override {
    std::string line;
    if (!reader_.next(line)) return std::nullopt;
    return Text(std::move(line));
  }
  std::uint64_t offset() const override { return reader_.offset(); }
  void seek(std::uint64_t offset) override { reader_.seek(offset); }

 private:
  io::LineReader reader_;
};

class FixedLengthFile final : public FileReader {
 public:
  FixedLengthFile(const std::string& path, const FixedLengthRecordOptions& options)
      : stream_(io::open_file(path)), options_(options) {
    const auto size = static_cast<std::int64_t>(io::file_size(path));
    const std::int64_t around = options.header_bytes + options.footer_bytes;
    if (size < around || (size - around) % options.record_bytes != 0)
      fail(ErrorCode::kDataLoss,
           "[fixed_length_record] {}: {} bytes are not a header of {}, records of {} and a footer of {}",
           io::shown(path), size, options.header_bytes, options.record_bytes, options.footer_bytes);
    end_ = static_cast<std::uint64_t>(size - options.footer_bytes);
    seek(static_cast<std::uint64_t>(options.header_bytes));
  }
  std::optional<Element> next() override {
    if (offset_ >= end_) return std::nullopt;
    std::string record(static_cast<std::size_t>(options_.record_bytes), '\0');
    const std::uint64_t begin = std::exchange(offset_, end_);  // a failed read ends the file
    if (stream_->read(std::as_writable_bytes(std::span(record))) < record.size())
      io::corrupt(stream_->name(), begin, "the file became shorter while it was read");
    offset_ = begin + record.size();
    return Text(std::move(record));
  }
  std::uint64_t offset() const override { return offset_; }
  void seek(std::uint64_t offset) override { stream_->seek(offset_ = offset); }

 private:
  std::unique_ptr<io::ByteStream> stream_;
  FixedLengthRecordOptions options_;
  std::uint64_t end_ = 0, offset_ = 0;
};

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

/// The value of a number that a floating type cannot represent, as in tf.data: 0 below the smallest, infinity
/// above the largest one.
template <typename T>
T value_beyond_range(std::string_view number) {
  constexpr std::int64_t kFar = std::int64_t{1} << 60;
  const std::string_view digits = number.substr(0, number.find_first_of("eE"));
  std::int64_t exponent = 0;
  if (digits.size() < number.size()) {
    std::string_view text = number.substr(digits.size() + 1);
    if (text.starts_with('+')) text.remove_prefix(1);
    if (std::from_chars(text.data(), text.data() + text.size(), exponent).ec != std::errc())
      exponent = text.starts_with('-') ? -kFar : kFar;
  }
  // The number is so far from 1 that an error of one power of ten does not matter.
  const std::size_t point = std::min(digits.find('.'), digits.size());
  const auto power =
      static_cast<std::int64_t>(point) - static_cast<std::int64_t>(digits.find_first_of("123456789"));
  const T value = power < -exponent ? T{0} : std::numeric_limits<T>::infinity();
  return number.starts_with('-') ? -value : value;
}

template <typename T>
bool parse_field(std::string_view text, Element& to) {
  text = trimmed(text);
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  T value = {};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size()) return false;
  if constexpr (std::is_floating_point_v<T>) {
    if (error == std::errc::result_out_of_range) {
      to = value_beyond_range<T>(text);
      return true;
    }
  }
  if (error != std::errc()) return false;
  to = value;
  return true;
}

class CsvFile final : public FileReader {
 public:
  CsvFile(const std::string& path, io::Compression compression, const CsvOptions& options)
      : reader_(io::open_file(path, compression),
                {.field_delim = options.field_delim, .use_quote_delim = options.use_quote_delim}),
        options_(options) {
    if (options.header) reader_.next(fields_);
  }
  std::optional<Element> next() override {
    const std::uint64_t begin = reader_.offset();
    if (!reader_.next(fields_)) return std::nullopt;
    const std::vector<std::int64_t>& chosen = options_.select_cols;
    const std::size_t wanted = options_.record_defaults.size();
    const bool fits =
        chosen.empty() ? fields_.size() == wanted : static_cast<std::int64_t>(fields_.size()) > chosen.back();
    if (!fits)
      io::corrupt(reader_.name(), begin,
                  fmt::format("a row of {} fields instead of {}", fields_.size(),
                              chosen.empty() ? wanted : static_cast<std::size_t>(chosen.back()) + 1));
    std::vector<Element> values(wanted);
    for (std::size_t i = 0; i < wanted; ++i) {
      const std::size_t column = chosen.empty() ? i : static_cast<std::size_t>(chosen[i]);
      values[i] = value_of(column, options_.record_defaults[i], begin);
    }
    return Element(std::move(values));
  }
  std::uint64_t offset() const override { return reader_.offset(); }
  void seek(std::uint64_t offset) override { reader_.seek(offset); }

 private:
  Element value_of(std::size_t column, const CsvColumn& like, std::uint64_t row_begin) const {
    const std::string_view field = fields_[column];
    if (field.empty() || field == options_.na_value) {
      if (like.default_value().has_value()) return *like.default_value();
      io::corrupt(reader_.name(), row_begin, fmt::format("field {} is missing, and has no default", column));
    }
    if (!like.dtype().has_value()) return Text(std::string(field));
    Element value;
    bool is_number = false;
    switch (*like.dtype()) {
      case DType::kF32: is_number = parse_field<float>(field, value); break;
      case DType::kF64: is_number = parse_field<double>(field, value); break;
      case DType::kI32: is_number = parse_field<std::int32_t>(field, value); break;
      default: is_number = parse_field<std::int64_t>(field, value); break;
    }
    if (!is_number)
      io::corrupt(reader_.name(), row_begin,
                  fmt::format("field {} is not of type {}: \"{}\"", column, ir::numpy_name(*like.dtype()),
                              io::shown(field)));
    return value;
  }

  io::CsvReader reader_;
  CsvOptions options_;
  std::vector<std::string_view> fields_;
};

/// The elements of all files one after another, or of several files in turn.
StagePointer dataset_of_files(const char* name, Filenames filenames, OpenFile open_one,
                              const std::optional<std::int64_t>& num_parallel_reads) {
  if (!num_parallel_reads.has_value()) return files_stage(name, std::move(filenames), std::move(open_one));
  const Dataset names = Dataset::from_tensor_slices(static_cast<std::vector<std::string>&>(filenames));
  return names
      .interleave(
          [name, open_one](const std::string& path) { return Dataset(files_stage(name, {path}, open_one)); },
          // NOLINTNEXTLINE(clang-analyzer-cplusplus.NewDeleteLeaks): the function above owns its open_one
          {.cycle_length = *num_parallel_reads, .num_parallel_calls = num_parallel_reads})
      .stage();
}

StagePointer fixed_length_stage(Filenames filenames, const FixedLengthRecordOptions& options) {
  constexpr const char* kName = "fixed_length_record";
  if (options.record_bytes < 1)
    invalid_argument("[{}] record_bytes must be at least 1; got {}", kName, options.record_bytes);
  if (options.header_bytes < 0 || options.footer_bytes < 0 ||
      options.header_bytes > std::numeric_limits<std::int64_t>::max() - options.footer_bytes)
    invalid_argument("[{}] header_bytes and footer_bytes must not be negative; got {} and {}", kName,
                     options.header_bytes, options.footer_bytes);
  const auto open_one = [options](const std::string& path) -> std::unique_ptr<FileReader> {
    return std::make_unique<FixedLengthFile>(path, options);
  };
  return dataset_of_files(kName, std::move(filenames), open_one, options.num_parallel_reads);
}

StagePointer csv_stage(Filenames filenames, const CsvOptions& options) {
  if (options.record_defaults.empty())
    invalid_argument("[csv] record_defaults must have at least one column");
  for (const CsvColumn& column : options.record_defaults) {
    if (!column.dtype().has_value()) continue;
    const DType dtype = *column.dtype();
    if (dtype != DType::kF32 && dtype != DType::kF64 && dtype != DType::kI32 && dtype != DType::kI64)
      invalid_argument("[csv] a column must be float32, float64, int32, int64 or text; got {}",
                       ir::numpy_name(dtype));
  }
  const auto& chosen = options.select_cols;
  if (!chosen.empty() && chosen.size() != options.record_defaults.size())
    invalid_argument("[csv] select_cols has {} columns, but record_defaults has {}", chosen.size(),
                     options.record_defaults.size());
  for (std::size_t i = 0; i < chosen.size(); ++i)
    if (chosen[i] < 0 || (i > 0 && chosen[i] <= chosen[i - 1]))
      invalid_argument("[csv] select_cols must be in ascending order from 0; got {}",
                       fmt::join(chosen, ", "));
  const io::Compression compression = io::compression_named(options.compression_type);
  const auto open_one = [options, compression](const std::string& path) -> std::unique_ptr<FileReader> {
    return std::make_unique<CsvFile>(path, compression, options);
  };
  return files_stage("csv", std::move(filenames), open_one);
}

/// Files of one kind that may be compressed.
template <typename File>
StagePointer compressed_files_stage(const char* name, Filenames filenames, const FileOptions& options) {
  const io::Compression compression = io::compression_named(options.compression_type);
  const auto open_one = [compression](const std::string& path) -> std::unique_ptr<FileReader> {
    return std::make_unique<File>(path, compression);
  };
  return dataset_of_files(name, std::move(filenames), open_one, options.num_parallel_reads);
}

}  // namespace

TFRecordDataset::TFRecordDataset(Filenames filenames, const FileOptions& options)
    : Dataset(compressed_files_stage<RecordFile>("tfrecord", std::move(filenames), options)) {}
TextLineDataset::TextLineDataset(Filenames filenames, const FileOptions& options)
    : Dataset(compressed_files_stage<LineFile>("text_line", std::move(filenames), options)) {}
FixedLengthRecordDataset::FixedLengthRecordDataset(Filenames filenames,
                                                   const FixedLengthRecordOptions& options)
    : Dataset(fixed_length_stage(std::move(filenames), options)) {}
CsvDataset::CsvDataset(Filenames filenames, const CsvOptions& options)
    : Dataset(csv_stage(std::move(filenames), options)) {}

}  // namespace cornu::inline v0::data
