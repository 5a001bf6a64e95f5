#pragma once

#include <filesystem>
#include <string>

/// Loads Cornu's own optional libraries on first use: they are linked with large libraries, and most programs
/// never need them. They are searched only in the folder of the file that contains this code (program or
/// shared library) and in ../lib relative to it. The folder is determined when that file is loaded, so later
/// changes of the working directory do not matter.
namespace cornu::inline v0 {

/// The absolute path of an optional library. Empty: not found; `reason` states the places that were searched.
struct OwnModulePath {
  std::filesystem::path path;
  std::string reason;
};
OwnModulePath find_own_module(const char* file);

/// An optional library and its purpose.
struct OwnModule {
  const char* tag;     // tag of errors: "grpc"
  const char* does;    // "speaks gRPC"
  const char* file;    // "libcornu_remote.so", see find_own_module
  const char* symbol;  // a function without arguments that returns a table, whose first member is what
                       // own_module_mark() returns there
};

/// Loads the library and returns the table. The library stays loaded. Errors: kUnavailable if the file or the
/// symbol is missing, or if the module was linked with another Cornu.
const void* load_own_module(const OwnModule& module);

/// A unique address for each copy of Cornu in a process.
const void* own_module_mark();

}  // namespace cornu::inline v0
