#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>

#include "cornu/base/check.h"
#include "cornu/ir/complex.h"
#include "cornu/ir/small_types.h"
#include "cornu/ir/text/syntax.h"

/// Literals: dense<1.0>, dense<[[1, 2], [3, 4]]>, dense<"0x0000803F">, dense<>.
namespace cornu::inline v0::ir::text {
namespace {

void charge_splat(const Source& source, ReadBudget& budget, const TensorType& type, std::size_t position) {
  const auto bytes = static_cast<std::int64_t>(type.size_bytes());
  if (bytes > budget.num_splat_bytes)
    source.fail_at(position, fmt::format("literals of one repeated element take too much memory; this one is "
                                         "{}: broadcast a scalar instead",
                                         type.str()));
  budget.num_splat_bytes -= bytes;
  budget.take_bytes(type.size_bytes());
}

Literal filled(const TensorType& type, std::span<const std::byte> element) {
  Literal literal(type);
  const std::span<std::byte> bytes = literal.mutable_bytes();
  for (std::size_t i = 0; i < bytes.size(); i += element.size())
    std::memcpy(bytes.data() + i, element.data(), element.size());
  return literal;
}

class DenseReader {
 public:
  DenseReader(Lexer& lexer, ReadBudget& budget, TensorType type)
      : lexer_(lexer), budget_(budget), type_(std::move(type)), size_(size_bytes(type_.dtype)) {}

  /// `num_source_bytes`: the length of the text between the brackets.
  Literal read(std::size_t num_source_bytes) {
    const std::int64_t count = type_.num_elements();
    if (lexer_.is(">")) {
      if (count != 0) fail("this literal has no elements, its type has");
      return Literal(type_);
    }
    if (lexer_.is(TokenKind::kString)) return read_blob();
    if (!lexer_.is("[")) return read_splat();
    // An element has at least one byte of text: nothing is allocated for elements that cannot be present.
    if (count > static_cast<std::int64_t>(num_source_bytes)) fail("fewer elements than its type has");
    budget_.take_bytes(type_.size_bytes());
    Literal literal(type_);
    out_ = literal.mutable_bytes();
    read_nested(0);
    return literal;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    lexer_.fail_at(lexer_.token().position, fmt::format("{}: {}", type_.str(), what));
  }

  void read_nested(std::size_t dimension) {
    if (dimension == type_.dims.size()) {
      read_element();
      return;
    }
    lexer_.expect("[");
    for (std::int64_t i = 0; i < type_.dims[dimension]; ++i) {
      if (i > 0) lexer_.expect(",");
      read_nested(dimension + 1);
    }
    if (!lexer_.is("]"))
      fail(fmt::format("expected {} elements along dimension {}", type_.dims[dimension], dimension));
    lexer_.take();
  }

  void put(std::uint64_t bits) { put(bits, size_); }
  void put(std::uint64_t bits, std::size_t size) {
    std::memcpy(out_.data(), &bits, size);  // x86-64 is little-endian
    out_ = out_.subspan(size);
  }

  void read_element() {
    const Token token = lexer_.take();
    const DType dtype = type_.dtype;
    if (token.text == "true" || token.text == "false") {
      if (dtype != DType::kI1) lexer_.fail_at(token.position, "true and false are elements of i1 only");
      put(token.text == "true" ? 1 : 0);
    } else if (is_complex(dtype)) {
      put_complex(token);
    } else if (is_float(dtype) || is_small_float(dtype)) {
      put_float(token, dtype);
    } else if (token.kind == TokenKind::kInteger) {
      put_integer(token);
    } else {
      lexer_.fail_at(token.position, fmt::format("expected an element of {}", stablehlo_name(dtype)));
    }
  }

  /// "(1.0, 2.0)"; a number in hexadecimal digits gives the bits of one part.
  void put_complex(const Token& open) {
    if (open.text != "(")
      lexer_.fail_at(open.position, fmt::format("expected an element of {} such as (1.0, 2.0)",
                                                stablehlo_name(type_.dtype)));
    put_float(lexer_.take(), real_dtype(type_.dtype));
    lexer_.expect(",");
    put_float(lexer_.take(), real_dtype(type_.dtype));
    lexer_.expect(")");
  }

  void put_float(const Token& token, DType dtype) {
    const std::size_t size = size_bytes(dtype);
    if (token.kind == TokenKind::kInteger && token.text.starts_with("0x")) {
      if (token.text.size() - 2 != 2 * size)
        lexer_.fail_at(token.position, fmt::format("the bits of {} are {} hexadecimal digits",
                                                   stablehlo_name(dtype), 2 * size));
      put(static_cast<std::uint64_t>(integer_bits_of(lexer_, token)), size);
      return;
    }
    double value = 0;
    const auto [end, error] =
        std::from_chars(token.text.data(), token.text.data() + token.text.size(), value);
    if ((token.kind != TokenKind::kFloat && token.kind != TokenKind::kInteger) || error != std::errc())
      lexer_.fail_at(token.position, fmt::format("expected an element of {}", stablehlo_name(dtype)));
    std::uint64_t bits = 0;
    const Literal scalar = Literal::scalar(dtype, value);
    std::memcpy(&bits, scalar.bytes().data(), size);
    put(bits, size);
  }

