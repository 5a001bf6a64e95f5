#pragma once

#include <new>
#include <stdexcept>
#include <string>

namespace cornu::inline v0::keras::files {

/// Throws ResourceExhausted that names the file.
[[noreturn]] void fail_no_memory_for(const char* caller, const std::string& path);

/// Runs what reads a file, of which anything may be asked. Errors: also ResourceExhausted, in place of the
/// standard library's errors, where an allocation fails.
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
