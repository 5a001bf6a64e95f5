#pragma once

#include <atomic>
#include <cstdlib>
#include <thread>

namespace cornu::inline v0::backends::cpu::onednn {

inline std::atomic<int> num_uses{0};
inline std::atomic<bool> has_ended{false};

/// A use of oneDNN's statics (its cache of primitives), which exit() destroys: exit() waits for a running
/// use, and later ones are rejected. Running a primitive is not a use: its data belong to its handle.
class Use {
 public:
  Use() { num_uses.fetch_add(1); }
  ~Use() {
    // Registered after a first use, so that exit() calls it before it destroys the statics made by that use.
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
