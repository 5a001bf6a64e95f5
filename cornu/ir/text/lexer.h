#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cornu/base/error.h"
#include "cornu/ir/type.h"

/// The words of StableHLO text.
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

/// Splits text into tokens, one ahead.
///
/// Errors: InvalidArgument "NAME:LINE:COLUMN: ..." for bytes that begin no token and strings without an end.
/// Lifetime: the text must outlive the lexer and its tokens.
class Lexer {
 public:
  /// `name` stands in errors, e.g. the file's.
  Lexer(std::string_view text, std::string name);

  const Token& token() const { return token_; }
  /// Where the token after the current one begins to be looked for.
  std::size_t end_of_token() const { return next_; }
  /// Returns the current token and reads the next.
  Token take();
  /// Goes on reading at a byte: the start of a token that was read before.
  void seek(std::size_t position);

  bool is(std::string_view text) const {
    return token_.text == text && token_.kind != TokenKind::kString && token_.kind != TokenKind::kEnd;
  }
  bool is(TokenKind kind) const { return token_.kind == kind; }
  bool accept(std::string_view text);
  void expect(std::string_view text);
  /// `what` is named when another kind stands here: "a value such as %0".
  Token expect(TokenKind kind, std::string_view what);

  /// The current token is the `<` of `tensor<`: reads up to its `>`. Only here "2x3xf32" is not one word.
  TensorType tensor_type();
  /// The current token opens a bracket: skips to behind the one that closes it.
  void skip_balanced();
  std::string_view source(std::size_t begin, std::size_t size) const { return text_.substr(begin, size); }
  std::size_t size() const { return text_.size(); }
  const std::string& name() const { return name_; }

  /// Throws InvalidArgument with the line and column of a byte. What the message quotes from the text is
  /// shown as by printable().
  [[noreturn]] void fail_at(std::size_t position, const std::string& message) const;
  /// Throws another error with them.
  [[noreturn]] void fail_at(std::size_t position, const Error& error) const;
  /// Throws "expected `what`, got ..." at the current token.
  [[noreturn]] void fail_expected(std::string_view what) const;

 private:
  /// "program.mlir:3:14: "
  std::string place(std::size_t position) const;
  void skip_blanks();
  Token scan();
  std::size_t scan_number(std::size_t at) const;
  std::size_t scan_string(std::size_t at) const;

  std::string_view text_;
  std::string name_;
  std::size_t next_ = 0;
  Token token_;
};

/// The bytes that a string token stands for. Errors: InvalidArgument for an escape that there is not.
std::string unquoted(const Lexer& lexer, const Token& token);

/// The whole number that a token stands for; a hexadecimal one is its bits. Errors: InvalidArgument beyond 63
/// bits and a sign.
std::int64_t integer_of(const Lexer& lexer, const Token& token);
/// The same, and from 2^63 to 2^64 - 1 the bits of the unsigned number: for elements of types without a sign.
std::int64_t integer_bits_of(const Lexer& lexer, const Token& token);

}  // namespace cornu::inline v0::ir::text
