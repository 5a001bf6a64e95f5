#include "cornu/ir/text/lexer.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include "cornu/base/check.h"
#include "cornu/base/printable.h"

namespace cornu::inline v0::ir::text {
namespace {

// Unlike <cctype>, these functions do not depend on the locale.
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_word(char c) { return is_letter(c) || is_digit(c) || c == '$' || c == '.'; }
bool is_name(char c) { return is_word(c) || c == '-'; }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

template <typename Is>
std::size_t end_of(std::string_view text, std::size_t at, Is is) {
  while (at < text.size() && is(text[at])) ++at;
  return at;
}

int hex_value(char c) { return is_digit(c) ? c - '0' : (c | 0x20) - 'a' + 10; }

/// Text quoted in a message: shortened, and without control characters.
std::string shown(std::string_view text) {
  constexpr std::size_t kMaxShown = 40;
  return printable(text.substr(0, kMaxShown)) + (text.size() > kMaxShown ? "..." : "");
}

bool begins_number(std::string_view text) {
  return is_digit(text[0]) || (text[0] == '-' && text.size() > 1 && is_digit(text[1]));
}

TokenKind kind_of_number(std::string_view number) {
  const bool is_hexadecimal = number.find('x') != std::string_view::npos;
  const bool is_float = !is_hexadecimal && number.find_first_of(".eE") != std::string_view::npos;
  return is_float ? TokenKind::kFloat : TokenKind::kInteger;
}

}  // namespace

Lexer::Lexer(std::string_view text, std::string name) : Source(text, std::move(name)) { token_ = scan(); }

Token Lexer::take() {
  const Token taken = token_;
  token_ = scan();
  return taken;
}

void Lexer::seek(std::size_t position) {
  next_ = position;
  token_ = scan();
}

bool Lexer::accept(std::string_view text) {
  if (!is(text)) return false;
  take();
  return true;
}

void Lexer::expect(std::string_view text) {
  if (!accept(text)) fail_expected(fmt::format("\"{}\"", text));
}

Token Lexer::expect(TokenKind kind, std::string_view what) {
  if (token_.kind != kind) fail_expected(what);
  return take();
}

void Lexer::skip_blanks() {
  while (next_ < text_.size()) {
    const char c = text_[next_];
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r')
      ++next_;
    else if (text_.substr(next_, 2) == "//")
      next_ = std::min(text_.find('\n', next_), text_.size());
    else
      return;
  }
}

std::size_t Lexer::scan_number(std::size_t at) const {
  if (text_[at] == '-') ++at;
  if (text_.substr(at, 2) == "0x" && at + 2 < text_.size() && is_hex(text_[at + 2]))
    return end_of(text_, at + 2, is_hex);
  at = end_of(text_, at, is_digit);
  if (at < text_.size() && text_[at] == '.') at = end_of(text_, at + 1, is_digit);
  if (at < text_.size() && (text_[at] == 'e' || text_[at] == 'E')) {
    std::size_t digits = at + 1;
    if (digits < text_.size() && (text_[digits] == '-' || text_[digits] == '+')) ++digits;
    if (digits < text_.size() && is_digit(text_[digits])) at = end_of(text_, digits, is_digit);
  }
  return at;
}

std::size_t Lexer::scan_string(std::size_t at) const {
  for (std::size_t end = at + 1; end < text_.size(); ++end) {
    if (text_[end] == '"') return end + 1;
    if (text_[end] == '\n') break;
    if (text_[end] == '\\') ++end;
  }
  fail_at(at, "this string has no end");
}

Token Lexer::scan() {
  skip_blanks();
  const std::size_t begin = next_;
  if (begin >= text_.size()) return {TokenKind::kEnd, {}, text_.size()};
  const char c = text_[begin];
  const auto token = [&](TokenKind kind, std::size_t end) {
    next_ = end;
    return Token{kind, text_.substr(begin, end - begin), begin};
  };
  if (is_letter(c)) return token(TokenKind::kWord, end_of(text_, begin, is_word));
  if (c == '%') {
    std::size_t end = end_of(text_, begin + 1, is_name);
    if (end == begin + 1) fail_at(begin, "expected a value's name after \"%\"");
    if (end < text_.size() && text_[end] == '#') end = end_of(text_, end + 1, is_digit);
    return token(TokenKind::kValue, end);
  }
  if (c == '@') {
    const bool is_quoted = begin + 1 < text_.size() && text_[begin + 1] == '"';
    const std::size_t end = is_quoted ? scan_string(begin + 1) : end_of(text_, begin + 1, is_name);
    if (end == begin + 1) fail_at(begin, "expected a function's name after \"@\"");
    return token(TokenKind::kSymbol, end);
  }
  if (c == '^') return token(TokenKind::kBlock, end_of(text_, begin + 1, is_name));
  if (c == '#') return token(TokenKind::kHash, end_of(text_, begin + 1, is_word));
  if (c == '!') return token(TokenKind::kBang, end_of(text_, begin + 1, is_word));
  if (c == '"') return token(TokenKind::kString, scan_string(begin));
  if (text_.substr(begin, 2) == "->") return token(TokenKind::kMark, begin + 2);
  if (begins_number(text_.substr(begin))) {
    const std::size_t end = scan_number(begin);
    return token(kind_of_number(text_.substr(begin, end - begin)), end);
  }
  if (std::string_view("(){}[]<>,:=?*+-").find(c) != std::string_view::npos)
    return token(TokenKind::kMark, begin + 1);
  fail_at(begin, fmt::format("\"{}\" cannot stand here", shown(text_.substr(begin, 1))));
}

TensorType Lexer::tensor_type() {
  const std::size_t begin = token_.position;
  std::size_t at = begin + 1;
  TensorType type;
  const auto skip = [&] { at = end_of(text_, at, [](char c) { return c == ' '; }); };
  for (skip(); at < text_.size() && (is_digit(text_[at]) || text_[at] == '?'); skip()) {
    if (text_[at] == '?')
      fail_at(
          at,
          "an extent that is known at run time only (\"?\") is not supported: give it a number, in JAX by "
          "tracing with whole shapes");
    std::int64_t extent = 0;
    const auto [end, error] = std::from_chars(text_.data() + at, text_.data() + text_.size(), extent);
    if (error != std::errc()) fail_at(at, "this extent is beyond 63 bits");
    if (type.dims.size() == kLargestRank)
      fail_at(at, fmt::format("a tensor has at most {} dimensions", kLargestRank));
    at = static_cast<std::size_t>(end - text_.data());
    if (at >= text_.size() || text_[at] != 'x') fail_at(at, "expected \"x\" after an extent");
    ++at;
    type.dims.push_back(extent);
  }
  std::size_t end = end_of(text_, at, is_word);
  if (text_.substr(at, end - at) == "complex" && text_.substr(end, 1) == "<")
    end = std::min(text_.find('>', end), text_.size() - 1) + 1;
  const std::string_view name = text_.substr(at, end - at);
  if (at < text_.size() && text_[at] == '!')
    fail_at(at,
            Error(ErrorCode::kUnimplemented,
                  "quantized types are not supported: write the program in plain integers and floats, as the "
                  "pass stablehlo-legalize-quant-to-math does"));
  const auto dtype = dtype_from_name(name);
  if (!dtype || stablehlo_name(*dtype) != name)
    fail_at(at, fmt::format("expected an element type such as f32 or i64, got \"{}\"",
                            shown(text_.substr(at, std::max<std::size_t>(end - at, 1)))));
  type.dtype = *dtype;
  seek(end);
  if (!is(">")) fail_expected("\">\" after the element type (encodings are not supported)");
  try {
    check_type(type);
  } catch (const Error& error) {
    fail_at(begin, error);
  }
  take();
  return type;
}

void Lexer::skip_balanced() {
  std::vector<char> closing;
  const std::size_t begin = token_.position;
  do {
    if (is(TokenKind::kEnd)) fail_at(begin, "this bracket is not closed");
    if (is(TokenKind::kMark) && token_.text.size() == 1) {
      const char c = token_.text[0];
      const std::size_t opens = std::string_view("({[<").find(c);
      if (opens != std::string_view::npos) {
        closing.push_back(")}]>"[opens]);
      } else if (std::string_view(")}]>").find(c) != std::string_view::npos) {
        if (closing.empty() || closing.back() != c)
          fail_expected(closing.empty() ? "no closing bracket" : fmt::format("\"{}\"", closing.back()));
        closing.pop_back();
      }
    }
    take();
  } while (!closing.empty());
}

void Lexer::fail_expected(std::string_view what) const {
  fail_at(token_.position, fmt::format("expected {}, got {}", what,
                                       is(TokenKind::kEnd) ? "the end of the text"
                                                           : fmt::format("\"{}\"", shown(token_.text))));
}

std::string unquoted(const Lexer& lexer, const Token& token) {
  std::string_view text = token.text;
  if (text.starts_with('@')) text.remove_prefix(1);
  if (!text.starts_with('"')) return std::string(text);
  text = text.substr(1, text.size() - 2);
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      result += text[i];
    } else if (i + 1 < text.size() && (text[i + 1] == '"' || text[i + 1] == '\\')) {
      result += text[++i];
    } else if (i + 1 < text.size() && (text[i + 1] == 'n' || text[i + 1] == 't')) {
      result += text[++i] == 'n' ? '\n' : '\t';
    } else if (i + 2 < text.size() && is_hex(text[i + 1]) && is_hex(text[i + 2])) {
      result += static_cast<char>(hex_value(text[i + 1]) * 16 + hex_value(text[i + 2]));
      i += 2;
    } else {
      lexer.fail_at(token.position, "a string has an escape that there is not");
    }
  }
  return result;
}

std::int64_t integer_of(const Lexer& lexer, const Token& token) {
  const std::int64_t value = integer_bits_of(lexer, token);
  const bool is_hexadecimal = token.text.find('x') != std::string_view::npos;
  if (value < 0 && !token.text.starts_with('-') && !is_hexadecimal)
    lexer.fail_at(token.position, fmt::format("{} is beyond the largest number of 64 bits with a sign, {}",
                                              token.text, std::numeric_limits<std::int64_t>::max()));
  return value;
}

std::int64_t integer_bits_of(const Lexer& lexer, const Token& token) {
  std::string_view text = token.text;
  const bool is_negative = text.starts_with('-');
  if (is_negative) text.remove_prefix(1);
  const int base = text.starts_with("0x") ? 16 : 10;
  if (base == 16) text.remove_prefix(2);
  std::uint64_t magnitude = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), magnitude, base);
  const std::uint64_t limit = is_negative ? std::uint64_t{1} << 63 : ~std::uint64_t{0};
  if (error != std::errc() || magnitude > limit)
    lexer.fail_at(token.position, "this number is beyond 64 bits");
  return static_cast<std::int64_t>(is_negative ? ~magnitude + 1 : magnitude);
}

}  // namespace cornu::inline v0::ir::text
