#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cornu/ir/text/source.h"
#include "cornu/ir/type.h"

/// The tokens of StableHLO text.
namespace cornu::inline v0::ir::text {

enum class TokenKind : std::uint8_t {
  kEnd,
  kWord,     // func.func, tensor, dense, DEFAULT, x
  kValue,    // %arg0, %3, %3#1
  kSymbol,   // @main, @"main"
  kBlock,    // ^bb0
  kHash,     // #stablehlo.gather
  kBang,     // !stablehlo.token
  kInteger,  // 12, -3, 0x7FC0
  kFloat,    // 1.0, -2.5e-3
  kString,   // "...", with its quotes
  kMark,     // one of ( ) { } [ ] < > , : = ? * + - or ->
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::string_view text;
  std::size_t position = 0;  // of its first byte
};

/// Splits text into tokens, with one token of lookahead.
///
/// Errors: InvalidArgument "NAME:LINE:COLUMN: ..." for bytes that begin no token and unterminated strings.
/// Lifetime: the text must outlive the lexer and its tokens.
class Lexer : public Source {
 public:
  /// `name` is used in errors, e.g. the file's.
  Lexer(std::string_view text, std::string name);

  const Token& token() const { return token_; }
  /// The position from which the token after the current one is scanned.
  std::size_t end_of_token() const { return next_; }
  /// Returns the current token and reads the next.
  Token take();
  /// Continues at a byte: the start of a token that was read before.
  void seek(std::size_t position);

  bool is(std::string_view text) const {
    return token_.text == text && token_.kind != TokenKind::kString && token_.kind != TokenKind::kEnd;
  }
  bool is(TokenKind kind) const { return token_.kind == kind; }
  bool accept(std::string_view text);
  void expect(std::string_view text);
  /// `what` describes the expected token in the error: "a value such as %0".
  Token expect(TokenKind kind, std::string_view what);

  /// Reads a type after `tensor`; the current token is its `<`. Only here "2x3xf32" is not one word.
  TensorType tensor_type();
  /// Skips the bracket that the current token opens, including its end.
  void skip_balanced();
  /// Throws "expected `what`, got ..." at the current token.
  [[noreturn]] void fail_expected(std::string_view what) const;

 private:
  void skip_blanks();
  Token scan();
  std::size_t scan_number(std::size_t at) const;
  std::size_t scan_string(std::size_t at) const;

  std::size_t next_ = 0;
  Token token_;
};

/// The bytes of a string token, unescaped. Errors: InvalidArgument for an unknown escape.
std::string unquoted(const Lexer& lexer, const Token& token);

/// The integer of a token; a hexadecimal one is taken as bits. Errors: InvalidArgument beyond 63 bits and a
/// sign.
std::int64_t integer_of(const Lexer& lexer, const Token& token);
/// Same as integer_of, but also accepts 2^63 to 2^64 - 1 as the bits of an unsigned number: for elements of
/// unsigned types.
std::int64_t integer_bits_of(const Lexer& lexer, const Token& token);

}  // namespace cornu::inline v0::ir::text
