#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "cornu/base/error.h"

namespace cornu::inline v0::ir::text {

/// Largest number of dimensions of a tensor: NumPy's limit. Literals are read with one call for each
/// dimension.
inline constexpr std::size_t kLargestRank = 64;

enum class SourceForm : std::uint8_t { kText, kBytecode };

/// The content of a program, with its name, for errors with a place: line and column of text, the offset of a
/// byte of bytecode.
///
/// Lifetime: the content must outlive the source.
class Source {
 public:
  /// `name` is used in errors, e.g. the file's.
  Source(std::string_view content, std::string name, SourceForm form = SourceForm::kText)
      : text_(content), name_(std::move(name)), form_(form) {}

  std::string_view source(std::size_t begin, std::size_t size) const { return text_.substr(begin, size); }
  std::size_t size() const { return text_.size(); }
  const std::string& name() const { return name_; }
  SourceForm form() const { return form_; }

  /// Throws InvalidArgument with the place of a byte. Quoted text in the message is made printable.
  [[noreturn]] void fail_at(std::size_t position, const std::string& message) const;
  /// Throws the error with the place added.
  [[noreturn]] void fail_at(std::size_t position, const Error& error) const;

 private:
  /// "program.mlir:3:14: " or "program.mlirbc: byte 12: "
  std::string place(std::size_t position) const;

 protected:
  std::string_view text_;

 private:
  std::string name_;
  SourceForm form_;
};

}  // namespace cornu::inline v0::ir::text
