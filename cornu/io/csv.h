#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cornu/io/buffered_bytes.h"

namespace cornu::inline v0::io {

struct CsvOptions {  // options/io.toml
  /// Character between fields; neither a quote nor a line end.
  char field_delim = ',';
  /// True: double quotes enclose fields that may contain delimiters, line ends and doubled quotes; false: a
  /// quote is a character like others.
  bool use_quote_delim = true;
  /// Largest row in bytes, where each field counts one byte more than its text; a longer row, or one of more
  /// than 2^24 fields, is an error.
  std::int64_t max_row_bytes = std::int64_t{1} << 28;
};

/// Reads rows of fields in the format of RFC 4180; rows end with "\n", "\r\n" or "\r".
///
/// Errors: DataLoss, with file and offset, for a quote inside an unquoted field, text after a quoted field,
///         and a file that ends inside a quoted field. ResourceExhausted beyond the limit.
class CsvReader {
 public:
  /// Errors: InvalidArgument if the delimiter is a quote or a line end.
  explicit CsvReader(std::unique_ptr<ByteStream> stream, const CsvOptions& options = {});

  /// Reads the fields of the next row; false at the end. Lifetime: the fields are valid until the next row is
  /// read.
  bool next(std::vector<std::string_view>& fields);
  /// The offset of the next row.
  std::uint64_t offset() const { return bytes_.offset(); }
  void seek(std::uint64_t offset) { bytes_.seek(offset); }
  const std::string& name() const { return bytes_.name(); }

 private:
  /// Reads one field; true if another one follows in the row.
  bool read_field();
  bool read_quoted();
  /// Interprets the byte after a field; true if another field follows.
  bool ends_field(int byte);
  void push(int byte);
  void check_length() const;
  [[noreturn]] void fail_here(std::string_view what) const;

  BufferedBytes bytes_;
  CsvOptions options_;
  std::string text_;               // the row's fields, concatenated
  std::vector<std::size_t> ends_;  // the end of each field
};

/// Reads lines as tf.data does: they end with "\n", and every "\r" is dropped.
class LineReader {
 public:
  explicit LineReader(std::unique_ptr<ByteStream> stream, std::int64_t max_line_bytes = std::int64_t{1} << 28)
      : bytes_(std::move(stream)), max_line_bytes_(max_line_bytes) {}
  /// Errors: ResourceExhausted beyond the limit.
  bool next(std::string& line);
  std::uint64_t offset() const { return bytes_.offset(); }
  void seek(std::uint64_t offset) { bytes_.seek(offset); }

 private:
  BufferedBytes bytes_;
  std::int64_t max_line_bytes_;
};

}  // namespace cornu::inline v0::io
