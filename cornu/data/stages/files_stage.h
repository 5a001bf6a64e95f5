#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cornu/data/stage.h"

namespace cornu::inline v0::data {

/// The elements of one file.
class FileReader {
 public:
  virtual ~FileReader() = default;
  virtual std::optional<Element> next() = 0;
  /// The offset of the next element, for seek().
  virtual std::uint64_t offset() const = 0;
  virtual void seek(std::uint64_t offset) = 0;
};
using OpenFile = std::function<std::unique_ptr<FileReader>(const std::string& path)>;

/// The elements of files, one file after another.
StagePointer files_stage(const char* name, std::vector<std::string> paths, OpenFile open_one);

}  // namespace cornu::inline v0::data
