#include "cornu/data/position.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/checked_size.h"
#include "cornu/data/stages/elements_stage.h"

namespace cornu::inline v0::data {
namespace {

// Tags of elements.
constexpr std::uint8_t kNumber = 0, kTensor = 1, kText = 2, kStrings = 3, kRagged = 4, kDataset = 5,
                       kTuple = 6, kNamed = 7;

constexpr int kMaxDepth = 64;

}  // namespace

void PositionWriter::write_dims(const Dims& dims) { write(std::span<const std::int64_t>(dims)); }

void PositionWriter::write_strings(const Strings& strings) {
  write_dims(strings.shape());
  for (std::int64_t i = 0; i < strings.size(); ++i) write_text(strings[i]);
}

void PositionWriter::write_leaf(const Element& leaf) {
  if (leaf.is_number()) {
    const Number number = leaf.number();
    write(kNumber);
    write(static_cast<std::uint8_t>(number.dtype));
    write(number.bits);
  } else if (leaf.is_numeric()) {
    const Tensor tensor = leaf.tensor();
    write(kTensor);
    write(static_cast<std::uint8_t>(tensor.dtype()));
    write_dims(tensor.shape());
    append(tensor.bytes(), tensor.type().size_bytes());
  } else if (leaf.is_text()) {
    write(kText);
    write_text(leaf.text());
  } else if (leaf.is_strings()) {
    write(kStrings);
    write_strings(leaf.strings());
  } else if (leaf.is_ragged()) {
    write(kRagged);
    write(std::span<const std::int64_t>(leaf.ragged().row_splits()));
    write(leaf.ragged().values());
  } else {
    write(kDataset);
    write(Element(elements_of(*leaf.dataset())));
  }
}

void PositionWriter::write(const Element& element) {
  if (!element.is_structure()) {
    write_leaf(element);
    return;
  }
  write(element.names().empty() ? kTuple : kNamed);
  write(static_cast<std::uint64_t>(element.size()));
  for (const std::string& name : element.names()) write_text(name);
  for (const Element& part : element.parts()) write(part);
}

void PositionReader::begin(std::string_view stage) {
  const std::string_view found = read_text();
  if (found == stage) return;
  invalid_argument(
      "[data] the position belongs to another pipeline: it was saved at \"{}\", where this one has \"{}\"",
      io::shown(found), stage);
}

std::string_view PositionReader::read_text() {
  const auto size = read<std::uint64_t>();
  return reader_.take_text(size, "a text");
}

std::int64_t PositionReader::read_between(std::int64_t low, std::int64_t high) {
  const auto value = read<std::int64_t>();
  if (value < low || value > high) corrupt(fmt::format("{} is not in [{}, {}]", value, low, high));
  return value;
}

Dims PositionReader::read_dims() {
  Dims dims = read_items<std::int64_t>();
  for (const std::int64_t extent : dims)
    if (extent < 0) corrupt("a negative extent");
  if (dims.size() > 64 || CheckedSize::product(dims).is_beyond()) corrupt("extents that are too large");
  return dims;
}

DType PositionReader::read_dtype() {
  const auto number = read<std::uint8_t>();
  if (number > static_cast<std::uint8_t>(DType::kF8E8M0FNU)) corrupt("an unknown dtype");
  const auto dtype = static_cast<DType>(number);
  // Not every byte is a value of a type of fewer bits.
  if (ir::bit_width(dtype) < 8 && dtype != DType::kI1) corrupt("a dtype of less than a byte");
  return dtype;
}

void PositionReader::check_booleans(DType dtype, std::span<const std::byte> values) const {
  if (dtype == DType::kI1 &&
      std::any_of(values.begin(), values.end(), [](std::byte value) { return value > std::byte{1}; }))
    corrupt("a boolean that is neither 0 nor 1");
}

Element PositionReader::read_strings() {
  Dims dims = read_dims();
  const std::int64_t count = CheckedSize::product(dims).value("strings");
  if (static_cast<std::uint64_t>(count) > reader_.remaining()) corrupt("more texts than bytes");
  auto storage = std::make_shared<Strings::Storage>();
  for (std::int64_t i = 0; i < count; ++i) storage->push(read_text());
  return Strings(std::move(dims), std::move(storage));
}

Element PositionReader::read_leaf(std::uint8_t kind, int depth) {
  switch (kind) {
    case kNumber: {
      const Number number{.dtype = read_dtype(), .bits = read<std::uint64_t>()};
      if (!Number::holds(number.dtype)) corrupt("a number of more than eight bytes");
      check_booleans(number.dtype, {number.bytes(), 1});
      return number;
    }
    case kTensor: {
      TensorType type{read_dtype(), {}};
      type.dims = read_dims();
      const CheckedSize size = CheckedSize::product(type.dims) * ir::size_bytes(type.dtype);
      if (size.exceeds(static_cast<std::int64_t>(reader_.remaining()))) corrupt("a tensor that is cut off");
      const auto bytes = reader_.take(type.size_bytes(), "a tensor");
      check_booleans(type.dtype, bytes);
      std::byte* data = nullptr;
      Tensor tensor = Tensor::uninitialized(type, 0, &data);
      if (!bytes.empty()) std::memcpy(data, bytes.data(), bytes.size());
      return tensor;
    }
    case kText: return Text(std::string(read_text()));
    case kStrings: return read_strings();
    case kRagged: {
      std::vector<std::int64_t> splits = read_items<std::int64_t>();
      return Ragged(read_element(depth + 1), std::move(splits));
    }
    case kDataset: {
      Element elements = read_element(depth + 1);
      return elements_stage({elements.parts().begin(), elements.parts().end()});
    }
    default: corrupt("an unknown kind of element");
  }
}

// Errors of constructing elements are reported as damage.
Element PositionReader::read_element() {
  try {
    return read_element(0);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kInvalidArgument) throw;
    corrupt(error.what());
  }
}

Element PositionReader::read_element(int depth) {
  if (depth > kMaxDepth) corrupt("elements nested too deeply");
  const auto kind = read<std::uint8_t>();
  if (kind != kTuple && kind != kNamed) return read_leaf(kind, depth);
  const auto count = read<std::uint64_t>();
  if (count > reader_.remaining()) corrupt("more parts than bytes");
  std::vector<std::string> names;
  std::vector<Element> parts;
  if (kind == kNamed)
    for (std::uint64_t i = 0; i < count; ++i) names.emplace_back(read_text());
  parts.reserve(std::min<std::size_t>(count, reader_.remaining() / sizeof(Element)));
  for (std::uint64_t i = 0; i < count; ++i) parts.push_back(read_element(depth + 1));
  if (kind == kTuple) return Element(std::move(parts));
  return Element(std::move(names), std::move(parts));
}

std::vector<std::byte> element_bytes(const Element& element) {
  PositionWriter writer;
  writer.write(element);
  return writer.take();
}

Element parse_element(std::span<const std::byte> bytes, std::string_view name) {
  PositionReader reader(bytes, name);
  Element element = reader.read_element();
  reader.expect_end();
  return element;
}

}  // namespace cornu::inline v0::data
