#pragma once

#include <concepts>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "cornu/base/string_argument.h"
#include "cornu/ir/dtype.h"
#include "cornu/tensor/tensor.h"

namespace cornu::inline v0::data {

class Element;
class Stage;

/// An unknown extent.
inline constexpr std::int64_t kUnknownExtent = -1;

/// A scalar number stored in the element itself, so that elements of single numbers allocate no memory.
struct Number {
  DType dtype = DType::kI64;
  std::uint64_t bits = 0;  // the value's bytes, lowest first

  template <typename T>
    requires std::is_arithmetic_v<T>
  static Number of(T value) {
    Number number{.dtype = *ir::kDTypeOf<T>};
    std::memcpy(&number.bits, &value, sizeof value);
    return number;
  }
  /// Reads a value of a type that holds() accepts.
  static Number at(DType dtype, const std::byte* from);
  /// True if a value fits into `bits`: all types except complex128, whose scalars are tensors.
  static bool holds(DType dtype) { return ir::size_bytes(dtype) <= sizeof(bits); }
  const std::byte* bytes() const { return reinterpret_cast<const std::byte*>(&bits); }
  /// The value, converted. Errors: Unimplemented for types without a C++ type, such as half precision.
  template <typename T>
  T as() const {
    if (dtype == *ir::kDTypeOf<T>) {
      T value;
      std::memcpy(&value, &bits, sizeof value);
      return value;
    }
    T result = {};
    if (!ir::visit_dtype(dtype, [&]<typename From>() {
          From value;
          std::memcpy(&value, &bits, sizeof value);
          result = static_cast<T>(value);
        }))
      fail_without_type();
    return result;
  }

 private:
  [[noreturn]] void fail_without_type() const;
};

/// A text: a scalar of TensorFlow's dtype string, which may contain any bytes. Copies share the bytes.
class Text {
 public:
  Text() = default;
  explicit Text(StringArgument text);
  /// Refers to memory that `owner` keeps alive.
  Text(StringViewArgument text, std::shared_ptr<const void> owner) : owner_(std::move(owner)), text_(text) {}
  std::string_view view() const { return text_; }

 private:
  std::shared_ptr<const void> owner_;
  std::string_view text_;
};

/// Texts with a shape, concatenated in one piece of memory that copies share.
///
///     Strings names;
///     while (reader.read(line)) names.push_back(line);
///
/// Threads: compatible; copies may be used and filled by several threads.
class Strings {
 public:
  /// The memory of the texts: text i is bytes[offsets[i]] .. bytes[offsets[i + 1]].
  struct Storage {
    std::string bytes;
    std::vector<std::size_t> offsets = {0};
    void push(StringViewArgument text);
  };

  /// No texts, of shape (0,).
  Strings();
  /// Texts of one axis.
  Strings(std::initializer_list<std::string_view> texts);
  explicit Strings(const std::vector<std::string>& texts);
  /// Texts from another range: of std::string_view, const char* or std::string.
  template <typename Range>
    requires requires(const Range& texts) {
      { *std::begin(texts) } -> std::convertible_to<std::string_view>;
      std::end(texts);
    }
  explicit Strings(const Range& texts) : Strings() {
    for (const auto& text : texts) push_back(text);
  }
  /// Errors: InvalidArgument if their number does not fit the shape.
  Strings(Dims shape, const std::vector<std::string>& texts);
  Strings(Dims shape, std::shared_ptr<const Storage> storage, std::size_t first = 0);

  const Dims& shape() const { return shape_; }
  std::int64_t size() const;
  /// Text i in row-major order.
  std::string_view operator[](std::int64_t i) const {
    const std::size_t at = first_ + static_cast<std::size_t>(i);
    return std::string_view(storage_->bytes)
        .substr(storage_->offsets[at], storage_->offsets[at + 1] - storage_->offsets[at]);
  }
  std::vector<std::string> to_vector() const;
  /// Appends a text. Existing copies, rows and texts do not change; the first call while any of them exist
  /// copies all texts.
  /// Errors: InvalidArgument unless there is one axis.
  void push_back(StringViewArgument text);
  /// Text i as a Text that shares the memory.
  Text text(std::int64_t i) const { return {(*this)[i], storage_}; }
  /// Rows [begin, end) of the first axis.
  Strings rows(std::int64_t begin, std::int64_t end) const;
  /// Row `i`, without that axis.
  Strings row(std::int64_t i) const;

 private:
  Dims shape_;
  std::shared_ptr<const Storage> storage_;
  std::size_t first_ = 0;
  bool is_growing_ = false;  // true if push_back() made the storage; only it changes it
};

/// Rows of different lengths: row i is values[row_splits[i]] .. values[row_splits[i + 1]]. `values` is a
/// tensor, strings, or ragged again.
class Ragged {
 public:
  /// Errors: InvalidArgument unless the splits ascend from 0 to the number of values.
  Ragged(Element values, std::vector<std::int64_t> row_splits);
  const Element& values() const { return *values_; }
  const std::vector<std::int64_t>& row_splits() const { return *row_splits_; }
  std::int64_t num_rows() const { return static_cast<std::int64_t>(row_splits_->size()) - 1; }

