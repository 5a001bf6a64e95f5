#pragma once

#include <atomic>
#include <cstddef>

namespace cornu::inline v0::backends::cpu {

/// Memory set aside for libraries that cannot bear a failed allocation: LLVM is compiled without exceptions,
/// so a bad_alloc thrown through it leaves what it works on broken. (oneDNN cannot either; its calls of
/// malloc do not come here, so it only gets release_all().)
///
/// The reserve is address space that nothing touches. When an allocation fails on a thread inside a Scope (by
/// malloc or by new), pieces of the reserve are given back until it succeeds; so the library goes on to where
/// check() can be called, which then throws.
///
/// While one exists, a new_handler of ours stands before the program's.
/// Threads: safe.
class MemoryReserve {
 public:
  /// Errors: ResourceExhausted, naming `what`, when there is not that much.
  MemoryReserve(const char* what, std::size_t size_bytes);
  ~MemoryReserve();
  MemoryReserve(const MemoryReserve&) = delete;
  MemoryReserve& operator=(const MemoryReserve&) = delete;

  /// This thread works for the reserve's owner while it lives. Scopes nest: the innermost reserve is drawn
  /// on.
  class Scope {
   public:
    explicit Scope(MemoryReserve& reserve);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    MemoryReserve* before_;
  };

  /// Errors: ResourceExhausted when the reserve was drawn on.
  void check() const;
  /// Gives all of it back for what comes now: allocations of that size cannot fail then, but by what other
  /// threads take.
  void release_all();

  /// Gives a piece back; false when nothing is left.
  bool release_piece();
  /// Of the innermost scope of this thread; null outside.
  static MemoryReserve* of_thread();

 private:
  const char* what_;
  std::byte* memory_;
  std::size_t size_bytes_;
  std::atomic<std::size_t> left_bytes_;
  std::atomic<bool> is_drawn_on_{false};
};

}  // namespace cornu::inline v0::backends::cpu
