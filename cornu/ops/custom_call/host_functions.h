#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

/// Functions of the process that programs call back: custom calls with the target "cornu_host_call".
namespace cornu::inline v0::ops {

/// A function of the host program in C's form. `operands` and `results` are the addresses of dense row-major
/// tensors, in the order of the call. Returns 0, or another number and a message of at most `capacity` bytes
/// with its final zero. It must not throw.
using HostFunction = int (*)(std::uint64_t id, const void* const* operands, void* const* results,
                             char* message, std::size_t capacity);

/// A function that was added. Programs hold a reference from their compilation on.
class HostFunctionEntry {
 public:
  HostFunctionEntry(std::uint64_t id, HostFunction function) : id_(id), function_(function) {}

  /// Runs the function on the calling thread, with the default treatment of numbers below the smallest normal
  /// one.
  /// Errors: FailedPrecondition with the function's message; FailedPrecondition after close_host_functions.
  void call(std::span<const void* const> operands, std::span<void* const> results) const;

 private:
  std::uint64_t id_;
  HostFunction function_;
};

/// Adds a function under a number that no other function of the process has. A program of another process must
/// not call it by chance, so numbers should begin at a random one.
/// Threads: safe, like all functions here.
/// Errors: InvalidArgument if the number is in use.
void add_host_function(std::uint64_t id, HostFunction function);

/// Removes a function; returns false, and changes nothing, while a program refers to it.
bool remove_host_function(std::uint64_t id);

/// Returns the function with this number.
/// Errors: FailedPrecondition if there is none: the program was compiled in another process.
std::shared_ptr<const HostFunctionEntry> find_host_function(std::uint64_t id);

/// True on a thread that is inside a host function: work that it waits for must not wait for the function.
bool is_in_host_function();

/// Waits for the calls that run, and lets all later ones fail: for the end of an interpreter, after which its
/// functions cannot run.
void close_host_functions();

}  // namespace cornu::inline v0::ops
