#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cornu/ir/attribute.h"
#include "cornu/ir/bytecode/byte_writer.h"
#include "cornu/ir/bytecode/vhlo.h"
#include "cornu/ir/type.h"

namespace cornu::inline v0::ir::bytecode {

/// Texts with numbers in the order of their first use.
class NumberedTexts {
 public:
  std::size_t number(std::string text) {
    const auto [found, is_new] = numbers_.emplace(std::move(text), texts_.size());
    if (is_new) texts_.push_back(&found->first);
    return found->second;
  }
  std::size_t size() const { return texts_.size(); }
  std::string_view operator[](std::size_t i) const { return *texts_[i]; }

 private:
  std::unordered_map<std::string, std::size_t> numbers_;
  std::vector<const std::string*> texts_;
};

/// The tables of a file of bytecode that is being written: the counterpart of Sections. A function that makes
/// an entry returns its number; equal entries have one number.
class Tables {
 public:
  std::size_t op_name(std::string_view dialect, std::string_view name);
  std::size_t properties(std::string encoding) { return properties_.number(std::move(encoding)); }

  // Types.
  std::size_t element_type(std::string_view name);
  std::size_t tensor_type(const TensorType& type);
  std::size_t function_type(std::span<const TensorType> arguments, std::span<const TensorType> results);

  // Attributes of VHLO.
  std::size_t boolean(bool value);
  std::size_t integer(std::int64_t value, std::string_view type = "i64");
  std::size_t floating(double value, DType type);
  std::size_t text(std::string_view value);
  std::size_t literal(const Literal& value);
  std::size_t integers(std::span<const std::int64_t> values);
  std::size_t array(std::span<const std::size_t> items);
  /// Names, which become texts, and numbers of values.
  std::size_t dictionary(std::span<const std::pair<std::string, std::size_t>> entries);
  std::size_t enumerator(AttributeCode code, std::string_view name);
  /// An attribute that is a type, by its number.
  std::size_t type_attribute(std::size_t type);
  std::size_t no_type();
  std::size_t any(const Attribute& value);

  // Attributes of MLIR itself.
  std::size_t builtin_dictionary(std::span<const std::pair<std::string, std::size_t>> entries);
  /// A location; an empty name is an unknown one.
  std::size_t location(std::string_view name);

  /// The file, with the section of its one op.
  std::string file(std::string_view top);

 private:
  std::size_t vhlo(const ByteWriter& encoding);
  std::size_t builtin(const ByteWriter& encoding);
  std::size_t builtin_text(std::string_view value);
  std::size_t type(const ByteWriter& encoding) { return types_.number(encoding.bytes()); }
  std::size_t string(std::string_view value) { return strings_.number(std::string(value)); }
  std::string dialect_section();
  std::string string_section() const;
  std::pair<std::string, std::string> entry_sections() const;
  std::string property_section() const;

  NumberedTexts strings_, op_names_, attributes_, types_, properties_;  // of attributes: with their dialect
};

}  // namespace cornu::inline v0::ir::bytecode
