#include "cornu/io/csv.h"

#include <utility>

#include "cornu/base/check.h"
#include "cornu/io/byte_reader.h"

namespace cornu::inline v0::io {
namespace {

constexpr int kEnd = BufferedBytes::kEnd;

bool is_line_end(int byte) { return byte == '\n' || byte == '\r' || byte == kEnd; }

[[noreturn]] void fail_too_long(const std::string& name, std::uint64_t offset, std::int64_t most) {
  fail(ErrorCode::kResourceExhausted, "[io] {}: the line that ends after byte {} has more than {} bytes",
       shown(name), offset, most);
}

}  // namespace

CsvReader::CsvReader(std::unique_ptr<ByteStream> stream, const CsvOptions& options)
    : bytes_(std::move(stream)), options_(options) {
  const char delimiter = options_.field_delim;
  if (delimiter == '\n' || delimiter == '\r' || (delimiter == '"' && options_.use_quote_delim))
    invalid_argument("[csv] field_delim must not be a quote or a line end; got \"{}\"",
                     shown({&delimiter, 1}));
}

void CsvReader::fail_here(std::string_view what) const { corrupt(bytes_.name(), bytes_.offset(), what); }

bool CsvReader::next(std::vector<std::string_view>& fields) {
  fields.clear();
  if (bytes_.peek() == kEnd) return false;
  text_.clear();
  ends_.clear();
  for (bool has_more = true; has_more;) {
    has_more = read_field();
    check_length();
    ends_.push_back(text_.size());
  }
  std::size_t begin = 0;
  for (const std::size_t end : ends_) {
    fields.push_back(std::string_view(text_).substr(begin, end - begin));
    begin = end;
  }
  return true;
}

/// Called before another byte or field is added.
void CsvReader::check_length() const {
  constexpr std::size_t kMostFields = std::size_t{1} << 24;  // each takes 24 bytes
  if (static_cast<std::int64_t>(text_.size() + ends_.size()) >= options_.max_row_bytes)
    fail_too_long(bytes_.name(), bytes_.offset(), options_.max_row_bytes);
  if (ends_.size() >= kMostFields)
    fail(ErrorCode::kResourceExhausted, "[io] {}: the row that ends after byte {} has more than {} fields",
         shown(bytes_.name()), bytes_.offset(), kMostFields);
}

void CsvReader::push(int byte) {
  check_length();
  text_.push_back(static_cast<char>(byte));
}

bool CsvReader::ends_field(int byte) {
  if (byte == '\r' && bytes_.peek() == '\n') bytes_.take();
  return !is_line_end(byte);
}

bool CsvReader::read_field() {
  if (options_.use_quote_delim && bytes_.peek() == '"') return read_quoted();
  const int delimiter = static_cast<unsigned char>(options_.field_delim);
  for (;;) {
    const int byte = bytes_.take();
    if (byte == delimiter || is_line_end(byte)) return ends_field(byte);
    if (byte == '"' && options_.use_quote_delim)
      fail_here("a quote inside a field that does not begin with one: enclose the field in quotes");
    push(byte);
  }
}

bool CsvReader::read_quoted() {
  bytes_.take();
  for (;;) {
    const int byte = bytes_.take();
    if (byte == kEnd) fail_here("the file ends inside quotes");
    if (byte != '"') {
      push(byte);
      continue;
    }
    const int behind = bytes_.take();
    if (behind == '"') {
      push('"');
      continue;
    }
    if (behind != static_cast<unsigned char>(options_.field_delim) && !is_line_end(behind))
      fail_here("text follows the closing quote of a field");
    return ends_field(behind);
  }
}

bool LineReader::next(std::string& line) {
  line.clear();
  if (bytes_.peek() == kEnd) return false;
  for (;;) {
    const int byte = bytes_.take();
    if (byte == '\n' || byte == kEnd) return true;
    if (byte == '\r') continue;
    if (static_cast<std::int64_t>(line.size()) >= max_line_bytes_)
      fail_too_long(bytes_.name(), bytes_.offset(), max_line_bytes_);
    line.push_back(static_cast<char>(byte));
  }
}

}  // namespace cornu::inline v0::io
