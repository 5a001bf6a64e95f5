#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cornu/io/buffered_bytes.h"

namespace cornu::inline v0::io {

struct CsvOptions {
  char field_delim = ',';
  /// Whether "..." encloses a field that may hold delimiters, line ends and, doubled, quotes.
  bool use_quote_delim = true;
  /// A longer row is refused, or one of more than 2^24 fields; each field counts a byte more than its text.
  std::int64_t max_row_bytes = std::int64_t{1} << 28;
};

/// Reads rows of fields as RFC 4180 has them; rows end with "\n", "\r\n" or "\r".
///
/// Errors: DataLoss, naming file and offset: for a quote inside a field that is not quoted, text behind a
///         quoted field, and a file that ends inside one. ResourceExhausted beyond the limit.
class CsvReader {
 public:
  /// Errors: InvalidArgument for a delimiter that is a quote or a line end.
  explicit CsvReader(std::unique_ptr<ByteStream> stream, const CsvOptions& options = {});

  /// The fields of the next row; false at the end. Lifetime of what they refer to:
  /// until the next row is read.
  bool next(std::vector<std::string_view>& fields);
  /// Where the next row begins.
  std::uint64_t offset() const { return bytes_.offset(); }
  void seek(std::uint64_t offset) { bytes_.seek(offset); }
  const std::string& name() const { return bytes_.name(); }

 private:
  /// Reads one field; whether another one follows in the row.
  bool read_field();
  bool read_quoted();
  /// What `byte`, the one behind a field, says; whether another field follows.
  bool ends_field(int byte);
  void push(int byte);
  void check_length() const;
  [[noreturn]] void fail_here(std::string_view what) const;

  BufferedBytes bytes_;
  CsvOptions options_;
  std::string text_;               // of the row's fields, one behind the other
  std::vector<std::size_t> ends_;  // of each
};

/// Reads lines as tf.data does: they end with "\n", and "\r" is dropped wherever it stands.
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
