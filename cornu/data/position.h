#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "cornu/data/element.h"
#include "cornu/io/byte_reader.h"

namespace cornu::inline v0::data {

/// One batch as the indices of its rows.
struct RowBatch {
  std::vector<std::int64_t> rows;
};

/// Serializes an iterator's state: the position of each stage, and buffered elements.
class PositionWriter {
 public:
  /// Begins the state of a stage; the reader checks the name.
  void begin(std::string_view stage) { write_text(stage); }
  template <typename T>
    requires std::is_arithmetic_v<T>
  void write(T value) {
    append(&value, sizeof value);
  }
  void write_text(std::string_view text) {
    write(static_cast<std::uint64_t>(text.size()));
    append(text.data(), text.size());
  }
  void write(const Element& element);
  void write(const RowBatch& batch) { write(std::span<const std::int64_t>(batch.rows)); }
  template <typename T>
  void write(std::span<const T> items) {
    write(static_cast<std::uint64_t>(items.size()));
    for (const T& item : items) write(item);
  }
  std::vector<std::byte> take() { return std::move(bytes_); }
  std::string_view view() const { return {reinterpret_cast<const char*>(bytes_.data()), bytes_.size()}; }

 private:
  void append(const void* data, std::size_t size) {
    const auto* begin = static_cast<const std::byte*>(data);
    bytes_.insert(bytes_.end(), begin, begin + size);
  }
  void write_dims(const Dims& dims);
  void write_leaf(const Element& leaf);
  void write_strings(const Strings& strings);

  std::vector<std::byte> bytes_;
};

/// Reads the bytes of a PositionWriter. The input is untrusted: everything is checked. Errors: DataLoss, with
/// the offset.
class PositionReader {
 public:
  /// `name` is used in errors. Lifetime: `bytes` and `name` must outlive the reader.
  explicit PositionReader(std::span<const std::byte> bytes, std::string_view name = "the position")
      : reader_(bytes, name) {}

  /// Errors: InvalidArgument if the position belongs to another pipeline.
  void begin(std::string_view stage);
  template <typename T>
    requires std::is_arithmetic_v<T>
  T read() {
    return reader_.take_little_endian<T>("a number");
  }
  template <typename Item>
    requires(!std::is_arithmetic_v<Item>)
  Item read() {
    if constexpr (std::is_same_v<Item, Element>)
      return read_element();
    else
      return Item{read_items<std::int64_t>()};
  }
  std::string_view read_text();
  Element read_element();
  template <typename T>
  std::vector<T> read_items() {
    const auto count = read<std::uint64_t>();
    if (count > reader_.remaining()) reader_.corrupt_here("more items than bytes");
    std::vector<T> items;
    // A damaged count allocates no more memory than there are bytes.
    items.reserve(std::min<std::size_t>(count, reader_.remaining() / sizeof(T)));
    for (std::uint64_t i = 0; i < count; ++i) items.push_back(read<T>());
    return items;
  }
  /// A number in [low, high].
  std::int64_t read_between(std::int64_t low, std::int64_t high);
  bool is_at_end() const { return reader_.remaining() == 0; }
  void expect_end() const { reader_.expect_end(); }
  [[noreturn]] void corrupt(std::string_view what) const { reader_.corrupt_here(what); }

 private:
  Element read_element(int depth);
  Element read_leaf(std::uint8_t kind, int depth);
  Element read_strings();
  Dims read_dims();
  DType read_dtype();
  void check_booleans(DType dtype, std::span<const std::byte> values) const;

  io::ByteReader reader_;
};

/// Serializes an element, and parses it: the format of `save`, `cache` in files and positions.
std::vector<std::byte> element_bytes(const Element& element);
Element parse_element(std::span<const std::byte> bytes, std::string_view name);

}  // namespace cornu::inline v0::data
