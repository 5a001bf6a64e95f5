#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cornu/backends/remote/worker/data_root.h"
#include "cornu/backends/remote/worker/memory_quota.h"
#include "cornu/io/array.h"
#include "cornu/io/npy.h"
#include "cornu/io/zip.h"
#include "cornu/ir/type.h"
#include "cornu/runtime/distant_client.h"

namespace cornu::inline v0::backends::remote {

/// Of one order, and of one backup: an archive's directory is in memory while it is read.
inline constexpr std::size_t kMostArrays = 65'536;

/// One array that a client asks for; see OpenRequest in worker.proto.
struct OpenItem {
  std::uint64_t buffer = 0;
  std::string name;
  std::optional<ir::TensorType> row;  // of records' features
};

struct OpenOrder {
  std::vector<std::string> paths;
  std::vector<OpenItem> items;
};

/// An array whose type is known and whose elements can be had.
struct StoredArray {
  ir::TensorType type;
  /// Fills type.size_bytes() bytes. Errors: DataLoss.
  std::function<void(std::span<std::byte>)> read;
};

/// Elements where they lie.
StoredArray stored_array(io::StoredArray array);

/// An array of an archive. What it is unpacked to counts against the quota as long as `take` runs.
/// Errors: as ZipFile::open; DataLoss; ResourceExhausted.
void take_member(const io::ZipFile& archive, const std::string& name, MemoryQuota& quota,
                 const std::function<void(const StoredArray&)>& take);

/// Gives `take` the arrays of an order, one an item, one after the other. What is held in memory for them
/// counts against the quota, until the last take() that needs it has returned.
/// Errors: those of DataRoot::open; NotFound for an array that is not there, with those that are; DataLoss
///         for damaged files; InvalidArgument for an order that does not fit its files; ResourceExhausted.
void open_arrays(const DataRoot& root, const OpenOrder& order, MemoryQuota& quota,
                 const std::function<void(const StoredArray&)>& take);

/// Looks at all elements; nothing for types whose elements no number of C++ is.
std::optional<runtime::ValueRange> range_of(const ir::TensorType& type, const std::byte* elements);

ir::DType dtype_of(io::ElementType type);
io::ElementType element_type_of(ir::DType dtype);

}  // namespace cornu::inline v0::backends::remote
