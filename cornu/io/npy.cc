#include "cornu/io/npy.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <optional>

#include "cornu/base/check.h"
#include "cornu/io/array_size_support.h"
#include "cornu/io/byte_reader.h"
#include "cornu/io/pickle.h"

namespace cornu::inline v0::io {
namespace {

constexpr std::size_t kLargestRank = 64;  // NumPy's limit

struct NpyHeader {
  std::string descr;
  bool fortran_order = false;
  std::vector<std::int64_t> dims;
};

/// Parses a header, which is a Python dictionary: {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4),
/// }.
class HeaderParser {
 public:
  HeaderParser(std::string_view text, std::string_view name, std::size_t offset)
      : text_(text), name_(name), offset_(offset) {}

  NpyHeader parse() {
    NpyHeader header;
    bool seen[3] = {};
    expect('{');
    while (!skip('}')) {
      const std::string key = quoted();
      expect(':');
      const int which = key == "descr" ? 0 : key == "fortran_order" ? 1 : key == "shape" ? 2 : -1;
      if (which < 0 || seen[which])
        refuse(which < 0 ? fmt::format("unknown key '{}'", key) : fmt::format("'{}' occurs twice", key));
      seen[which] = true;
      if (which == 0) header.descr = descr();
      if (which == 1) header.fortran_order = boolean();
      if (which == 2) header.dims = shape();
      if (!skip(',')) {
        expect('}');
        break;
      }
    }
    if (!seen[0] || !seen[1] || !seen[2]) refuse("descr, fortran_order or shape is missing");
    skip_spaces();
    if (position_ != text_.size()) refuse("other text follows the dictionary");
    return header;
  }

 private:
  [[noreturn]] void refuse(std::string_view what) const {
    corrupt(name_, offset_ + position_,
            fmt::format("the header of the .npy data cannot be read: {}; get the file again", what));
  }
  void skip_spaces() {
    while (position_ < text_.size() && (text_[position_] == ' ' || text_[position_] == '\n')) ++position_;
  }
  bool skip(char c) {
    skip_spaces();
    if (position_ == text_.size() || text_[position_] != c) return false;
    ++position_;
    return true;
  }
  void expect(char c) {
    if (!skip(c)) refuse(fmt::format("'{}' is missing", c));
  }
  bool skip_word(std::string_view word) {
    skip_spaces();
    if (!text_.substr(position_).starts_with(word)) return false;
    position_ += word.size();
    return true;
  }
  std::string quoted() {
    skip_spaces();
    const char quote = position_ < text_.size() ? text_[position_] : ' ';
    const std::size_t end =
        quote == '\'' || quote == '"' ? text_.find(quote, position_ + 1) : std::string_view::npos;
    if (end == std::string_view::npos) refuse("a text in quotes is missing");
    std::string value(text_.substr(position_ + 1, end - position_ - 1));
    position_ = end + 1;
    return value;
  }
  std::string descr() {
    skip_spaces();
    if (position_ < text_.size() && text_[position_] == '[') refuse("elements with fields are not supported");
    return quoted();
  }
  bool boolean() {
    if (skip_word("True")) return true;
    if (!skip_word("False")) refuse("fortran_order is neither True nor False");
    return false;
  }
  std::vector<std::int64_t> shape() {
    std::vector<std::int64_t> dims;
    expect('(');
    while (!skip(')')) {
      skip_spaces();
      std::int64_t extent = -1;
      const auto [end, error] =
          std::from_chars(text_.data() + position_, text_.data() + text_.size(), extent);
      if (error != std::errc() || extent < 0) refuse("the shape has an entry that is not an extent");
      position_ = static_cast<std::size_t>(end - text_.data());
      if (dims.size() == kLargestRank) refuse(fmt::format("the shape has more than {} axes", kLargestRank));
      dims.push_back(extent);
      skip_word("L");  // Python 2's long integers
      if (!skip(',')) {
        expect(')');
        break;
      }
    }
    return dims;
  }

