#pragma once

#include <new>
#include <stdexcept>
#include <string>

namespace cornu::inline v0::keras::files {

/// Throws ResourceExhausted, naming the file.
[[noreturn]] void fail_no_memory_for(const char* caller, const std::string& path);

/// Runs `read` on a file that may require any amount of memory. Errors: also ResourceExhausted, in place of
/// the standard library's exceptions, if an allocation fails.
template <typename F>
decltype(auto) with_enough_memory(const char* caller, const std::string& path, const F& read) {
  try {
    return read();
  } catch (const std::bad_alloc&) {
    fail_no_memory_for(caller, path);
  } catch (const std::length_error&) {
    fail_no_memory_for(caller, path);
  }
}

}  // namespace cornu::inline v0::keras::files
