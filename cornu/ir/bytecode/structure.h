#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "cornu/ir/bytecode/attributes.h"

namespace cornu::inline v0::ir::bytecode {

/// An op before its attributes are interpreted.
struct OpHeader {
  std::string_view name;  // "vhlo.add_v1"
  std::size_t position = 0;
  std::string location;
  NamedAttributes attributes;
  std::vector<std::size_t> result_types, operands;
  std::size_t num_regions = 0;
  bool is_isolated = false;  // its regions are in a section, and use no values from outside
};

/// Reads the structure of ops, regions and blocks.
class StructureReader {
 public:
  StructureReader(const Sections& sections, const text::Source& source, text::ReadBudget& budget,
                  AttributeReader& attributes)
      : sections_(sections), source_(source), budget_(budget), attributes_(attributes) {}

  /// `num_values`: the number of values that operands may name.
  OpHeader read_header(ByteReader& bytes, std::size_t num_values);
  /// The regions of an op: a section if they are isolated, or the next bytes.
  ByteReader open_regions(ByteReader& bytes, const OpHeader& header) const;
  /// Reads the beginning of a region of one block, and returns the number of its values.
  std::size_t read_region(ByteReader& bytes) const;
  /// The types of a block's arguments.
  std::vector<std::size_t> read_arguments(ByteReader& bytes) const;

  /// Adds the functions that the ops of a function's body name, by calls or as decompositions.
  void add_references(ByteReader bytes, std::unordered_set<std::string>& names);

 private:
  void read_properties(ByteReader& bytes, const Sections::OpName& name, OpHeader& header);
  void skip_use_lists(ByteReader& bytes, std::size_t num_values) const;
  void add_references_of_region(ByteReader& bytes, std::unordered_set<std::string>& names);

  const Sections& sections_;
  const text::Source& source_;
  text::ReadBudget& budget_;
  AttributeReader& attributes_;
};

}  // namespace cornu::inline v0::ir::bytecode
