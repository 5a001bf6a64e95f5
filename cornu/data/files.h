#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "cornu/data/dataset.h"

namespace cornu::inline v0::data {

/// Files of records or lines, which are read one after another.
///
/// A damaged file makes the iterator throw, with the file's name and the offset, at the position of the
/// damaged element.
class Filenames : public std::vector<std::string> {
 public:
  Filenames(const char* name) : vector{name} {}
  Filenames(std::string name) : vector{std::move(name)} {}
  Filenames(std::vector<std::string> names) : vector(std::move(names)) {}
  Filenames(std::initializer_list<std::string> names) : vector(names) {}
};

struct FileOptions {  // options/data.toml
  /// Compression of the files: "" for none, "GZIP" or "ZLIB".
  std::string compression_type = "";
  /// Number of files that are read at the same time, an element of each in turn; unset: one file after the
  /// other.
  std::optional<std::int64_t> num_parallel_reads = {};
};

/// The records of TensorFlow's record files, as texts. Verifies checksums.
class TFRecordDataset : public Dataset {
 public:
  explicit TFRecordDataset(Filenames filenames, const FileOptions& options = {});
};

/// The lines of text files, without their ends.
class TextLineDataset : public Dataset {
 public:
  explicit TextLineDataset(Filenames filenames, const FileOptions& options = {});
};

struct FixedLengthRecordOptions {  // options/data.toml
  /// Bytes of a record; at least 1.
  std::int64_t record_bytes;
  /// Bytes that are skipped at the start of each file; must not be negative.
  std::int64_t header_bytes = 0;
  /// Bytes that are skipped at the end of each file; must not be negative.
  std::int64_t footer_bytes = 0;
  /// Number of files that are read at the same time, an element of each in turn; unset: one file after the
  /// other.
  std::optional<std::int64_t> num_parallel_reads = {};
};

/// Texts of fixed length, between a header and a footer.
class FixedLengthRecordDataset : public Dataset {
 public:
  explicit FixedLengthRecordDataset(Filenames filenames, const FixedLengthRecordOptions& options);
};

/// A column of a CSV file: its type, and the value for missing fields.
class CsvColumn {
 public:
  /// A required number: float32, float64, int32 or int64.
  CsvColumn(DType dtype) : dtype_(dtype) {}
  /// A number with a default.
  template <typename T>
    requires std::is_arithmetic_v<T>
  CsvColumn(T value) : dtype_(ir::kDTypeOf<T>), default_(Number::of(value)) {}
  /// A text with a default.
  CsvColumn(const char* value) : default_(Text(std::string(value))) {}
  CsvColumn(std::string value) : default_(Text(std::move(value))) {}
  /// A required text.
  static CsvColumn text() { return CsvColumn(); }

  /// The dtype of a number; empty for a text.
  const std::optional<DType>& dtype() const { return dtype_; }
  const std::optional<Element>& default_value() const { return default_; }

 private:
  CsvColumn() = default;
  std::optional<DType> dtype_;
  std::optional<Element> default_;
};

struct CsvOptions {  // options/data.toml
  /// Type, and value of missing fields, of each column that is read.
  std::vector<CsvColumn> record_defaults;
  /// Compression of the files: "" for none, "GZIP" or "ZLIB".
  std::string compression_type = "";
  /// True: skips the first row of each file.
  bool header = false;
  /// Character between fields.
  char field_delim = ',';
  /// True: double quotes enclose fields that may contain delimiters, line ends and doubled quotes; false: a
  /// quote is a character like others.
  bool use_quote_delim = true;
  /// Text of a missing field; an empty field is always missing.
  std::string na_value = "";
  /// Columns to read, by number from 0, rising; empty: all.
  std::vector<std::int64_t> select_cols = {};
};

/// The rows of CSV files as tuples of numbers and texts.
class CsvDataset : public Dataset {
 public:
  explicit CsvDataset(Filenames filenames, const CsvOptions& options);
};

/// A feature of a tf.train.Example: float32, int64, or texts.
struct FixedLenFeature {
  Dims shape = {};
  /// float32 or int64; empty for texts.
  std::optional<DType> dtype = DType::kF32;
  /// The value of a missing feature: one number, or as many as the shape has. If empty the feature is
  /// required.
  std::optional<Element> default_value = {};
};
/// A feature of any number of values, which becomes a ragged row.
struct VarLenFeature {
  std::optional<DType> dtype = DType::kF32;
};
using RaggedFeature = VarLenFeature;

using FeatureDescription = std::variant<FixedLenFeature, VarLenFeature>;
using FeatureDescriptions = std::vector<std::pair<std::string, FeatureDescription>>;

/// Parses serialized tf.train.Examples by name: one example into its features, a batch of examples (texts)
/// into a batch of each feature.
///
///     TFRecordDataset("train.tfrecord").batch(256).map(ParseExample({{"age", FixedLenFeature{}},
///                                                               {"words", VarLenFeature{DType::kI64}}}))
///
/// Errors:  InvalidArgument, with example and feature, for a feature that is missing, of another type, or
///          with another number of values; DataLoss for damaged bytes.
/// Threads: safe.
class ParseExample {
 public:
  explicit ParseExample(const FeatureDescriptions& features);
  Element operator()(const Element& serialized) const;

 private:
  struct State;
  std::shared_ptr<const State> state_;
};

}  // namespace cornu::inline v0::data
