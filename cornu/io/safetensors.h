#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cornu/base/string_argument.h"
#include "cornu/io/array.h"
#include "cornu/io/random_access.h"

namespace cornu::inline v0::io {

/// Reads arrays by name in the safetensors format: a description in JSON, then the elements.
///
/// Errors: DataLoss with file and position for damage: an invalid description, arrays that overlap, leave
///         gaps or do not fill the file, extents that do not fit their bytes.
class SafetensorsFile {
 public:
  struct Entry {
    ElementType type = ElementType::kF32;
    std::vector<std::int64_t> dims;
    std::uint64_t offset = 0;
    std::uint64_t size_bytes = 0;
  };

  explicit SafetensorsFile(RandomAccessPointer bytes);

  const std::string& name() const { return bytes_->name(); }
  const std::map<std::string, Entry>& entries() const { return entries_; }
  /// The file's metadata texts.
  const std::map<std::string, std::string>& metadata() const { return metadata_; }
  /// `destination` must have the entry's size.
  void read(const Entry& entry, std::span<std::byte> destination) const;

 private:
  RandomAccessPointer bytes_;
  std::map<std::string, Entry> entries_;
  std::map<std::string, std::string> metadata_;
};

/// Writes arrays in their order, atomically.
/// Errors: InvalidArgument for duplicate names; those of WholeFile.
void write_safetensors(const StringArgument& path, std::span<const std::pair<std::string, ArrayView>> arrays,
                       const std::map<std::string, std::string>& metadata = {});

}  // namespace cornu::inline v0::io
