#pragma once

#include <atomic>
#include <cstdlib>
#include <thread>

namespace cornu::inline v0::backends::cpu::onednn {

inline std::atomic<int> num_uses{0};
inline std::atomic<bool> has_ended{false};

/// What needs oneDNN's statics (its cache of primitives), which exit() destroys: exit() waits for a use that
/// runs, and later ones are refused. Running a primitive is none: what it needs belongs to its handle.
class Use {
 public:
  Use() { num_uses.fetch_add(1); }
  ~Use() {
    // After a first use, so that exit() comes here before it destroys the statics that the use has made.
    [[maybe_unused]] static const int registered = std::atexit(&end);
    num_uses.fetch_sub(1);
  }
  Use(const Use&) = delete;
  Use& operator=(const Use&) = delete;
  bool is_refused() const { return has_ended.load(); }

 private:
  static void end() {
    has_ended = true;
    while (num_uses.load() > 0) std::this_thread::yield();
  }
};

}  // namespace cornu::inline v0::backends::cpu::onednn
