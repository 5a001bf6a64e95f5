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

/// The maximum number of arrays in one order or backup: an archive's directory is in memory while it is read.
inline constexpr std::size_t kMostArrays = 65'536;

/// One array that a client requests; see OpenRequest in worker.proto.
struct OpenItem {
  std::uint64_t buffer = 0;
  std::string name;
  std::optional<ir::TensorType> row;  // for features of records
};

struct OpenOrder {
  std::vector<std::string> paths;
  std::vector<OpenItem> items;
};

/// An array with a known type and readable elements.
struct StoredArray {
  ir::TensorType type;
  /// Fills type.size_bytes() bytes. Errors: DataLoss.
  std::function<void(std::span<std::byte>)> read;
};

/// An array whose elements are read from their file.
StoredArray stored_array(io::StoredArray array);

/// Passes an array of an archive to `take`. Decompressed bytes count against the quota until `take` returns.
/// Errors: those of ZipFile::open; DataLoss; ResourceExhausted.
void take_member(const io::ZipFile& archive, const std::string& name, MemoryQuota& quota,
                 const std::function<void(const StoredArray&)>& take);

/// Passes the arrays of an order to `take`, one for each item, in order. Their memory counts against the
/// quota, until the last take() that needs it has returned.
/// Errors: those of DataRoot::open; NotFound for an array that does not exist, with the existing ones;
///         DataLoss for damaged files; InvalidArgument for an order that does not fit its files;
///         ResourceExhausted.
void open_arrays(const DataRoot& root, const OpenOrder& order, MemoryQuota& quota,
                 const std::function<void(const StoredArray&)>& take);

/// The range of all elements; empty for types without a C++ number type.
std::optional<runtime::ValueRange> range_of(const ir::TensorType& type, const std::byte* elements);

ir::DType dtype_of(io::ElementType type);
/// Empty for small types, which files do not have.
std::optional<io::ElementType> element_type_of(ir::DType dtype);

}  // namespace cornu::inline v0::backends::remote
