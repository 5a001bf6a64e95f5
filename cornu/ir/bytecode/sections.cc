#include "cornu/ir/bytecode/sections.h"

#include <algorithm>

#include "cornu/base/check.h"

namespace cornu::inline v0::ir::bytecode {

ByteReader read_section(ByteReader& bytes, Section& section) {
  constexpr std::uint8_t kIsAligned = 0x80;
  const std::size_t at = bytes.position();
  const std::uint8_t id = bytes.byte();
  const std::size_t number = id & ~kIsAligned;
  if (number >= kNumSections) bytes.source().fail_at(at, fmt::format("there is no section {}", number));
  section = static_cast<Section>(number);
  const std::uint64_t length = bytes.varint();
  if ((id & kIsAligned) != 0) {
    const std::uint64_t alignment = bytes.varint();
    constexpr std::uint64_t kLargestAlignment = 1 << 16;
    if (alignment == 0 || alignment > kLargestAlignment || (alignment & (alignment - 1)) != 0)
      bytes.fail(fmt::format("a section cannot be aligned to {} bytes", alignment));
    while (bytes.position() % alignment != 0) bytes.byte();  // padding
  }
  return bytes.part(length);
}

Sections::Sections(const text::Source& source, text::ReadBudget& budget) : source_(source), budget_(budget) {
  ByteReader bytes(source, 0, source.size());
  if (bytes.bytes(std::min(kMagic.size(), source.size())) != kMagic)
    source.fail_at(0, "this is no MLIR bytecode, which begins with the bytes 4D 4C EF 52");
  const std::size_t at = bytes.position();
  version_ = bytes.varint();
  if (version_ < kOldestVersion || version_ > kNewestVersion)
    source.fail_at(at, Error(ErrorCode::kUnimplemented,
                             fmt::format("MLIR bytecode of version {} is not supported, only versions {} to "
                                         "{}: write the program with StableHLO 1.0 or later",
                                         version_, kOldestVersion, kNewestVersion)));
  bytes.zero_terminated();  // the producer
  find_sections(bytes);
  read_strings();
  read_dialects();
  read_entries();
  find_properties();
}

void Sections::find_sections(ByteReader& bytes) {
  while (!bytes.is_at_end()) {
    const std::size_t at = bytes.position();
    Section section = {};
    const ByteReader found = read_section(bytes, section);
    Extent& extent = extents_[static_cast<std::size_t>(section)];
    if (extent.is_present)
      source_.fail_at(at, fmt::format("section {} appears twice", static_cast<int>(section)));
    extent = {found.position(), found.end(), true};
  }
}

ByteReader Sections::content(Section section) const {
  const Extent& extent = extents_[static_cast<std::size_t>(section)];
  if (!extent.is_present)
    source_.fail_at(source_.size(),
                    fmt::format("the bytecode has no section {}: it is cut off", static_cast<int>(section)));
  return {source_, extent.begin, extent.end};
}

void Sections::read_strings() {
  ByteReader bytes = content(Section::kStrings);
  const std::size_t count = bytes.count("strings");
  budget_.take_bytes(count * sizeof(std::string_view));
  strings_.resize(count);
  // The lengths, which include a zero byte at the end, are in reverse order.
  std::size_t end = bytes.end();
  for (std::string_view& string : strings_) {
    const std::uint64_t size = bytes.varint();
    if (size == 0 || end < bytes.position() || size > end - bytes.position())
      bytes.fail("the lengths of the strings exceed the section");
    end -= static_cast<std::size_t>(size);
    string = source_.source(end, static_cast<std::size_t>(size) - 1);
  }
  std::reverse(strings_.begin(), strings_.end());
  if (end != bytes.position()) bytes.fail("the lengths of the strings do not fill the section");
}

std::string_view Sections::read_string(ByteReader& bytes) const {
  return strings_[bytes.index(strings_.size(), "string")];
}

/// Reads the dialect of a group of entries.
std::size_t Sections::read_group(ByteReader& bytes) const { return bytes.index(dialects_.size(), "dialect"); }

void Sections::read_dialects() {
  ByteReader bytes = content(Section::kDialects);
  const std::size_t num_dialects = bytes.count("dialects");
  budget_.take_bytes(num_dialects * sizeof(std::string_view));
  for (std::size_t i = 0; i < num_dialects; ++i) {
    const std::size_t at = bytes.position();
    const auto [name, has_version] = bytes.varint_with_flag();
    if (name >= strings_.size()) source_.fail_at(at, fmt::format("there is no string {}", name));
    dialects_.push_back(strings_[static_cast<std::size_t>(name)]);
    Section section = {};
    if (has_version) read_section(bytes, section);
  }
  if (version_ >= kLocationFlagVersion) bytes.varint();  // the number of ops, which the groups repeat
  while (!bytes.is_at_end()) {
    const std::size_t dialect = read_group(bytes);
    for (std::size_t left = bytes.count("operations"); left > 0; --left) {
      const std::size_t at = bytes.position();
      const std::uint64_t number = bytes.varint();
      const bool has_flag = version_ >= kPropertiesVersion;
      const std::uint64_t name = has_flag ? number >> 1 : number;
      if (name >= strings_.size()) source_.fail_at(at, fmt::format("there is no string {}", name));
      const std::string_view of_op = strings_[static_cast<std::size_t>(name)];
      // A short file could name a long string many times.
      constexpr std::size_t kLongestName = 256;
      if (of_op.size() + dialects_[dialect].size() > kLongestName)
        source_.fail_at(at, "the name of an operation is too long");
      budget_.take_bytes(sizeof(OpName) + of_op.size() + dialects_[dialect].size());
      op_names_.push_back({fmt::format("{}.{}", dialects_[dialect], of_op), !has_flag || (number & 1) != 0});
    }
  }
}

const Sections::OpName& Sections::read_op_name(ByteReader& bytes) const {
  return op_names_[bytes.index(op_names_.size(), "name of an operation")];
}

void Sections::read_entries() {
  ByteReader sizes = content(Section::kAttributeAndTypeSizes);
  ByteReader bytes = content(Section::kAttributesAndTypes);
  const std::size_t num_attributes = sizes.count("attributes"), num_types = sizes.count("types");
  budget_.take_bytes((num_attributes + num_types) * sizeof(Entry));
  for (auto [entries, count] : {std::pair(&attributes_, num_attributes), std::pair(&types_, num_types)}) {
    entries->reserve(count);
    while (entries->size() < count) {
      const std::size_t dialect = read_group(sizes);
      const std::size_t at = sizes.position();
      const std::uint64_t in_group = sizes.varint();
      if (in_group == 0 || in_group > count - entries->size())
        source_.fail_at(at, "the groups of attributes and types are of other sizes than declared");
      for (std::uint64_t i = 0; i < in_group; ++i) {
        const auto [size, has_encoding] = sizes.varint_with_flag();
        const ByteReader entry = bytes.part(size);
        entries->push_back({dialect, entry.position(), entry.end(), !has_encoding});
      }
    }
  }
}

void Sections::find_properties() {
  if (!extents_[static_cast<std::size_t>(Section::kProperties)].is_present) return;
  ByteReader bytes = content(Section::kProperties);
  const std::size_t count = bytes.count("properties");
  budget_.take_bytes(count * sizeof(Extent));
  properties_.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const ByteReader found = bytes.part(bytes.varint());
    properties_.push_back({found.position(), found.end(), true});
  }
}

ByteReader Sections::read_properties(ByteReader& bytes) const {
  const Extent& found = properties_[bytes.index(properties_.size(), "properties")];
  return {source_, found.begin, found.end};
}

}  // namespace cornu::inline v0::ir::bytecode