  void put_integer(const Token& token) {
    const std::int64_t value = integer_bits_of(lexer_, token);
    const bool is_negative = token.text.starts_with('-');
    const bool is_unsigned = is_unsigned_integer(type_.dtype) || type_.dtype == DType::kI1 ||
                             (is_small_integer(type_.dtype) && !is_signed_small_integer(type_.dtype));
    const int bits = bit_width(type_.dtype);
    // A number beyond the largest i64 was parsed as unsigned, and is negative as a signed one.
    bool fits = is_unsigned ? !is_negative && (bits == 64 || static_cast<std::uint64_t>(value) >> bits == 0)
                            : is_negative == (value < 0);
    if (fits && !is_unsigned && bits < 64)
      fits = value >= -(std::int64_t{1} << (bits - 1)) && value < (std::int64_t{1} << (bits - 1));
    if (!fits)
      lexer_.fail_at(token.position,
                     fmt::format("{} does not fit {}", token.text, stablehlo_name(type_.dtype)));
    put(static_cast<std::uint64_t>(value));
  }

  /// Reads one element for all.
  Literal read_splat() {
    charge_splat(lexer_, budget_, type_, lexer_.token().position);
    std::vector<std::byte> element(size_);
    out_ = element;
    read_element();
    return filled(type_, element);
  }

  Literal read_blob() {
    const Token token = lexer_.take();
    std::string_view digits = token.text.substr(1, token.text.size() - 2);
    if (!digits.starts_with("0x") || digits.size() % 2 != 0)
      lexer_.fail_at(token.position, "expected the bytes of a literal as \"0x...\"");
    digits.remove_prefix(2);
    const std::size_t num_bytes = digits.size() / 2;
    budget_.take_bytes(num_bytes);
    std::vector<std::byte> bytes(num_bytes);
    for (std::size_t i = 0; i < num_bytes; ++i) bytes[i] = byte_at(token, digits, i);
    return literal_from_bytes(lexer_, budget_, type_, bytes, token.position);
  }

  std::byte byte_at(const Token& token, std::string_view digits, std::size_t i) const {
    unsigned value = 0;
    const char* const first = digits.data() + 2 * i;
    if (std::from_chars(first, first + 2, value, 16).ptr != first + 2)
      lexer_.fail_at(token.position + 3 + 2 * i, "expected hexadecimal digits");
    return static_cast<std::byte>(value);
  }

  Lexer& lexer_;
  ReadBudget& budget_;
  TensorType type_;
  std::size_t size_;
  std::span<std::byte> out_;
};

}  // namespace

Literal literal_from_bytes(const Source& source, ReadBudget& budget, const TensorType& type,
                           std::span<const std::byte> bytes, std::size_t position) {
  const auto count = static_cast<std::size_t>(type.num_elements());
  // MLIR writes a literal without elements as a splat.
  if (count == 0 && bytes.size() == size_bytes(type.dtype)) return Literal(type);
  const bool is_bits = type.dtype == DType::kI1 && count > 1 && bytes.size() == (count + 7) / 8;
  const bool is_splat = !is_bits && count > 1 && bytes.size() == size_bytes(type.dtype);
  if (!is_bits && !is_splat && bytes.size() != type.size_bytes())
    source.fail_at(position, fmt::format("{} has {} bytes, this literal {}", type.str(), type.size_bytes(),
                                         bytes.size()));
  if (is_splat)
    charge_splat(source, budget, type, position);
  else
    budget.take_bytes(type.size_bytes());
  Literal literal = is_splat ? filled(type, bytes) : Literal(type);
  const std::span<std::byte> out = literal.mutable_bytes();
  if (is_bits) {
    for (std::size_t i = 0; i < count; ++i) out[i] = bytes[i / 8] >> (i % 8) & std::byte{1};
  } else if (!is_splat) {
    std::copy(bytes.begin(), bytes.end(), out.begin());
  }
  if (is_small(type.dtype))
    for (std::byte& byte : out)
      byte = static_cast<std::byte>(small_from_bits(type.dtype, static_cast<std::uint64_t>(byte)));
  if (type.dtype == DType::kI1)
    for (std::byte& byte : out) byte = byte == std::byte{0} ? byte : std::byte{1};
  return literal;
}

namespace {

/// The type of a literal. Layouts of custom calls have elements of `index`, which no value has: they are read
/// as i64.
TensorType read_literal_type(Lexer& lexer) {
  constexpr std::string_view kTensor = "tensor<", kIndex = "index>";
  constexpr std::size_t kLongest = 64;
  const std::size_t begin = lexer.token().position;
  const std::string_view text = lexer.source(begin, kLongest);
  if (!text.starts_with(kTensor)) return read_type(lexer);
  TensorType type{DType::kI64, {}};
  const char* at = text.data() + kTensor.size();
  const char* const end = text.data() + text.size();
  for (;;) {
    const std::string_view rest(at, static_cast<std::size_t>(end - at));
    if (rest.starts_with(kIndex)) break;
    std::int64_t extent = 0;
    const auto [after, error] = std::from_chars(at, end, extent);
    if (error != std::errc() || after == end || *after != 'x' || extent < 0) return read_type(lexer);
    type.dims.push_back(extent);
    at = after + 1;
  }
  try {
    check_type(type);
  } catch (const Error& error) {
    lexer.fail_at(begin, error);
  }
  lexer.seek(begin + static_cast<std::size_t>(at - text.data()) + kIndex.size());
  return type;
}

}  // namespace

Literal read_dense(Lexer& lexer, ReadBudget& budget) {
  const std::size_t body = lexer.end_of_token();
  lexer.skip_balanced();
  const std::size_t after_body = lexer.token().position;
  if (!lexer.is(":")) lexer.fail_expected("\":\" and the literal's type");
  lexer.take();
  TensorType type = read_literal_type(lexer);
  const std::size_t after_type = lexer.token().position;
  lexer.seek(body);
  Literal literal = DenseReader(lexer, budget, std::move(type)).read(after_body - body);
  lexer.expect(">");
  lexer.seek(after_type);
  return literal;
}

}  // namespace cornu::inline v0::ir::text
