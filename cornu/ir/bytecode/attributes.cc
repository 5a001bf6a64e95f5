#include "cornu/ir/bytecode/attributes.h"

#include <charconv>
#include <cstring>
#include <limits>

#include "cornu/base/check.h"
#include "cornu/ir/bytecode/vhlo.h"
#include "cornu/ir/token.h"

namespace cornu::inline v0::ir::bytecode {
namespace {

using text::Syntax;
using text::SyntaxKind;

/// The codes of MLIR's own attributes.
enum class BuiltinCode : std::uint8_t {
  kArray = 0,
  kDictionary = 1,
  kString = 2,
  kTypedString = 3,
  kSymbol = 4,
  kUnit = 7,
  kInteger = 8,
  kFloat = 9,
  kNamedLocation = 14,
  kUnknownLocation = 15,
};

/// The width in a name such as "ui32"; 0 if it is no integer's.
int integer_width(std::string_view name) {
  if (name == "index") return 64;
  if (name.starts_with('u')) name.remove_prefix(1);
  int width = 0;
  if (name.starts_with('i')) std::from_chars(name.data() + 1, name.data() + name.size(), width);
  return width > 64 ? 0 : width;
}

/// Bits of a number of a known width: one byte for up to eight, a signed number for more.
std::uint64_t read_bits(ByteReader& bytes, int width) {
  return width <= 8 ? bytes.byte() : static_cast<std::uint64_t>(bytes.signed_varint());
}

Syntax make(SyntaxKind kind) {
  Syntax syntax;
  syntax.kind = kind;
  return syntax;
}

/// True for the encoding of a token: VHLO's, or StableHLO's, which Shardy's ops have.
bool is_token(std::string_view dialect, ByteReader bytes) {
  constexpr std::uint64_t kStablehloToken = 0;
  const std::uint64_t code = bytes.varint();
  if (dialect == "stablehlo") return code == kStablehloToken;
  return dialect == "vhlo" && code == static_cast<std::uint64_t>(TypeCode::kToken);
}

}  // namespace

AttributeReader::AttributeReader(const Sections& sections, const text::Source& source,
                                 text::ReadBudget& budget)
    : sections_(sections), source_(source), budget_(budget) {
  constexpr std::size_t kSizePerByte = 64, kLeastSize = 1 << 16;
  size_left_ = kLeastSize + kSizePerByte * source.size();
  budget_.take_bytes(sections.types().size() * sizeof types_[0]);
  types_.resize(sections.types().size());
}

/// Counts nodes, numbers or blocks of text; each takes some bytes of the file where it is used for one op.
void AttributeReader::take_size(std::size_t num_units, std::size_t position) {
  constexpr std::size_t kFewNodes = 1024;
  if (num_units > size_left_ || budget_.num_nodes > kFewNodes + source_.size())
    source_.fail_at(position, "the attributes are too large for a program of this size");
  size_left_ -= num_units;
}

std::optional<Syntax> AttributeReader::value(std::size_t number) {
  const Sections::Entry& entry = sections_.attributes()[number];
  const text::Level level(source_, entry.begin, budget_);
  budget_.take_node();
  take_size(1, entry.begin);
  std::optional<Syntax> syntax = read_value(number, entry);
  if (syntax.has_value()) {
    syntax->begin = entry.begin;
    syntax->end = entry.end;
  }
  return syntax;
}

std::optional<Syntax> AttributeReader::read_value(std::size_t number, const Sections::Entry& entry) {
  if (entry.is_text && !is_shardy(entry)) return make(SyntaxKind::kOther);
  ByteReader bytes = open(entry);
  if (is_vhlo(entry)) return read_vhlo(number, bytes);
  if (sections_.dialect(entry.dialect) == "builtin") return read_builtin(bytes);
  Syntax other = make(SyntaxKind::kOther);
  if (is_shardy(entry)) other.text = shardy_text(number);
  return other;
}

std::optional<Syntax> AttributeReader::read_vhlo(std::size_t number, ByteReader& bytes) {
  const std::size_t at = bytes.position();
  const std::uint64_t code = bytes.varint();
  switch (static_cast<AttributeCode>(code)) {
    case AttributeCode::kArray: return read_array(bytes);
    case AttributeCode::kBoolean: {
      Syntax syntax = make(SyntaxKind::kBool);
      syntax.integer = bytes.varint() != 0 ? 1 : 0;
      return syntax;
    }
    case AttributeCode::kDictionary: return read_dictionary(bytes);
    case AttributeCode::kFloat: return read_float(bytes);
    case AttributeCode::kInteger: return read_integer(bytes);
    case AttributeCode::kString: return read_text(bytes, SyntaxKind::kString);
    case AttributeCode::kTensor: return read_literal(number, bytes);
    case AttributeCode::kType: return read_type(bytes);
    case AttributeCode::kResultAccuracy: return read_accuracy(bytes);
    // Results of custom calls have memory of their own.
    case AttributeCode::kOutputOperandAlias: return make(SyntaxKind::kOther);
    case AttributeCode::kComparisonType: {
      Syntax syntax = read_enumeration(code, bytes);
      if (syntax.text == "NOTYPE") return std::nullopt;
      return syntax;
    }
    default: break;
  }
  if (code <= std::numeric_limits<std::uint8_t>::max() && !enumeration(AttributeCode(code)).empty())
    return read_enumeration(code, bytes);
  source_.fail_at(at, Error(ErrorCode::kUnimplemented,
                            fmt::format("attributes of VHLO with the code {} are not supported", code)));
}

std::optional<Syntax> AttributeReader::read_builtin(ByteReader& bytes) {
  switch (static_cast<BuiltinCode>(bytes.varint())) {
    case BuiltinCode::kArray: return read_array(bytes);
    case BuiltinCode::kDictionary: return read_dictionary(bytes);
    case BuiltinCode::kString:
    case BuiltinCode::kTypedString: return read_text(bytes, SyntaxKind::kString);
    case BuiltinCode::kSymbol: {
      std::optional<Syntax> name = value(read_attribute_number(bytes));
      if (name.has_value()) name->kind = SyntaxKind::kSymbol;
      return name;
    }
    case BuiltinCode::kUnit: {
      Syntax syntax = make(SyntaxKind::kBool);
      syntax.integer = 1;
      return syntax;
    }
    case BuiltinCode::kInteger: return read_integer(bytes);
    case BuiltinCode::kFloat: return read_float(bytes);
    default: return make(SyntaxKind::kOther);
  }
}

Syntax AttributeReader::read_array(ByteReader& bytes) {
  Syntax list = make(SyntaxKind::kList);
  bool are_integers = true;
  for (std::size_t left = bytes.count("elements"); left > 0; --left) {
    std::optional<Syntax> item = value(read_attribute_number(bytes));
    if (!item.has_value()) item = make(SyntaxKind::kOther);
    are_integers = are_integers && (item->is(SyntaxKind::kInteger) || item->is(SyntaxKind::kBool));
    list.items.push_back(std::move(*item));
  }
  if (!are_integers) return list;
  Syntax integers = make(SyntaxKind::kIntegers);
  budget_.take_bytes(list.items.size() * sizeof(std::int64_t));
  for (const Syntax& item : list.items) integers.integers.push_back(item.integer);
  return integers;
}

Syntax AttributeReader::read_dictionary(ByteReader& bytes) {
  Syntax fields = make(SyntaxKind::kFields);
  for (std::size_t left = bytes.count("entries"); left > 0; --left) {
    const std::size_t at = bytes.position();
    const std::optional<Syntax> name = value(read_attribute_number(bytes));
    if (!name.has_value() || !name->is(SyntaxKind::kString))
      source_.fail_at(at, "the name of an attribute must be a string");
    std::optional<Syntax> item = value(read_attribute_number(bytes));
    if (!item.has_value()) continue;
    // VHLO has one encoding for array<i64: 1> and dense<1> : tensor<1xi64>; attributes of composites are
    // lists.
    if (item->is(SyntaxKind::kLiteral) && item->literal->type().rank() == 1 &&
        item->literal->type().dtype == DType::kI64) {
      const std::span<const std::int64_t> values = item->literal->data<std::int64_t>();
      take_size(values.size(), at);
      budget_.take_bytes(values.size_bytes());
      item->kind = SyntaxKind::kIntegers;
      item->integers.assign(values.begin(), values.end());
    }
    fields.fields.push_back({name->text, std::move(*item)});
  }
  return fields;
}

Syntax AttributeReader::read_enumeration(std::uint64_t code, ByteReader& bytes) {
  const auto names = enumeration(static_cast<AttributeCode>(code));
  const std::size_t at = bytes.position();
  const std::uint64_t i = bytes.varint();
  if (i >= names.size() || names[static_cast<std::size_t>(i)].empty())
    source_.fail_at(at, fmt::format("an enumeration has no value {}", i));
  Syntax syntax = make(SyntaxKind::kWord);
  syntax.text = names[static_cast<std::size_t>(i)];
  // StableHLO's text has a number in place of this name.
  if (static_cast<AttributeCode>(code) == AttributeCode::kCustomCallApiVersion)
    syntax.kind = SyntaxKind::kInteger;
  syntax.integer = static_cast<std::int64_t>(i);
  return syntax;
}

Syntax AttributeReader::read_integer(ByteReader& bytes) {
  const std::size_t at = bytes.position();
  const std::string type = read_element_name(bytes);
  const int width = integer_width(type);
  if (width == 0) source_.fail_at(at, "a whole number has a type that is no integer's");
  const int unused = 64 - width;
  const std::uint64_t bits = read_bits(bytes, width) << unused;
  Syntax syntax = make(width == 1 ? SyntaxKind::kBool : SyntaxKind::kInteger);
  const bool is_signed = !type.starts_with('u') && width > 1;
  syntax.integer =
      is_signed ? static_cast<std::int64_t>(bits) >> unused : static_cast<std::int64_t>(bits >> unused);
  return syntax;
}

Syntax AttributeReader::read_float(ByteReader& bytes) {
  const std::string type = read_element_name(bytes);
  const std::optional<DType> dtype = dtype_from_name(type);
  if (!dtype.has_value() || !is_float(*dtype)) return make(SyntaxKind::kOther);
  const std::uint64_t bits = read_bits(bytes, bit_width(*dtype));
  Literal literal(TensorType{*dtype, {}});
  std::memcpy(literal.mutable_bytes().data(), &bits, literal.bytes().size());  // x86-64 is little-endian
  Syntax syntax = make(SyntaxKind::kFloat);
  syntax.number = literal.at(0);
  return syntax;
}

Syntax AttributeReader::read_text(ByteReader& bytes, SyntaxKind kind) {
  constexpr std::size_t kBytesPerUnit = 16;
  const std::size_t at = bytes.position();
  Syntax syntax = make(kind);
  const std::string_view string = sections_.read_string(bytes);
  take_size(string.size() / kBytesPerUnit, at);
  budget_.take_bytes(string.size());
  syntax.text = string;
  return syntax;
}

Syntax AttributeReader::read_literal(std::size_t number, ByteReader& bytes) {
  Syntax syntax = make(SyntaxKind::kLiteral);
  auto found = literals_.find(number);
  if (found == literals_.end()) {
    const TensorType type = make_tensor_type(bytes.index(sections_.types().size(), "type"), true);
    budget_.take_value(type);
    const std::size_t at = bytes.position();
    const std::string_view data = bytes.bytes(bytes.varint());
    const auto* first = reinterpret_cast<const std::byte*>(data.data());
    Literal literal = text::literal_from_bytes(source_, budget_, type, {first, data.size()}, at);
    found = literals_.emplace(number, std::move(literal)).first;
  }
  syntax.literal = found->second;  // shares the bytes
  return syntax;
}

std::optional<Syntax> AttributeReader::read_type(ByteReader& bytes) {
  const std::size_t number = bytes.index(sections_.types().size(), "type");
  const Sections::Entry& entry = sections_.types()[number];
  if (!entry.is_text && is_vhlo(entry) && open(entry).varint() == static_cast<std::uint64_t>(TypeCode::kNone))
    return std::nullopt;
  const std::optional<DType> dtype = dtype_from_name(element_name(number));
  Syntax syntax = make(dtype.has_value() ? SyntaxKind::kType : SyntaxKind::kOther);
  if (dtype.has_value()) syntax.dtype = *dtype;
  return syntax;
}

/// The accuracy of exponential and others: only the default means nothing.
std::optional<Syntax> AttributeReader::read_accuracy(ByteReader& bytes) {
  const std::size_t at = bytes.position();
  const std::int64_t atol = bytes.signed_varint(), rtol = bytes.signed_varint(), ulps = bytes.signed_varint();
  const std::optional<Syntax> mode = value(read_attribute_number(bytes));
  if (atol == 0 && rtol == 0 && ulps == 0 && mode.has_value() && mode->text == "DEFAULT") return std::nullopt;
  source_.fail_at(at, Error(ErrorCode::kUnimplemented,
                            "a result_accuracy other than the default is not supported: leave it out"));
}

NamedAttributes AttributeReader::dictionary(std::size_t number) {
  const Sections::Entry& entry = sections_.attributes()[number];
  ByteReader bytes = open(entry);
  if (entry.is_text || sections_.dialect(entry.dialect) != "builtin" ||
      bytes.varint() != static_cast<std::uint64_t>(BuiltinCode::kDictionary))
    source_.fail_at(entry.begin, "expected the dictionary of an operation's attributes");
  NamedAttributes found;
  for (std::size_t left = bytes.count("entries"); left > 0; --left) {
    const std::size_t at = bytes.position();
    const std::optional<Syntax> name = value(read_attribute_number(bytes));
    if (!name.has_value() || !name->is(SyntaxKind::kString))
      source_.fail_at(at, "the name of an attribute must be a string");
    found.emplace_back(name->text, read_attribute_number(bytes));
  }
  return found;
}

std::string AttributeReader::location_name(std::size_t number) {
  constexpr std::size_t kLongestName = 256;  // a short file could use a long name for many ops
  const Sections::Entry& entry = sections_.attributes()[number];
  if (entry.is_text || sections_.dialect(entry.dialect) != "builtin") return "";
  ByteReader bytes = open(entry);
  if (bytes.varint() != static_cast<std::uint64_t>(BuiltinCode::kNamedLocation)) return "";
  const Sections::Entry& name = sections_.attributes()[read_attribute_number(bytes)];
  const Sections::Entry& rest = sections_.attributes()[read_attribute_number(bytes)];
  if (name.is_text || rest.is_text ||
      open(rest).varint() != static_cast<std::uint64_t>(BuiltinCode::kUnknownLocation))
    return "";
  ByteReader of_name = open(name);
  if (of_name.varint() != static_cast<std::uint64_t>(BuiltinCode::kString)) return "";
  const std::string_view found = sections_.read_string(of_name);
  if (found.size() > kLongestName) return "";
  budget_.take_bytes(found.size());
  return std::string(found);
}

std::vector<TensorType> AttributeReader::function_results(std::size_t number) {
  const Sections::Entry& entry = sections_.attributes()[number];
  ByteReader bytes = open(entry);
  if (entry.is_text || !is_vhlo(entry) || bytes.varint() != static_cast<std::uint64_t>(AttributeCode::kType))
    source_.fail_at(entry.begin, "expected a function's type");
  const Sections::Entry& type = sections_.types()[bytes.index(sections_.types().size(), "type")];
  bytes = open(type);
  if (type.is_text || !is_vhlo(type) || bytes.varint() != static_cast<std::uint64_t>(TypeCode::kFunction))
    source_.fail_at(type.begin, "expected a function's type");
  for (std::size_t left = bytes.count("arguments"); left > 0; --left)
    bytes.index(sections_.types().size(), "type");
  std::vector<TensorType> results;
  for (std::size_t left = bytes.count("results"); left > 0; --left) {
    const std::size_t result = bytes.index(sections_.types().size(), "type");
    if (const std::optional<std::vector<TensorType>> elements = tuple_types(result)) {
      results.insert(results.end(), elements->begin(), elements->end());
      continue;
    }
    results.push_back(tensor_type(result));
    budget_.take_value(results.back());
  }
  return results;
}

const TensorType& AttributeReader::tensor_type(std::size_t number) {
  std::optional<TensorType>& type = types_[number];
  if (!type.has_value()) {
    type = make_tensor_type(number);
    budget_.take_value(*type);
  }
  return *type;
}

std::optional<std::vector<TensorType>> AttributeReader::tuple_types(std::size_t number) {
  const Sections::Entry& entry = sections_.types()[number];
  if (entry.is_text || !is_vhlo(entry)) return std::nullopt;
  ByteReader bytes = open(entry);
  if (bytes.varint() != static_cast<std::uint64_t>(TypeCode::kTuple)) return std::nullopt;
  std::vector<TensorType> types;
  for (std::size_t left = bytes.count("elements"); left > 0; --left) {
    text::take_tuple_elements(source_, entry.begin, budget_, 1);
    types.push_back(read_tensor_type(bytes));
    budget_.take_value(types.back());
  }
  return types;
}

/// Layouts of custom calls have elements of `index`, which no value has: they are read as i64.
TensorType AttributeReader::make_tensor_type(std::size_t number, bool is_of_literal) const {
  const Sections::Entry& entry = sections_.types()[number];
  const auto refuse = [&](const std::string& what) {
    source_.fail_at(entry.begin, Error(ErrorCode::kUnimplemented, what));
  };
  // Shardy's ops have MLIR's own types.
  constexpr std::uint64_t kBuiltinTensor = 13;
  const std::string_view dialect = sections_.dialect(entry.dialect);
  const bool is_builtin = dialect == "builtin";
  if (!entry.is_text && is_token(dialect, open(entry))) return token_type();
  if (entry.is_text || !(is_vhlo(entry) || is_builtin))
    refuse("values must be tensors, in the types of VHLO");
  ByteReader bytes = open(entry);
  std::uint64_t code = bytes.varint();
  if (is_builtin) {
    if (code != kBuiltinTensor) refuse("values must be tensors");
    code = static_cast<std::uint64_t>(TypeCode::kTensor);
  }
  if (code == static_cast<std::uint64_t>(TypeCode::kTensorWithEncoding))
    refuse("tensors with an encoding, such as bounds of extents, are not supported");
  if (code != static_cast<std::uint64_t>(TypeCode::kTensor))
    refuse(fmt::format("values must be tensors; this one is {}", other_type_name(code)));
  TensorType type;
  const std::size_t rank = bytes.count("dimensions");
  if (rank > text::kLargestRank)
    source_.fail_at(entry.begin, fmt::format("a tensor has at most {} dimensions", text::kLargestRank));
  for (std::size_t i = 0; i < rank; ++i) {
    const std::size_t at = bytes.position();
    const std::int64_t extent = bytes.signed_varint();
    if (extent < 0)
      source_.fail_at(at,
                      "an extent that is known at run time only (\"?\") is not supported: give it a number");
    type.dims.push_back(extent);
  }
  const std::size_t at = bytes.position();
  std::string name = read_element_name(bytes);
  if (is_of_literal && name == "index") name = stablehlo_name(DType::kI64);
  const std::optional<DType> dtype = dtype_from_name(name);
  if (!dtype.has_value() || stablehlo_name(*dtype) != name)
    source_.fail_at(
        at, Error(ErrorCode::kUnimplemented, fmt::format("tensors with elements of {} are not supported",
                                                         name.empty() ? "another type" : name)));
  type.dtype = *dtype;
  try {
    check_type(type);
  } catch (const Error& error) {
    source_.fail_at(entry.begin, error);
  }
  return type;
}

std::string AttributeReader::read_element_name(ByteReader& bytes) const {
  return element_name(bytes.index(sections_.types().size(), "type"));
}

std::string AttributeReader::element_name(std::size_t number, int depth) const {
  const Sections::Entry& entry = sections_.types()[number];
  if (entry.is_text) return "";
  ByteReader bytes = open(entry);
  const std::uint64_t code = bytes.varint();
  if (is_vhlo(entry)) {
    constexpr std::uint64_t kIndex = 9;
    if (code == kIndex) return "index";
    if (code != static_cast<std::uint64_t>(TypeCode::kComplex)) return std::string(element_type_name(code));
    if (depth > 0) return "";  // complex numbers of complex numbers
    return fmt::format("complex<{}>", element_name(bytes.index(sections_.types().size(), "type"), depth + 1));
  }
  if (sections_.dialect(entry.dialect) != "builtin") return "";
  constexpr std::uint64_t kInteger = 0, kIndexType = 1, kBF16 = 3, kF16 = 4, kF32 = 5, kF64 = 6, kComplex = 9,
                          kUnsigned = 2;
  if (code == kIndexType) return "index";
  if (code == kBF16) return "bf16";
  if (code == kF16) return "f16";
  if (code == kComplex && depth == 0)
    return fmt::format("complex<{}>", element_name(bytes.index(sections_.types().size(), "type"), 1));
  if (code == kF32) return "f32";
  if (code == kF64) return "f64";
  if (code != kInteger) return "";
  const std::uint64_t width_and_sign = bytes.varint();
  return fmt::format("{}i{}", (width_and_sign & 3) == kUnsigned ? "u" : "", width_and_sign >> 2);
}

}  // namespace cornu::inline v0::ir::bytecode
