#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cornu/ir/bytecode/sections.h"
#include "cornu/ir/text/syntax.h"

namespace cornu::inline v0::ir::bytecode {

/// Names of attributes with their numbers in the table of attributes.
using NamedAttributes = std::vector<std::pair<std::string, std::size_t>>;

/// Interprets the encodings of attributes and types.
///
/// Attributes refer to others by number, so that a short file may describe a large value: the sizes of all
/// values together are limited to a multiple of the file's size.
///
/// Errors: InvalidArgument with the byte's offset for a wrong encoding; Unimplemented for a type that Cornu
///         does not have.
class AttributeReader {
 public:
  AttributeReader(const Sections& sections, const text::Source& source, text::ReadBudget& budget);

  std::size_t read_attribute_number(ByteReader& bytes) const {
    return bytes.index(sections_.attributes().size(), "attribute");
  }

  /// The value of an attribute as the readers of text have it; empty for the absence of an optional one.
  std::optional<text::Syntax> value(std::size_t number);
  /// The names and values of a dictionary.
  NamedAttributes dictionary(std::size_t number);
  /// The name in a location that has no other part; empty for other locations.
  std::string location_name(std::size_t number);
  /// The types of the results in an attribute that is a function's type.
  std::vector<TensorType> function_results(std::size_t number);

  /// A tensor's type, whose number is read from `bytes`.
  const TensorType& read_tensor_type(ByteReader& bytes) {
    return tensor_type(bytes.index(sections_.types().size(), "type"));
  }
  const TensorType& tensor_type(std::size_t number);
  /// The types of a tuple's elements, which must be tensors; empty for types of other kinds.
  std::optional<std::vector<TensorType>> tuple_types(std::size_t number);

 private:
  ByteReader open(const Sections::Entry& entry) const { return {source_, entry.begin, entry.end}; }
  bool is_vhlo(const Sections::Entry& entry) const { return sections_.dialect(entry.dialect) == "vhlo"; }
  bool is_shardy(const Sections::Entry& entry) const { return sections_.dialect(entry.dialect) == "sdy"; }
  void take_size(std::size_t num_units, std::size_t position);

  std::optional<text::Syntax> read_value(std::size_t number, const Sections::Entry& entry);
  std::optional<text::Syntax> read_vhlo(std::size_t number, ByteReader& bytes);
  std::optional<text::Syntax> read_builtin(ByteReader& bytes);
  text::Syntax read_array(ByteReader& bytes);
  text::Syntax read_dictionary(ByteReader& bytes);
  text::Syntax read_enumeration(std::uint64_t code, ByteReader& bytes);
  text::Syntax read_integer(ByteReader& bytes);
  text::Syntax read_float(ByteReader& bytes);
  text::Syntax read_text(ByteReader& bytes, text::SyntaxKind kind);
  text::Syntax read_literal(std::size_t number, ByteReader& bytes);
  std::optional<text::Syntax> read_type(ByteReader& bytes);
  std::optional<text::Syntax> read_accuracy(ByteReader& bytes);
  /// MLIR's text of an attribute of Shardy's dialect, such as `<@mesh, [{"x"}, {}]>`; empty for kinds that
  /// Cornu does not use.
  std::string shardy_text(std::size_t number);
  std::string shardy_list(ByteReader& bytes);
  std::string shardy_axis(ByteReader& bytes, bool is_of_mesh);
  std::string shardy_mesh(ByteReader& bytes);
  std::string shardy_sharding(ByteReader& bytes, bool has_unreduced_axes);
  TensorType make_tensor_type(std::size_t number, bool is_of_literal = false) const;
  /// The name of an element's type, such as "f32"; empty if the type is another one.
  std::string read_element_name(ByteReader& bytes) const;
  std::string element_name(std::size_t number, int depth = 0) const;

  const Sections& sections_;
  const text::Source& source_;
  text::ReadBudget& budget_;
  std::size_t size_left_;
  std::unordered_map<std::size_t, Literal> literals_;
  std::vector<std::optional<TensorType>> types_;
};

}  // namespace cornu::inline v0::ir::bytecode
