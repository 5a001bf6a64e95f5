#pragma once

#include <string>

/// Libraries of ours that are loaded on first use: what they are linked with is large, and most programs
/// never need it.
namespace cornu::inline v0 {

/// Which library, and what it is for.
struct OwnModule {
  const char* tag;     // who says errors: "grpc"
  const char* does;    // "speaks gRPC"
  const char* file;    // "libcornu_remote.so", beside the library or program that Cornu is in
  const char* symbol;  // a function without arguments that returns a table, whose first member is what
                       // own_module_mark() returns there
};

/// The table. The library stays loaded. Errors: kUnavailable when the file or the symbol is not there, or
/// when the module was linked with another Cornu than this one.
const void* load_own_module(const OwnModule& module);

/// An address that each copy of Cornu in a process has of its own.
const void* own_module_mark();

}  // namespace cornu::inline v0
