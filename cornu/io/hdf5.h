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

/// Texts that an HDF5 object carries: one, or a list. Numbers are not kept: nothing here needs one.
struct Hdf5Attribute {
  bool is_list = false;
  std::vector<std::string> texts;
};
using Hdf5Attributes = std::map<std::string, Hdf5Attribute, std::less<>>;

/// An array in an HDF5 file: where it lies.
struct Hdf5Dataset {
  ElementType type = ElementType::kF32;
  std::vector<std::int64_t> dims;
  Hdf5Attributes attributes;
  std::uint64_t offset = 0;
  std::uint64_t size_bytes = 0;
};

struct Hdf5Group {
  Hdf5Attributes attributes;
  std::map<std::string, std::unique_ptr<Hdf5Group>, NumberedOrder> groups;
  std::map<std::string, Hdf5Dataset, NumberedOrder> datasets;

  /// The group or data set of a path ("layers/dense/vars"); null when there is none.
  const Hdf5Group* find_group(StringViewArgument path) const;
  const Hdf5Dataset* find_dataset(StringViewArgument path) const;
};

/// An HDF5 file that nobody vouches for. Read is the subset that Keras writes, which is that of the oldest
/// version of the format: groups, contiguous arrays of numbers, truth values and bfloat16, attributes of
/// text.
///
/// Nothing in the file is followed out of it: links, virtual and external data sets, filters and chunks are
/// refused by name. Sizes are compared with the file's before anything is allocated, no object may have two
/// names, all arrays together are no larger than the file, and what is read to find them is at most twice as
/// large.
/// Errors: DataLoss with file and position for what is damaged or beyond the subset.
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

/// What write_hdf5 writes: views of arrays, which live until it returns.
struct Hdf5Content {
  Hdf5Attributes attributes;
  std::map<std::string, std::unique_ptr<Hdf5Content>> groups;
  std::map<std::string, std::pair<ArrayView, Hdf5Attributes>> datasets;

  /// The group below, made if it is not there. `path` may have several names.
  Hdf5Content& group(StringViewArgument path);
};

/// An HDF5 file in the form in which h5py writes Keras's; any HDF5 library reads it. The same content gives
/// the same bytes.
class Hdf5Writer {
 public:
  /// Lays the file out. Lifetime: of `content`, until write() returns. Errors: InvalidArgument for more
  /// attributes than an object holds (64 KiB of headers).
  explicit Hdf5Writer(const Hdf5Content& content);
  ~Hdf5Writer();
  Hdf5Writer(const Hdf5Writer&) = delete;
  Hdf5Writer& operator=(const Hdf5Writer&) = delete;

  std::uint64_t size_bytes() const;
  /// From the first byte to the last, without going back.
  void write(const ByteSink& sink) const;

 private:
  struct Layout;
  std::unique_ptr<Layout> layout_;
};

}  // namespace cornu::inline v0::io
