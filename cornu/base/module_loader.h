#pragma once

#include <filesystem>
#include <string>

/// Libraries of ours that are loaded on first use: what they are linked with is large, and most programs
/// never need it. They are looked for beside the file that holds this code (program or shared library) and in
/// the folder ../lib from there, where that file was when it was loaded itself: whatever becomes of the
/// working directory or of the folder, no other place is asked.
namespace cornu::inline v0 {

/// The absolute path of a library of ours. Empty: it is not there, and `reason` says where it was looked for.
struct OwnModulePath {
  std::filesystem::path path;
  std::string reason;
};
OwnModulePath find_own_module(const char* file);

/// Which library, and what it is for.
struct OwnModule {
  const char* tag;     // who says errors: "grpc"
  const char* does;    // "speaks gRPC"
  const char* file;    // "libcornu_remote.so", see find_own_module
  const char* symbol;  // a function without arguments that returns a table, whose first member is what
                       // own_module_mark() returns there
};

/// The table. The library stays loaded. Errors: kUnavailable when the file or the symbol is not there, or
/// when the module was linked with another Cornu than this one.
const void* load_own_module(const OwnModule& module);

/// An address that each copy of Cornu in a process has of its own.
const void* own_module_mark();

}  // namespace cornu::inline v0
