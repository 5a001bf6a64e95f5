#include "cornu/ir/bytecode/structure.h"

#include "cornu/base/check.h"
#include "cornu/ir/bytecode/vhlo.h"
#include "cornu/ir/graph.h"

namespace cornu::inline v0::ir::bytecode {
namespace {

/// Memory of a value in a list, whose capacity doubles.
constexpr std::size_t kListedValueBytes = 3 * sizeof(Value);

/// The bits that state which parts an op has.
constexpr unsigned kHasAttributes = 1, kHasResults = 2, kHasOperands = 4, kHasSuccessors = 8,
                   kHasRegions = 16, kHasUseLists = 32, kHasProperties = 64;

}  // namespace

void StructureReader::skip_use_lists(ByteReader& bytes, std::size_t num_values) const {
  for (std::uint64_t left = num_values > 1 ? bytes.varint() : 1; left > 0; --left) {
    if (num_values > 1) bytes.varint();
    for (std::uint64_t uses = bytes.varint_with_flag().first; uses > 0; --uses) bytes.varint();
  }
}

OpHeader StructureReader::read_header(ByteReader& bytes, std::size_t num_values) {
  OpHeader header;
  header.position = bytes.position();
  const Sections::OpName& name = sections_.read_op_name(bytes);
  header.name = name.name;
  const unsigned parts = bytes.byte();
  header.location = attributes_.location_name(attributes_.read_attribute_number(bytes));
  if ((parts & kHasAttributes) != 0)
    header.attributes = attributes_.dictionary(attributes_.read_attribute_number(bytes));
  if ((parts & kHasProperties) != 0) read_properties(bytes, name, header);
  const auto list = [&](std::vector<std::size_t>& numbers, std::size_t size, std::string_view what) {
    const std::size_t count = bytes.count(what);
    budget_.take_bytes(count * kListedValueBytes);
    numbers.reserve(count);
    for (std::size_t i = 0; i < count; ++i) numbers.push_back(bytes.index(size, what));
  };
  if ((parts & kHasResults) != 0) list(header.result_types, sections_.types().size(), "type");
  if ((parts & kHasOperands) != 0) list(header.operands, num_values, "value");
  if ((parts & kHasSuccessors) != 0) bytes.fail("branches to other blocks are not supported");
  if ((parts & kHasUseLists) != 0 && sections_.version() >= kUseListVersion)
    skip_use_lists(bytes, header.result_types.size());
  if ((parts & kHasRegions) != 0) {
    const std::size_t at = bytes.position();
    const auto [count, is_isolated] = bytes.varint_with_flag();
    if (count > bytes.num_left()) source_.fail_at(at, fmt::format("there cannot be {} regions", count));
    header.num_regions = static_cast<std::size_t>(count);
    header.is_isolated = is_isolated;
  }
  return header;
}

void StructureReader::read_properties(ByteReader& bytes, const Sections::OpName& name, OpHeader& header) {
  if (!name.is_registered) {
    NamedAttributes more = attributes_.dictionary(attributes_.read_attribute_number(bytes));
    header.attributes.insert(header.attributes.end(), more.begin(), more.end());
    return;
  }
  ByteReader properties = sections_.read_properties(bytes);
  constexpr std::string_view kVhlo = "vhlo.";
  const bool is_vhlo = header.name.starts_with(kVhlo);
  const std::vector<std::string_view>& names =
      properties_of(is_vhlo ? header.name.substr(kVhlo.size()) : header.name);
  if (!is_vhlo && names.empty()) return;  // the module's name
  for (const std::string_view property : names)
    header.attributes.emplace_back(property, attributes_.read_attribute_number(properties));
  if (!properties.is_at_end())
    source_.fail_at(
        header.position,
        Error(ErrorCode::kUnimplemented,
              fmt::format("[{}] has properties that Cornu does not know: write the program for an "
                          "older version of StableHLO",
                          header.name)));
}

ByteReader StructureReader::open_regions(ByteReader& bytes, const OpHeader& header) const {
  if (!header.is_isolated) return bytes;
  Section section = {};
  const ByteReader regions = read_section(bytes, section);
  if (section != Section::kOps) source_.fail_at(header.position, "expected the section of a region");
  return regions;
}

std::size_t StructureReader::read_region(ByteReader& bytes) const {
  const std::size_t begin = bytes.position();
  if (bytes.varint() != 1) source_.fail_at(begin, "a region must have one block, without branches to others");
  return bytes.count("values");
}

std::vector<std::size_t> StructureReader::read_arguments(ByteReader& bytes) const {
  const std::size_t count = bytes.count("arguments");
  budget_.take_bytes(count * kListedValueBytes);
  std::vector<std::size_t> types;
  types.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = bytes.position();
    std::uint64_t type = bytes.varint();
    bool has_location = true;
    if (sections_.version() >= kLocationFlagVersion) {
      has_location = (type & 1) != 0;
      type >>= 1;
    }
    if (type >= sections_.types().size()) source_.fail_at(at, fmt::format("there is no type {}", type));
    if (has_location) attributes_.read_attribute_number(bytes);
    types.push_back(static_cast<std::size_t>(type));
  }
  if (sections_.version() >= kUseListVersion && bytes.byte() != 0) skip_use_lists(bytes, count);
  return types;
}

void StructureReader::add_references(ByteReader bytes, std::unordered_set<std::string>& names) {
  add_references_of_region(bytes, names);
}

void StructureReader::add_references_of_region(ByteReader& bytes, std::unordered_set<std::string>& names) {
  const text::Level level(source_, bytes.position(), budget_);
  constexpr std::size_t kReferenceBytes = 128;
  read_region(bytes);
  const auto [num_ops, has_arguments] = bytes.varint_with_flag();
  if (has_arguments) read_arguments(bytes);
  for (std::uint64_t left = num_ops; left > 0; --left) {
    const text::NodesOfScope nodes(budget_);
    const OpHeader header = read_header(bytes, source_.size());
    for (const auto& [name, number] : header.attributes) {
      if (name != "callee" && name != "decomposition") continue;
      const std::optional<text::Syntax> function = attributes_.value(number);
      if (function.has_value() && names.insert(function->text).second) budget_.take_bytes(kReferenceBytes);
    }
    ByteReader regions = open_regions(bytes, header);
    for (std::size_t i = 0; i < header.num_regions; ++i) add_references_of_region(regions, names);
    if (!header.is_isolated) bytes = regions;
  }
}

}  // namespace cornu::inline v0::ir::bytecode