  std::string_view text_;
  std::string_view name_;
  std::size_t offset_;
  std::size_t position_ = 0;
};

constexpr std::string_view kMagic = "\x93NUMPY";

NpyHeader read_header(ByteReader& reader) {
  const std::string_view magic = reader.take_text(kMagic.size(), "the header of .npy data");
  if (magic != kMagic) corrupt(reader.name(), 0, "not .npy data: they begin with another signature");
  const auto major = reader.take_little_endian<std::uint8_t>("the version");
  reader.take(1, "the version");
  if (major < 1 || major > 3)
    reader.corrupt_here(fmt::format(".npy version {} is not supported (1 to 3 are)", major));
  const std::uint32_t length = major == 1 ? reader.take_little_endian<std::uint16_t>("the header's length")
                                          : reader.take_little_endian<std::uint32_t>("the header's length");
  const std::size_t offset = reader.offset();
  return HeaderParser(reader.take_text(length, "the header of .npy data"), reader.name(), offset).parse();
}

constexpr std::pair<std::string_view, ElementType> kTypeCodes[] = {
    {"b1", ElementType::kBool}, {"i1", ElementType::kI8},   {"u1", ElementType::kU8},
    {"i2", ElementType::kI16},  {"u2", ElementType::kU16},  {"i4", ElementType::kI32},
    {"u4", ElementType::kU32},  {"i8", ElementType::kI64},  {"u8", ElementType::kU64},
    {"f2", ElementType::kF16},  {"f4", ElementType::kF32},  {"f8", ElementType::kF64},
    {"c8", ElementType::kC64},  {"c16", ElementType::kC128}};

std::optional<ElementType> npy_type(std::string_view code) {
  for (const auto& [name, type] : kTypeCodes)
    if (code == name) return type;
  return std::nullopt;
}

/// "<f4": with this machine's byte order, or "|" for types without one.
std::string npy_code(ElementType wanted) {
  const auto* const row = std::find_if(std::begin(kTypeCodes), std::end(kTypeCodes),
                                       [&](const auto& code) { return code.second == wanted; });
  if (row == std::end(kTypeCodes))
    invalid_argument("[io] .npy data cannot have elements of type {}; convert them to float32",
                     element_type_name(wanted));
  const char order = element_size_bytes(wanted) == 1              ? '|'
                     : std::endian::native == std::endian::little ? '<'
                                                                  : '>';
  return fmt::format("{}{}", order, row->first);
}

/// Converts elements from Fortran order to C order. Axes of extent 1 are removed first: then the number of
/// axes is at most the number of bits of the element count, so there are few steps for each element.
std::vector<std::byte> row_major(const std::vector<std::byte>& data, std::vector<std::int64_t> dims,
                                 std::int64_t size) {
  std::erase(dims, 1);
  std::vector<std::byte> result(data.size());
  std::vector<std::int64_t> position(dims.size(), 0);
  for (auto source = data.begin(); source != data.end(); source += size) {
    std::int64_t target = 0;
    for (std::size_t axis = 0; axis < dims.size(); ++axis) target = target * dims[axis] + position[axis];
    std::copy_n(source, size, result.begin() + target * size);
    for (std::size_t axis = 0; axis < dims.size() && ++position[axis] == dims[axis]; ++axis)
      position[axis] = 0;
  }
  return result;
}

/// The type, size and byte order of a header's elements.
struct NpyElements {
  ElementType type;
  bool other_order;  // big-endian
  std::uint64_t size_bytes;
};

NpyElements elements_of(const NpyHeader& header, const ByteReader& reader) {
  if (header.descr == "|O" || header.descr == "O")
    reader.corrupt_here("an array of Python objects; only lists of integers can be read from those");
  const char order = header.descr.empty() ? ' ' : header.descr[0];
  const std::optional<ElementType> type =
      npy_type(std::string_view(header.descr).substr(header.descr.empty() ? 0 : 1));
  if (!type || std::string_view("<>|=").find(order) == std::string_view::npos)
    reader.corrupt_here(fmt::format("elements of type '{}' are not supported", header.descr));
  const std::optional<std::uint64_t> size_bytes = array_size_bytes(header.dims, *type);
  if (!size_bytes)
    reader.corrupt_here(
        fmt::format("the size of the extents {} does not fit 63 bits", fmt::join(header.dims, " x ")));
  return {*type, order == '>', *size_bytes};
}

}  // namespace

Array parse_npy(std::span<const std::byte> bytes, StringViewArgument name, const ReadLimits& limits) {
  ByteReader reader(bytes, name);
  const NpyHeader header = read_header(reader);
  const NpyElements elements = elements_of(header, reader);
  check_size(name, "its array", elements.size_bytes, limits);
  const auto stored =
      reader.take(elements.size_bytes, fmt::format("an array of {}", fmt::join(header.dims, " x ")));
  reader.expect_end();
  Array array{.type = elements.type, .dims = header.dims};
  const std::int64_t size = element_size_bytes(array.type);
  array.data = copy_elements(stored, word_size_bytes(array.type), elements.other_order);
  if (array.type == ElementType::kBool &&
      std::any_of(array.data.begin(), array.data.end(), [](std::byte b) { return b > std::byte{1}; }))
    reader.corrupt_here("a boolean is neither 0 nor 1");
  if (header.fortran_order && header.dims.size() > 1) array.data = row_major(array.data, array.dims, size);
  return array;
}

StoredArray open_npy(RandomAccessPointer bytes) {
  // The header of an array without fields is never longer than 64 KiB.
  constexpr std::uint64_t kLongestHeader = 65536 + 12;
  std::vector<std::byte> begin(static_cast<std::size_t>(std::min(bytes->size(), kLongestHeader)));
  bytes->read(0, begin);
  ByteReader reader(begin, bytes->name());
  const NpyHeader header = read_header(reader);
  const NpyElements elements = elements_of(header, reader);
  if (header.fortran_order && header.dims.size() > 1)
    reader.corrupt_here(
        "the array is in Fortran order, in which rows are not contiguous; read the whole array, or store it "
        "in C order");
  const std::uint64_t offset = reader.offset(), held = bytes->size() - offset;
  if (held != elements.size_bytes)
    reader.corrupt_here(fmt::format(
        "the header states {} bytes of elements, but there are {}; the file is damaged: get it again",
        elements.size_bytes, held));
  std::string name = bytes->name();
  return {elements.type, header.dims, part_of(std::move(bytes), offset, elements.size_bytes, std::move(name)),
          elements.other_order};
}

std::string npy_header(const ArrayView& array) {
  if (array.dims.size() > kLargestRank ||
      array_size_bytes(array.dims, array.type) != std::optional<std::uint64_t>(array.data.size()))
    invalid_argument("[io] an array of {} ({}) cannot be written from {} bytes, or has more than {} axes",
                     element_type_name(array.type), fmt::join(array.dims, " x "), array.data.size(),
                     kLargestRank);
  std::string text =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}", npy_code(array.type),
                  fmt::join(array.dims, ", "), array.dims.size() == 1 ? "," : "");
  // NumPy leaves space for the first extent to grow, and aligns the elements to 64 bytes.
  constexpr std::size_t kLongestExtent = 21, kAlignment = 64, kBeforeText = kMagic.size() + 4;
  if (!array.dims.empty()) text.append(kLongestExtent - std::to_string(array.dims[0]).size(), ' ');
  text.append(kAlignment - (kBeforeText + text.size() + 1) % kAlignment, ' ');
  text += '\n';
  const char length[] = {static_cast<char>(text.size() & 0xFF), static_cast<char>(text.size() >> 8)};
  return std::string(kMagic) + '\1' + '\0' + length[0] + length[1] + text;
}

void write_npy(const StringArgument& path, const ArrayView& array) {
  const std::string header = npy_header(array);
  WholeFile file(path);
  file.write(std::as_bytes(std::span(header)));
  file.write(array.data);
  file.commit();
}

Array read_npy(const StringArgument& path, const ReadLimits& limits) {
  return parse_npy(read_file(path, limits), path, limits);
}

IntegerLists parse_npy_lists(std::span<const std::byte> bytes, StringViewArgument name,
                             const ReadLimits& limits) {
  ByteReader reader(bytes, name);
  const NpyHeader header = read_header(reader);
  if (header.descr != "|O" && header.descr != "O")
    reader.corrupt_here(fmt::format("elements of type '{}' instead of lists of integers", header.descr));
  if (header.dims.size() != 1)
    reader.corrupt_here(fmt::format("an array of lists must have one axis; got {}", header.dims.size()));
  IntegerLists lists = parse_pickled_lists(reader, header.dims[0], limits);
  reader.expect_end();
  if (lists.num_lists() != header.dims[0])
    reader.corrupt_here(
        fmt::format("the header states {} lists, but there are {}; the file is damaged: get it again",
                    header.dims[0], lists.num_lists()));
  return lists;
}

}  // namespace cornu::inline v0::io
