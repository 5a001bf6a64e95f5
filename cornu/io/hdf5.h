#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "cornu/base/string_argument.h"
#include "cornu/io/array.h"
#include "cornu/io/random_access.h"

namespace cornu::inline v0::io {

/// "2" before "10", letters by their bytes: the order in which numbered names were made.
struct NumberedOrder {
  using is_transparent = void;
  bool operator()(std::string_view x, std::string_view y) const;
};

/// A text attribute of an HDF5 object: one text, or a list. Attributes of numbers are ignored, since no
/// reader here needs them.
struct Hdf5Attribute {
  bool is_list = false;
  std::vector<std::string> texts;
};
using Hdf5Attributes = std::map<std::string, Hdf5Attribute, std::less<>>;

/// An array in an HDF5 file: its type and position.
struct Hdf5Dataset {
  ElementType type = ElementType::kF32;
  std::vector<std::int64_t> dims;
  Hdf5Attributes attributes;
  std::uint64_t offset = 0;  // 0 without elements, which have no position in the file
  std::uint64_t size_bytes = 0;
};

struct Hdf5Group {
  Hdf5Attributes attributes;
  std::map<std::string, std::unique_ptr<Hdf5Group>, NumberedOrder> groups;
  std::map<std::string, Hdf5Dataset, NumberedOrder> datasets;

  /// The group or data set at a path ("layers/dense/vars"); null if there is none.
  const Hdf5Group* find_group(StringViewArgument path) const;
  const Hdf5Dataset* find_dataset(StringViewArgument path) const;
};

/// Reader of an untrusted HDF5 file. It supports the subset that Keras writes, of the oldest version of the
/// format: groups, contiguous arrays of numbers, truth values and bfloat16, text attributes.
///
/// References out of the file are never followed: links, virtual and external data sets, filters and chunks
/// are rejected with their names. Sizes are checked against the file's before anything is allocated. No
/// object may have two names, all arrays together are at most as large as the file, and at most twice that is
/// read to find them.
/// Errors: DataLoss with file and position for damage and for unsupported content.
class Hdf5File {
 public:
  explicit Hdf5File(RandomAccessPointer bytes);

  const Hdf5Group& root() const { return root_; }
  const std::string& name() const { return bytes_->name(); }
  /// The elements, row-major; `destination` has the data set's size.
  void read(const Hdf5Dataset& dataset, std::span<std::byte> destination) const;

 private:
  RandomAccessPointer bytes_;
  Hdf5Group root_;
};

/// Content for write_hdf5: views of arrays, which must live until it returns.
struct Hdf5Content {
  Hdf5Attributes attributes;
  std::map<std::string, std::unique_ptr<Hdf5Content>> groups;
  std::map<std::string, std::pair<ArrayView, Hdf5Attributes>> datasets;

  /// The subgroup at `path`, which may have several names; made if missing.
  Hdf5Content& group(StringViewArgument path);
};

/// Writes an HDF5 file in the form of h5py and Keras; any HDF5 library reads it. Equal content gives equal
/// bytes.
class Hdf5Writer {
 public:
  /// Computes the file's layout. Lifetime: `content` must live until write() returns. Errors: InvalidArgument
  /// for more attributes than an object can have (64 KiB of headers).
  explicit Hdf5Writer(const Hdf5Content& content);
  ~Hdf5Writer();
  Hdf5Writer(const Hdf5Writer&) = delete;
  Hdf5Writer& operator=(const Hdf5Writer&) = delete;

  std::uint64_t size_bytes() const;
  /// Writes the file sequentially.
  void write(const ByteSink& sink) const;

 private:
  struct Layout;
  std::unique_ptr<Layout> layout_;
};

}  // namespace cornu::inline v0::io
