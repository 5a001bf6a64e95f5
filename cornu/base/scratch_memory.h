#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

namespace cornu::inline v0 {

/// Zero-filled memory for a value that may be larger than the machine's memory.
///
/// A value of at most a quarter of the memory budget (memory_budget_bytes) is in memory, if that is free. A
/// larger one is in the pages of an unnamed file in `folder`: the system writes them to the disk when memory
/// is scarce. The file is removed with the memory, also when the process is killed.
/// Errors: ResourceExhausted, with the text that `what` returns, the bytes and the folder, if neither memory
///         nor disk has the space.
std::shared_ptr<std::byte> scratch_memory(const std::string& folder, std::size_t size_bytes,
                                          const std::function<std::string()>& what);

/// True if scratch_memory returned this address and it is in a file.
bool is_in_scratch_file(const void* begin);

}  // namespace cornu::inline v0
