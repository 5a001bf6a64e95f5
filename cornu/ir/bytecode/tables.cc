#include "cornu/ir/bytecode/tables.h"

#include <algorithm>

#include "cornu/base/check.h"
#include "cornu/ir/bytecode/sections.h"

namespace cornu::inline v0::ir::bytecode {
namespace {

/// The dialects, and the letters by which the tables here remember them.
constexpr std::string_view kDialects[] = {"builtin", "vhlo"};
constexpr char kBuiltin = 0, kVhlo = 1;

/// Names the version of VHLO that the ops and attributes belong to: it has all that Cornu writes.
constexpr std::string_view kProducer = "StableHLO_v1.7.0";

/// Codes of MLIR's own attributes.
enum class BuiltinAttribute : std::uint8_t {
  kDictionary = 1,
  kString = 2,
  kNamedLocation = 14,
  kUnknownLocation = 15
};

ByteWriter begin_attribute(AttributeCode code) {
  return ByteWriter().varint(static_cast<std::uint64_t>(code));
}
ByteWriter begin_attribute(BuiltinAttribute code) {
  return ByteWriter().varint(static_cast<std::uint64_t>(code));
}

/// The buffer of MLIR's dense attributes: one element for all if they are equal; bits for i1.
std::string buffer_of(const Literal& value) {
  const std::string_view bytes(reinterpret_cast<const char*>(value.bytes().data()), value.bytes().size());
  const auto count = static_cast<std::size_t>(value.type().num_elements());
  if (count == 0) return "";
  const bool is_i1 = value.type().dtype == DType::kI1;
  if (value.is_splat())
    return is_i1 ? std::string(1, bytes[0] != 0 ? '\xff' : '\0')
                 : std::string(bytes.substr(0, bytes.size() / count));
  if (!is_i1) return std::string(bytes);
  std::string packed((count + 7) / 8, '\0');
  for (std::size_t i = 0; i < count; ++i)
    if (bytes[i] != 0) packed[i / 8] = static_cast<char>(packed[i / 8] | 1 << i % 8);
  return packed;
}

void append_section(ByteWriter& file, Section section, std::string_view content) {
  file.byte(static_cast<std::uint8_t>(section)).varint(content.size()).append(content);
}

/// Appends runs of equal dialects: dialect, length and `append(i)` for each entry.
template <typename Append>
void append_groups(ByteWriter& out, const NumberedTexts& entries, const Append& append) {
  for (std::size_t first = 0; first < entries.size();) {
    std::size_t last = first;
    while (last < entries.size() && entries[last][0] == entries[first][0]) ++last;
    out.varint(static_cast<std::uint64_t>(entries[first][0])).varint(last - first);
    for (; first < last; ++first) append(first);
  }
}

}  // namespace

std::size_t Tables::vhlo(const ByteWriter& encoding) { return attributes_.number(kVhlo + encoding.bytes()); }
std::size_t Tables::builtin(const ByteWriter& encoding) {
  return attributes_.number(kBuiltin + encoding.bytes());
}

std::size_t Tables::op_name(std::string_view dialect, std::string_view name) {
  return op_names_.number((dialect == kDialects[0] ? kBuiltin : kVhlo) + std::string(name));
}

std::size_t Tables::element_type(std::string_view name) {
  constexpr std::string_view kComplex = "complex<";
  if (name.starts_with(kComplex)) {
    const std::size_t part = element_type(name.substr(kComplex.size(), name.size() - kComplex.size() - 1));
    return type(ByteWriter().varint(static_cast<std::uint64_t>(TypeCode::kComplex)).varint(part));
  }
  const std::optional<std::uint64_t> code = element_type_code(name);
  CORNU_CHECK(code.has_value(), "VHLO has no type {}", name);
  return type(ByteWriter().varint(*code));
}

std::size_t Tables::tensor_type(const TensorType& tensor) {
  const std::size_t element = element_type(stablehlo_name(tensor.dtype));
  ByteWriter encoding;
  encoding.varint(static_cast<std::uint64_t>(TypeCode::kTensor)).varint(tensor.dims.size());
  for (const std::int64_t extent : tensor.dims) encoding.signed_varint(extent);
  return type(encoding.varint(element));
}

std::size_t Tables::function_type(std::span<const TensorType> arguments,
                                  std::span<const TensorType> results) {
  ByteWriter encoding;
  encoding.varint(static_cast<std::uint64_t>(TypeCode::kFunction));
  for (const std::span<const TensorType> types : {arguments, results}) {
    encoding.varint(types.size());
    for (const TensorType& each : types) encoding.varint(tensor_type(each));
  }
  return type(encoding);
}

std::size_t Tables::boolean(bool value) {
  return vhlo(begin_attribute(AttributeCode::kBoolean).varint(value ? 1 : 0));
}

std::size_t Tables::integer(std::int64_t value, std::string_view type) {
  return vhlo(begin_attribute(AttributeCode::kInteger).varint(element_type(type)).signed_varint(value));
}

std::size_t Tables::floating(double value, DType type) {
  const Literal literal = Literal::scalar(type, value);
  std::uint64_t bits = 0;
  std::copy(literal.bytes().begin(), literal.bytes().end(), reinterpret_cast<std::byte*>(&bits));
  return vhlo(begin_attribute(AttributeCode::kFloat)
                  .varint(element_type(stablehlo_name(type)))
                  .signed_varint(static_cast<std::int64_t>(bits)));
}

std::size_t Tables::text(std::string_view value) {
  return vhlo(begin_attribute(AttributeCode::kString).varint(string(value)));
}

std::size_t Tables::literal(const Literal& value) {
  const std::string buffer = buffer_of(value);
  return vhlo(begin_attribute(AttributeCode::kTensor)
                  .varint(tensor_type(value.type()))
                  .varint(buffer.size())
                  .append(buffer));
}

std::size_t Tables::integers(std::span<const std::int64_t> values) {
  Literal literal(TensorType{DType::kI64, {static_cast<std::int64_t>(values.size())}});
  std::copy(values.begin(), values.end(), literal.mutable_data<std::int64_t>().begin());
  return this->literal(literal);
}

std::size_t Tables::array(std::span<const std::size_t> items) {
  ByteWriter encoding = begin_attribute(AttributeCode::kArray).varint(items.size());
  for (const std::size_t item : items) encoding.varint(item);
  return vhlo(encoding);
}

std::size_t Tables::dictionary(std::span<const std::pair<std::string, std::size_t>> entries) {
  ByteWriter encoding = begin_attribute(AttributeCode::kDictionary).varint(entries.size());
  for (const auto& [name, value] : entries) encoding.varint(text(name)).varint(value);
  return vhlo(encoding);
}

std::size_t Tables::enumerator(AttributeCode code, std::string_view name) {
  const std::span<const std::string_view> names = enumeration(code);
  const auto found = std::find(names.begin(), names.end(), name);
  CORNU_CHECK(found != names.end(), "an enumeration of VHLO has no value {}", name);
  return vhlo(begin_attribute(code).varint(static_cast<std::uint64_t>(found - names.begin())));
}

std::size_t Tables::type_attribute(std::size_t type) {
  return vhlo(begin_attribute(AttributeCode::kType).varint(type));
}

std::size_t Tables::no_type() {
  return type_attribute(type(ByteWriter().varint(static_cast<std::uint64_t>(TypeCode::kNone))));
}

std::size_t Tables::any(const Attribute& value) {
  struct Visitor {
    Tables& tables;
    std::size_t operator()(bool given) const { return tables.boolean(given); }
    std::size_t operator()(std::int64_t given) const { return tables.integer(given); }
    std::size_t operator()(double given) const { return tables.floating(given, DType::kF64); }
    std::size_t operator()(const std::string& given) const { return tables.text(given); }
    std::size_t operator()(const std::vector<std::int64_t>& given) const { return tables.integers(given); }
    std::size_t operator()(const Literal& given) const { return tables.literal(given); }
    std::size_t operator()(DType given) const {
      return tables.type_attribute(tables.element_type(stablehlo_name(given)));
    }
  };
  return std::visit(Visitor{*this}, value);
}

std::size_t Tables::builtin_text(std::string_view value) {
  return builtin(begin_attribute(BuiltinAttribute::kString).varint(string(value)));
}

std::size_t Tables::builtin_dictionary(std::span<const std::pair<std::string, std::size_t>> entries) {
  ByteWriter encoding = begin_attribute(BuiltinAttribute::kDictionary).varint(entries.size());
  for (const auto& [name, value] : entries) encoding.varint(builtin_text(name)).varint(value);
  return builtin(encoding);
}

std::size_t Tables::location(std::string_view name) {
  const std::size_t unknown = builtin(begin_attribute(BuiltinAttribute::kUnknownLocation));
  if (name.empty()) return unknown;
  return builtin(
      begin_attribute(BuiltinAttribute::kNamedLocation).varint(builtin_text(name)).varint(unknown));
}

std::string Tables::dialect_section() {
  ByteWriter out;
  out.varint(std::size(kDialects));
  for (const std::string_view dialect : kDialects) out.varint_with_flag(string(dialect), false);
  out.varint(op_names_.size());
  append_groups(out, op_names_,
                [&](std::size_t i) { out.varint_with_flag(string(op_names_[i].substr(1)), true); });
  return out.bytes();
}

std::string Tables::string_section() const {
  ByteWriter out;
  out.varint(strings_.size());
  for (std::size_t i = strings_.size(); i-- > 0;) out.varint(strings_[i].size() + 1);  // in reverse order
  for (std::size_t i = 0; i < strings_.size(); ++i) out.append(strings_[i]).byte(0);
  return out.bytes();
}

/// The entries of attributes and types, and their sizes.
std::pair<std::string, std::string> Tables::entry_sections() const {
  ByteWriter sizes, entries;
  sizes.varint(attributes_.size()).varint(types_.size());
  append_groups(sizes, attributes_, [&](std::size_t i) {
    const std::string_view encoding = attributes_[i].substr(1);
    sizes.varint_with_flag(encoding.size(), true);
    entries.append(encoding);
  });
  if (types_.size() > 0) sizes.varint(static_cast<std::uint64_t>(kVhlo)).varint(types_.size());
  for (std::size_t i = 0; i < types_.size(); ++i) {
    sizes.varint_with_flag(types_[i].size(), true);
    entries.append(types_[i]);
  }
  return {sizes.bytes(), entries.bytes()};
}

std::string Tables::property_section() const {
  ByteWriter out;
  out.varint(properties_.size());
  for (std::size_t i = 0; i < properties_.size(); ++i)
    out.varint(properties_[i].size()).append(properties_[i]);
  return out.bytes();
}

std::string Tables::file(std::string_view top) {
  const std::string dialects = dialect_section();
  const auto [sizes, entries] = entry_sections();
  ByteWriter file;
  file.append(kMagic).varint(kNewestVersion).append(kProducer).byte(0);
  append_section(file, Section::kDialects, dialects);
  append_section(file, Section::kAttributeAndTypeSizes, sizes);
  append_section(file, Section::kAttributesAndTypes, entries);
  append_section(file, Section::kOps, top);
  append_section(file, Section::kStrings, string_section());
  append_section(file, Section::kProperties, property_section());
  return file.bytes();
}

}  // namespace cornu::inline v0::ir::bytecode
