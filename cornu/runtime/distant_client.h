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
  /// Paths below the folder that is lent: one .npy or .npz file, or files of records, which are read one
  /// after the other.
  std::vector<std::string> paths;
  /// The names of an archive's arrays, or of the records' features; empty for an .npy file.
  std::vector<std::string> names = {};
  /// The types of the records' features: f32, i64, or u8 for bytes. Empty where the files hold arrays.
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

  /// Connects again after the session of generation `lost` was lost, as after an error of code kUnavailable.
  /// What buffers held is lost: reading them is FailedPrecondition until they are written again. Programs
  /// stay usable. Where another caller has connected again since, and that session is there, it is kept.
  /// Errors: kUnavailable when nobody answers yet; others when it makes no sense to ask again.
  /// Threads: safe; of several that found the same loss the first connects, and the others wait for it.
  virtual void reconnect(std::uint64_t lost) = 0;
  /// Changes whenever what buffers held is lost.
  virtual std::uint64_t generation() const = 0;

  /// A client that stands for the devices of several clients there: replicas of a program run on them
  /// together. `all` begins with this client.
  /// Errors: InvalidArgument when they are of several workers, or are there of several clients or no group;
  ///         Unimplemented for a process that lends no groups.
  virtual std::shared_ptr<Client> group(std::span<const std::shared_ptr<Client>> all);

  // Files there. Clients that have none throw FailedPrecondition.
  /// Arrays of files in buffers there, one for each name. They are only read; after reconnect() they are
  /// opened again when they are next used.
  /// Errors: InvalidArgument for a path that leads out of the folder; NotFound; DataLoss for damaged files;
  ///         ResourceExhausted.
  virtual std::vector<std::unique_ptr<Buffer>> open(const DistantFiles& files);
  /// Whether open() made the buffer, so that it need never be fetched: it can be opened again.
  virtual bool is_opened(const Buffer& buffer) const;
  /// The range of the elements of a buffer that open() made; nothing where nobody has looked at them.
  virtual std::optional<ValueRange> range_of(const Buffer& buffer) const;
  /// Saves buffers in a file there, all of them or none. `mark` is that of the run that they belong to.
  /// Errors: as open; InvalidArgument for a path that cannot be written.
  virtual void save(const std::string& path, std::uint64_t mark, std::span<const NamedBuffer> buffers);
  /// Loads what save() saved. Errors: as save; FailedPrecondition for a file with another mark or other
  /// buffers.
  virtual void load(const std::string& path, std::uint64_t mark, std::span<const NamedBuffer> buffers);
};

}  // namespace cornu::inline v0::runtime
