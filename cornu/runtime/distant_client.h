#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cornu/runtime/buffer.h"

namespace cornu::inline v0::runtime {

/// Range of an array's elements as far as it is known without reading them.
struct ValueRange {
  double least = 0, greatest = 0;
  bool are_integers = false;
};

/// Files on the devices' machine.
struct DistantFiles {
  /// Paths relative to the worker's shared folder: one .npy or .npz file, or record files, which are read one
  /// after the other.
  std::vector<std::string> paths;
  /// The names of an archive's arrays, or of the records' features; empty for an .npy file.
  std::vector<std::string> names = {};
  /// The types of the records' features: f32, i64, or u8 for bytes. Empty if the files hold arrays.
  std::vector<ir::TensorType> features = {};
};

struct NamedBuffer {
  std::string name;
  Buffer* buffer = nullptr;
};

/// Additional interface of a Client whose devices are in another process (`Client::distant`). Its executions
/// gather rows from buffers on the remote device or from rows sent with them; reused data are better kept in
/// buffers.
class DistantClient {
 public:
  DistantClient() = default;
  virtual ~DistantClient();
  DistantClient(const DistantClient&) = delete;
  DistantClient& operator=(const DistantClient&) = delete;

  /// Reconnects after the session of generation `lost` was lost, as after an error of code kUnavailable.
  /// Buffer contents are lost: reading a buffer is FailedPrecondition until it is written again. Programs
  /// stay usable. If another caller has already reconnected and that session is alive, it is kept.
  /// Errors: kUnavailable while the worker does not answer; another code if trying again cannot help.
  /// Threads: safe; of several callers that found the same loss the first connects, and the others wait for
  ///          it.
  virtual void reconnect(std::uint64_t lost) = 0;
  /// Changes whenever the contents of buffers are lost.
  virtual std::uint64_t generation() const = 0;

  /// Makes a client that represents the devices of several clients of this worker: replicas of a program run
  /// on them together. `all` begins with this client.
  /// Errors: InvalidArgument if they belong to several workers, to several clients of the worker, or to no
  ///         group; Unimplemented for a process that lends no groups.
  virtual std::shared_ptr<Client> group(std::span<const std::shared_ptr<Client>> all);

  // Remote files. Clients without them throw FailedPrecondition.
  /// Opens arrays of remote files as read-only buffers, one for each name. After reconnect() they are opened
  /// again at their next use.
  /// Errors: InvalidArgument for a path outside the shared folder; NotFound; DataLoss for damaged files;
  ///         ResourceExhausted.
  virtual std::vector<std::unique_ptr<Buffer>> open(const DistantFiles& files);
  /// True if open() made the buffer, so that it need not be downloaded: it can be opened again.
  virtual bool is_opened(const Buffer& buffer) const;
  /// The range of the elements of a buffer that open() made; empty if it has not been computed.
  virtual std::optional<ValueRange> range_of(const Buffer& buffer) const;
  /// Saves buffers in a remote file, all or none. `mark` identifies the run that they belong to.
  /// Errors: those of open; InvalidArgument for a path that cannot be written.
  virtual void save(const std::string& path, std::uint64_t mark, std::span<const NamedBuffer> buffers);
  /// Loads buffers from a file that save() wrote. Errors: those of save; FailedPrecondition if the file has
  /// another mark or other buffers.
  virtual void load(const std::string& path, std::uint64_t mark, std::span<const NamedBuffer> buffers);
};

}  // namespace cornu::inline v0::runtime
