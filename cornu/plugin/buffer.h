#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string_view>
#include <vector>

#include "cornu/plugin/client.h"
#include "cornu/plugin/memory.h"
#include "cornu/plugin/signal.h"

namespace cornu::inline v0::plugin {

using Dims = std::vector<std::int64_t>;

/// The bytes of one element in memory; types of fewer than 8 bits take a byte.
/// Errors: Unimplemented for a type without elements.
std::size_t element_size(PJRT_Buffer_Type type);
/// Errors: InvalidArgument for a negative extent, ResourceExhausted for a size beyond 63 bits.
std::size_t size_in_bytes(PJRT_Buffer_Type type, std::span<const std::int64_t> dims);

/// The memory of a buffer and the completion of the work that writes it.
struct Contents {
  std::shared_ptr<Block> block;
  std::shared_ptr<Signal> ready;
};

/// Adds the functions of buffers, and of their creation, to the interface.
void add_buffer_functions(PJRT_Api& api);

}  // namespace cornu::inline v0::plugin

/// A tensor on a device, row-major.
/// Threads: safe.
struct PJRT_Buffer {
  PJRT_Buffer(PJRT_Memory* in, PJRT_Buffer_Type element_type, cornu::plugin::Dims extents,
              cornu::plugin::Contents contents)
      : memory(in),
        device(in->device),
        type(element_type),
        dims(std::move(extents)),
        owner_(std::move(contents.block)),
        ready_(std::move(contents.ready)) {}

  /// Errors: InvalidArgument, which begins with `user`, if it was deleted or donated.
  cornu::plugin::Contents contents(std::string_view user) const;
  /// Contents of a donated buffer, which is deleted then; `is_exclusive`: programs may write to the memory, as
  /// nothing else refers to it.
  struct Taken {
    cornu::plugin::Contents contents;
    bool is_exclusive;
  };
  /// Errors: those of contents().
  Taken take(std::string_view user);
  /// Undoes take().
  void restore(cornu::plugin::Contents contents);
  void delete_contents();
  bool is_deleted() const;
  void add_reference();
  void drop_reference();

  PJRT_Memory* const memory;
  PJRT_Device* const device;
  const PJRT_Buffer_Type type;
  const cornu::plugin::Dims dims;

 private:
  mutable std::mutex mutex_;
  cornu::plugin::BlockOwner owner_;  // empty: deleted
  std::shared_ptr<cornu::plugin::Signal> ready_;
  std::vector<cornu::plugin::BlockOwner> references_;  // of host arrays that are views
};
