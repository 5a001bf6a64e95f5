#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cornu/runtime/buffer.h"

namespace cornu::inline v0::runtime {

/// What is known of an array's elements without looking at them.
struct ValueRange {
  double least = 0, greatest = 0;
  bool are_integers = false;
};

/// Files where the devices are.
struct DistantFiles {
  /// Below the folder that is lent: one .npy or .npz file, or files of records, one behind the other.
  std::vector<std::string> paths;
  /// Of an archive's arrays, or of the records' features; empty for an .npy file.
  std::vector<std::string> names = {};
  /// What each record's feature is: f32, i64, or u8 for bytes; empty: the files hold arrays.
  std::vector<ir::TensorType> features = {};
};

struct NamedBuffer {
  std::string name;
  Buffer* buffer = nullptr;
};

/// What a Client whose devices are in another process can do besides (Client::distant). Its executions gather
/// rows from buffers there as well as from what is sent with them: data that are used again are better kept
/// there.
class DistantClient {
 public:
  DistantClient() = default;
  virtual ~DistantClient();
  DistantClient(const DistantClient&) = delete;
  DistantClient& operator=(const DistantClient&) = delete;

  /// Connects again after an error of code kUnavailable. What buffers held is lost: reading them is
  /// FailedPrecondition until they are written again. Programs stay usable.
  /// Errors: kUnavailable when nobody answers yet; others when it makes no sense to ask again.
  virtual void reconnect() = 0;
  /// Changes whenever what buffers held is lost.
  virtual std::uint64_t generation() const = 0;

  /// A client of several devices there, of which these are clients: replicas of a program run on them together. `all`
  /// begins with this one.
  /// Errors: InvalidArgument when they are of several workers, or are there of several clients or no group;
  ///         Unimplemented for a process that lends no groups.
  virtual std::shared_ptr<Client> group(std::span<const std::shared_ptr<Client>> all);

  // Files there. Clients that have none throw FailedPrecondition.
  /// Arrays of files in buffers there, one a name, which are only read; after reconnect() they are opened again
  /// when they are next used.
  /// Errors: InvalidArgument for a path that leads out of the folder; NotFound; DataLoss for damaged files;
  ///         ResourceExhausted.
  virtual std::vector<std::unique_ptr<Buffer>> open(const DistantFiles& files);
  /// Whether open() made the buffer: then it need never be fetched, and can be had again.
  virtual bool is_opened(const Buffer& buffer) const;
  /// Of a buffer that open() made; nothing where nobody looked.
  virtual std::optional<ValueRange> range_of(const Buffer& buffer) const;
  /// Keeps buffers in a file there, whole or not at all. `mark`: of the run that it belongs to.
  /// Errors: as open; InvalidArgument for a path that cannot be written.
  virtual void save(const std::string& path, std::uint64_t mark, std::span<const NamedBuffer> buffers);
  /// Brings them back. Errors: as save; FailedPrecondition for a file with another mark or other buffers.
  virtual void load(const std::string& path, std::uint64_t mark, std::span<const NamedBuffer> buffers);
};

}  // namespace cornu::inline v0::runtime