 private:
  std::shared_ptr<const Element> values_;
  std::shared_ptr<const std::vector<std::int64_t>> row_splits_;
};

/// An element of a dataset: a number, a tensor, a text, strings, ragged rows, a dataset (a window), or a
/// structure of elements by position or by name, nested to any depth.
///
///     Element pair({x, y}), features({{"age", age}, {"city", Text("Rome")}});
///
/// Immutable; copies share their contents. A default-constructed element is an empty tuple.
class Element {
 public:
  using Named = std::pair<std::string, Element>;
  struct Structure {
    std::vector<std::string> names;  // empty: by position
    std::vector<Element> parts;
  };

  Element() noexcept : kind_(Kind::kStructure), structure_() {}
  Element(const Element& other);
  Element(Element&& other) noexcept;
  Element& operator=(const Element& other);
  Element& operator=(Element&& other) noexcept;
  ~Element();
  template <typename T>
    requires std::is_arithmetic_v<T>
  Element(T number) : Element(Number::of(number)) {}
  Element(Number number) : kind_(Kind::kNumber), number_(number) {}
  /// Errors: InvalidArgument for an undefined tensor.
  Element(Tensor tensor);
  /// The values as a tensor of one axis.
  template <typename T>
    requires std::is_arithmetic_v<T>
  Element(const std::vector<T>& values) : Element(Tensor(values)) {}
  Element(Text text);
  Element(Strings strings);
  Element(const std::vector<std::string>& texts) : Element(Strings(texts)) {}
  Element(Ragged ragged);
  Element(std::shared_ptr<const Stage> dataset);
  Element(std::initializer_list<Element> parts);
  Element(std::initializer_list<Named> parts);
  Element(std::vector<Element> parts);
  /// Errors: InvalidArgument if a name occurs twice, or the numbers of names and parts differ.
  Element(std::vector<std::string> names, std::vector<Element> parts);

  bool is_number() const { return kind_ == Kind::kNumber; }
  /// True for a tensor or a number.
  bool is_numeric() const { return is_number() || kind_ == Kind::kTensor; }
  bool is_text() const { return kind_ == Kind::kText; }
  bool is_strings() const { return kind_ == Kind::kStrings; }
  bool is_ragged() const { return kind_ == Kind::kRagged; }
  bool is_dataset() const { return kind_ == Kind::kDataset; }
  bool is_structure() const { return kind_ == Kind::kStructure; }

  // Contents. Errors: InvalidArgument, with the element's type, if it is of another kind.
  Tensor tensor() const;
  Number number() const;  // also of a tensor of one element
  template <typename T>
  T item() const {
    return (is_number() ? number_ : number()).template as<T>();
  }
  std::string_view text() const;
  const Text& shared_text() const;
  const Strings& strings() const;
  const Ragged& ragged() const;
  const std::shared_ptr<const Stage>& dataset() const;

  /// The number of parts of a structure; 1 for anything else.
  std::size_t size() const { return is_structure() ? parts().size() : 1; }
  std::span<const Element> parts() const;
  /// The names in the order of the parts; empty for parts by position.
  const std::vector<std::string>& names() const;
  /// Errors: OutOfRange beyond the parts; InvalidArgument with the existing names.
  const Element& operator[](std::size_t i) const;
  const Element& operator[](int i) const { return (*this)[static_cast<std::size_t>(i)]; }
  const Element& operator[](StringViewArgument name) const;
  const Element& operator[](const char* name) const { return (*this)[std::string_view(name)]; }

  /// The approximate memory of the values.
  std::size_t size_bytes() const;
  /// "(5, [1. 2.])", "{'a': 5}": NumPy's format.
  std::string str() const;
  /// "(int64 (), float32 (2,))"
  std::string type_str() const;

 private:
  enum class Kind : std::uint8_t { kNumber, kTensor, kText, kStrings, kRagged, kDataset, kStructure };

  /// Calls `f` with a pointer to the member of `kind`.
  template <typename F>
  static void with_member(Kind kind, F&& f);
  [[noreturn]] void fail_not(const char* wanted) const;

  // A union rather than a std::variant, which every program that includes the header would instantiate.
  Kind kind_;
  union {
    Number number_;
    Tensor tensor_;
    Text text_;
    std::shared_ptr<const Strings> strings_;
    std::shared_ptr<const Ragged> ragged_;
    std::shared_ptr<const Stage> dataset_;
    std::shared_ptr<const Structure> structure_;  // null: the empty tuple
  };
};

/// A structure with the same names and new parts.
Element with_parts(const Element& like, std::vector<Element> parts);

/// The results of `f` for each leaf, in the same structure.
template <typename F>
Element map_leaves(const Element& element, F&& f) {
  if (!element.is_structure()) return f(element);
  std::vector<Element> parts;
  parts.reserve(element.size());
  for (const Element& part : element.parts()) parts.push_back(map_leaves(part, f));
  return with_parts(element, std::move(parts));
}

template <typename F>
void for_each_leaf(const Element& element, F&& f) {
  if (!element.is_structure()) {
    f(element);
    return;
  }
  for (const Element& part : element.parts()) for_each_leaf(part, f);
}

}  // namespace cornu::inline v0::data
