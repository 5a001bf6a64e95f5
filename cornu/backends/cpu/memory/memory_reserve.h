#pragma once

#include <atomic>
#include <cstddef>

namespace cornu::inline v0::backends::cpu {

/// Memory reserved for libraries that cannot handle a failed allocation: LLVM is compiled without exceptions,
/// so a bad_alloc thrown through it leaves its data structures inconsistent. (oneDNN cannot handle one
/// either; its calls of malloc are not redirected here, so only release_all() helps it.)
///
/// The reserve is untouched address space. When an allocation fails on a thread inside a Scope (by malloc or
/// by new), pieces of the reserve are released until it succeeds. The library then continues until check()
/// can be called, which throws.
///
/// While a reserve exists, its new_handler is called before the program's.
/// Threads: safe.
class MemoryReserve {
 public:
  /// Errors: ResourceExhausted, with `what`, if there is too little memory.
  MemoryReserve(const char* what, std::size_t size_bytes);
  ~MemoryReserve();
  MemoryReserve(const MemoryReserve&) = delete;
  MemoryReserve& operator=(const MemoryReserve&) = delete;

  /// Makes this thread's allocations use the reserve while it lives. Scopes nest: the innermost reserve is
  /// used.
  class Scope {
   public:
    explicit Scope(MemoryReserve& reserve);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    MemoryReserve* before_;
  };

  /// Errors: ResourceExhausted if the reserve was used.
  void check() const;
  /// Releases the whole reserve for the next allocations: allocations up to that size cannot fail then,
  /// except when other threads take the memory.
  void release_all();

  /// Releases a piece; false if nothing is left.
  bool release_piece();
  /// The reserve of the innermost scope of this thread; null outside.
  static MemoryReserve* of_thread();

 private:
  const char* what_;
  std::byte* memory_;
  std::size_t size_bytes_;
  std::atomic<std::size_t> left_bytes_;
  std::atomic<bool> is_drawn_on_{false};
};

}  // namespace cornu::inline v0::backends::cpu
