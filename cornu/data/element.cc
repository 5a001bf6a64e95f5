#include "cornu/data/element.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <set>

#include "cornu/base/check.h"
#include "cornu/io/byte_reader.h"

namespace cornu::inline v0::data {

Number Number::at(DType dtype, const std::byte* from) {
  Number number{.dtype = dtype};
  std::memcpy(&number.bits, from, ir::size_bytes(dtype));
  return number;
}

void Number::fail_without_type() const {
  fail(ErrorCode::kUnimplemented, "[data] a number of type {} has no C++ type; cast the tensor first",
       ir::numpy_name(dtype));
}

Text::Text(StringArgument text) {
  auto owner = std::make_shared<const std::string>(std::move(text));
  text_ = *owner;
  owner_ = std::move(owner);
}

namespace {

template <typename Texts>
std::shared_ptr<const Strings::Storage> stored(const Texts& texts) {
  auto storage = std::make_shared<Strings::Storage>();
  for (const auto& text : texts) storage->push(text);
  return storage;
}

std::int64_t num_elements(const Dims& shape) {
  std::int64_t count = 1;
  for (const std::int64_t extent : shape) count *= extent;
  return count;
}

}  // namespace

void Strings::Storage::push(StringViewArgument text) {
  bytes.append(text);
  offsets.push_back(bytes.size());
}

Strings::Strings() : shape_({0}), storage_(std::make_shared<Storage>()) {}
Strings::Strings(std::initializer_list<std::string_view> texts)
    : Strings({static_cast<std::int64_t>(texts.size())}, stored(texts)) {}
Strings::Strings(const std::vector<std::string>& texts)
    : Strings({static_cast<std::int64_t>(texts.size())}, stored(texts)) {}
Strings::Strings(Dims shape, const std::vector<std::string>& texts)
    : Strings(std::move(shape), stored(texts)) {}
Strings::Strings(Dims shape, std::shared_ptr<const Storage> storage, std::size_t first)
    : shape_(std::move(shape)), storage_(std::move(storage)), first_(first) {
  ir::check_type({DType::kU8, shape_});
  const std::size_t held = storage_->offsets.size() - 1;
  const auto wanted = static_cast<std::size_t>(num_elements(shape_));
  if (first > held || wanted > held - first)
    invalid_argument("[data] strings of shape {} need {} texts; got {}", ir::shape_str(shape_), wanted,
                     held - std::min(first, held));
}

std::int64_t Strings::size() const { return num_elements(shape_); }

std::vector<std::string> Strings::to_vector() const {
  std::vector<std::string> texts;
  texts.reserve(static_cast<std::size_t>(size()));
  for (std::int64_t i = 0; i < size(); ++i) texts.emplace_back((*this)[i]);
  return texts;
}

void Strings::push_back(StringViewArgument text) {
  if (shape_.size() != 1)
    invalid_argument("[strings] push_back needs texts of one axis; these have the shape {}",
                     ir::shape_str(shape_));
  if (!is_growing_ || storage_.use_count() != 1) {
    auto own = std::make_shared<Storage>();
    for (std::int64_t i = 0; i < shape_[0]; ++i) own->push((*this)[i]);
    own->push(text);  // `text` may be one of the shared texts
    storage_ = std::move(own);
    first_ = 0;
    is_growing_ = true;
  } else {
    std::atomic_thread_fence(std::memory_order_acquire);  // other owners have read it to the end
    const_cast<Storage&>(*storage_).push(text);           // made above, and not const
  }
  ++shape_[0];
}

Strings Strings::rows(std::int64_t begin, std::int64_t end) const {
  Dims shape = shape_;
  const std::int64_t row = num_elements({shape.begin() + 1, shape.end()});
  shape[0] = end - begin;
  return {std::move(shape), storage_, first_ + static_cast<std::size_t>(begin * row)};
}

Strings Strings::row(std::int64_t i) const {
  const Strings one = rows(i, i + 1);
  return {Dims(shape_.begin() + 1, shape_.end()), storage_, one.first_};
}

namespace {

std::int64_t num_values(const Element& values) {
  if (values.is_ragged()) return values.ragged().num_rows();
  const Dims shape = values.is_strings() ? values.strings().shape() : values.tensor().shape();
  if (shape.empty()) invalid_argument("[data] the values of ragged rows need an axis; got a scalar");
  return shape[0];
}

}  // namespace

Ragged::Ragged(Element values, std::vector<std::int64_t> row_splits) {
  const std::int64_t count = num_values(values);
  if (row_splits.empty() || row_splits.front() != 0 || row_splits.back() != count ||
      !std::is_sorted(row_splits.begin(), row_splits.end()))
    invalid_argument("[data] row_splits must ascend from 0 to the number of values, {}", count);
  values_ = std::make_shared<const Element>(std::move(values));
  row_splits_ = std::make_shared<const std::vector<std::int64_t>>(std::move(row_splits));
}

template <typename F>
void Element::with_member(Kind kind, F&& f) {
  switch (kind) {
    case Kind::kNumber: return f(&Element::number_);
    case Kind::kTensor: return f(&Element::tensor_);
    case Kind::kText: return f(&Element::text_);
    case Kind::kStrings: return f(&Element::strings_);
    case Kind::kRagged: return f(&Element::ragged_);
    case Kind::kDataset: return f(&Element::dataset_);
    case Kind::kStructure: return f(&Element::structure_);
  }
}

Element::Element(const Element& other) : kind_(other.kind_) {
  with_member(kind_, [&](auto member) { std::construct_at(&(this->*member), other.*member); });
}

Element::Element(Element&& other) noexcept : kind_(other.kind_) {
  with_member(kind_, [&](auto member) { std::construct_at(&(this->*member), std::move(other.*member)); });
}

Element& Element::operator=(const Element& other) { return *this = Element(other); }

Element& Element::operator=(Element&& other) noexcept {
  if (this == &other) return *this;
  std::destroy_at(this);
  return *std::construct_at(this, std::move(other));
}

Element::~Element() {
  with_member(kind_, [&](auto member) { std::destroy_at(&(this->*member)); });
}

Element::Element(Tensor tensor) : kind_(Kind::kTensor), tensor_(std::move(tensor)) {
  if (!tensor_.defined()) {
    std::destroy_at(&tensor_);
    invalid_argument("[data] an element cannot hold an undefined tensor");
  }
}

Element::Element(Text text) : kind_(Kind::kText), text_(std::move(text)) {}
Element::Element(Strings strings)
    : kind_(Kind::kStrings), strings_(std::make_shared<const Strings>(std::move(strings))) {}
Element::Element(Ragged ragged)
    : kind_(Kind::kRagged), ragged_(std::make_shared<const Ragged>(std::move(ragged))) {}
Element::Element(std::shared_ptr<const Stage> dataset)
    : kind_(Kind::kDataset), dataset_(std::move(dataset)) {}
Element::Element(std::initializer_list<Element> parts) : Element(std::vector<Element>(parts)) {}

Element::Element(std::vector<Element> parts)
    : kind_(Kind::kStructure),
      structure_(std::make_shared<const Structure>(Structure{.names = {}, .parts = std::move(parts)})) {}

Element::Element(std::initializer_list<Named> parts) : Element() {
  std::vector<std::string> names;
  std::vector<Element> values;
  for (const auto& [name, part] : parts) {
    names.push_back(name);
    values.push_back(part);
  }
  *this = Element(std::move(names), std::move(values));
}

Element::Element(std::vector<std::string> names, std::vector<Element> parts) : Element() {
  if (names.size() != parts.size())
    invalid_argument("[data] an element has {} names for {} parts", names.size(), parts.size());
  if (const std::set<std::string> distinct(names.begin(), names.end()); distinct.size() != names.size())
    invalid_argument("[data] the names of an element's parts must differ; got {}", fmt::join(names, ", "));
  structure_ =
      std::make_shared<const Structure>(Structure{.names = std::move(names), .parts = std::move(parts)});
}

void Element::fail_not(const char* wanted) const {
  invalid_argument("[data] this element is not {}: it is {}", wanted, type_str());
}

Tensor Element::tensor() const {
  if (kind_ == Kind::kTensor) return tensor_;
  if (!is_number()) fail_not("a tensor");
  std::byte* data = nullptr;
  Tensor scalar = Tensor::uninitialized({number_.dtype, {}}, 0, &data);
  std::memcpy(data, number_.bytes(), ir::size_bytes(number_.dtype));
  return scalar;
}

Number Element::number() const {
  if (is_number()) return number_;
  if (kind_ != Kind::kTensor || tensor_.num_elements() != 1 || !Number::holds(tensor_.dtype()))
    fail_not("a number");
  return Number::at(tensor_.dtype(), tensor_.bytes());
}

const Text& Element::shared_text() const {
  if (!is_text()) fail_not("a text");
  return text_;
}

std::string_view Element::text() const { return shared_text().view(); }

const Strings& Element::strings() const {
  if (!is_strings()) fail_not("strings");
  return *strings_;
}

const Ragged& Element::ragged() const {
  if (!is_ragged()) fail_not("ragged");
  return *ragged_;
}

const std::shared_ptr<const Stage>& Element::dataset() const {
  if (!is_dataset()) fail_not("a dataset");
  return dataset_;
}

std::span<const Element> Element::parts() const {
  if (!is_structure()) return {this, 1};
  return structure_ == nullptr ? std::span<const Element>() : structure_->parts;
}

const std::vector<std::string>& Element::names() const {
  static const auto& none = *new std::vector<std::string>();
  return is_structure() && structure_ != nullptr ? structure_->names : none;
}

const Element& Element::operator[](std::size_t i) const {
  if (i >= size()) fail(ErrorCode::kOutOfRange, "[data] an element of {} parts has no part {}", size(), i);
  return parts()[i];
}

const Element& Element::operator[](StringViewArgument name) const {
  const std::vector<std::string>& all = names();
  const auto found = std::find(all.begin(), all.end(), name);
  if (found == all.end())
    invalid_argument("[data] the element has no part \"{}\"; it is {}", name, type_str());
  return parts()[static_cast<std::size_t>(found - all.begin())];
}

std::size_t Element::size_bytes() const {
  std::size_t total = 0;
  for_each_leaf(*this, [&](const Element& leaf) {
    if (leaf.is_number())
      total += sizeof(Element);
    else if (leaf.is_numeric())
      total += leaf.tensor().type().size_bytes() + sizeof(Element);
    else if (leaf.is_text())
      total += leaf.text().size() + sizeof(Element);
    else if (leaf.is_ragged())
      total += leaf.ragged().values().size_bytes() + leaf.ragged().row_splits().size() * sizeof(std::int64_t);
    else if (leaf.is_strings())
      for (std::int64_t i = 0; i < leaf.strings().size(); ++i)
        total += leaf.strings()[i].size() + sizeof(std::size_t);
  });
  return total;
}

namespace {

/// A structure in Python's format, its leaves by `leaf`.
template <typename F>
std::string structure_str(const Element& element, F&& leaf) {
  if (!element.is_structure()) return leaf(element);
  const bool is_named = !element.names().empty();
  std::string text = is_named ? "{" : "(";
  for (std::size_t i = 0; i < element.size(); ++i) {
    if (i > 0) text += ", ";
    if (is_named) text += fmt::format("'{}': ", element.names()[i]);
    text += structure_str(element[i], leaf);
  }
  if (!is_named && element.size() == 1) text += ",";
  return text + (is_named ? "}" : ")");
}

std::string strings_str(const Strings& strings) {
  std::vector<std::string> texts;
  constexpr std::int64_t kShown = 6;
  for (std::int64_t i = 0; i < std::min(strings.size(), kShown); ++i)
    texts.push_back(fmt::format("'{}'", io::shown(strings[i])));
  if (strings.size() > kShown) texts.emplace_back("...");
  return fmt::format("[{}]", fmt::join(texts, " "));
}

std::string leaf_str(const Element& leaf) {
  if (leaf.is_numeric()) return leaf.tensor().str();
  if (leaf.is_text()) return fmt::format("'{}'", io::shown(leaf.text()));
  if (leaf.is_strings()) return strings_str(leaf.strings());
  if (leaf.is_ragged())
    return fmt::format("ragged([{}], {})", fmt::join(leaf.ragged().row_splits(), " "),
                       leaf.ragged().values().str());
  return "dataset";
}

std::string leaf_type_str(const Element& leaf) {
  if (leaf.is_number()) return fmt::format("{} ()", ir::numpy_name(leaf.number().dtype));
  if (leaf.is_numeric())
    return fmt::format("{} {}", ir::numpy_name(leaf.tensor().dtype()), ir::shape_str(leaf.tensor().shape()));
  if (leaf.is_text()) return "string ()";
  if (leaf.is_strings()) return fmt::format("string {}", ir::shape_str(leaf.strings().shape()));
  if (leaf.is_ragged())
    return fmt::format("ragged ({} rows) of {}", leaf.ragged().num_rows(), leaf.ragged().values().type_str());
  return "dataset";
}

}  // namespace

std::string Element::str() const { return structure_str(*this, leaf_str); }
std::string Element::type_str() const { return structure_str(*this, leaf_type_str); }

Element with_parts(const Element& like, std::vector<Element> parts) {
  if (like.names().empty()) return Element(std::move(parts));
  return Element(like.names(), std::move(parts));
}

}  // namespace cornu::inline v0::data
