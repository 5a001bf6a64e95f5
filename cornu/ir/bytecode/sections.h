#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cornu/ir/bytecode/byte_reader.h"
#include "cornu/ir/text/syntax.h"

namespace cornu::inline v0::ir::bytecode {

/// The numbers of sections.
enum class Section : std::uint8_t {
  kStrings,
  kDialects,
  kAttributesAndTypes,
  kAttributeAndTypeSizes,
  kOps,
  kResources,
  kResourceSizes,
  kDialectVersions,
  kProperties,
};
inline constexpr std::size_t kNumSections = 9;

/// Versions of the format from which something is encoded differently.
inline constexpr std::uint64_t kOldestVersion = 2, kUseListVersion = 3, kLocationFlagVersion = 4,
                               kPropertiesVersion = 5, kNewestVersion = 6;

inline constexpr std::string_view kMagic = "ML\xefR";

/// Reads the header of a section, and returns its content.
ByteReader read_section(ByteReader& bytes, Section& section);

/// The tables of a file of MLIR bytecode: strings, dialects, names of ops, and the encodings of attributes,
/// types and properties, which are interpreted where they are used.
///
/// Errors: InvalidArgument with the byte's offset; Unimplemented for a version of the format that is too old
///         or too new.
class Sections {
 public:
  Sections(const text::Source& source, text::ReadBudget& budget);

  std::uint64_t version() const { return version_; }

  struct OpName {
    std::string name;  // "vhlo.add_v1"
    bool is_registered = true;
  };
  /// The encoding of an attribute or a type.
  struct Entry {
    std::size_t dialect = 0;
    std::size_t begin = 0, end = 0;
    bool is_text = false;  // MLIR's text in place of the dialect's own encoding
  };

  std::string_view string_at(std::size_t i) const { return strings_[i]; }
  std::string_view read_string(ByteReader& bytes) const;
  const OpName& read_op_name(ByteReader& bytes) const;
  std::string_view dialect(std::size_t i) const { return dialects_[i]; }
  const std::vector<Entry>& attributes() const { return attributes_; }
  const std::vector<Entry>& types() const { return types_; }
  /// The properties of an op, whose number is read from `bytes`.
  ByteReader read_properties(ByteReader& bytes) const;
  /// The top-level block.
  ByteReader ops() const { return content(Section::kOps); }

 private:
  ByteReader content(Section section) const;
  void find_sections(ByteReader& bytes);
  void read_strings();
  void read_dialects();
  void read_entries();
  std::size_t read_group(ByteReader& bytes) const;
  void find_properties();

  const text::Source& source_;
  text::ReadBudget& budget_;
  std::uint64_t version_ = 0;
  struct Extent {
    std::size_t begin = 0, end = 0;
    bool is_present = false;
  };
  std::array<Extent, kNumSections> extents_;
  std::vector<std::string_view> strings_;
  std::vector<std::string_view> dialects_;
  std::vector<OpName> op_names_;
  std::vector<Entry> attributes_, types_;
  std::vector<Extent> properties_;
};

}  // namespace cornu::inline v0::ir::bytecode
