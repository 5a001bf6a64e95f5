#pragma once

#include <pthread.h>

#include <memory>
#include <new>

namespace cornu::inline v0 {

/// A T of each thread's own, made at first need: what `thread_local T` is, but for its end. It goes after all
/// thread_local objects of its thread, and comes again if something then asks for it; exit() leaves that of
/// the thread that calls it, so static destructors and atexit handlers find it alive.
///
/// Getting it reads one pointer.
/// Errors: bad_alloc at first need.
template <typename T>
class PerThread {
 public:
  static T& get() { return value_ != nullptr ? *value_ : make(); }
  /// Null where nothing asked for it yet.
  static T* find() { return value_; }

 private:
  [[gnu::noinline]] static T& make() {
    static const pthread_key_t key = [] {
      pthread_key_t made;
      if (pthread_key_create(&made, &destroy) != 0) throw std::bad_alloc();
      return made;
    }();
    auto made = std::make_unique<T>();
    if (pthread_setspecific(key, made.get()) != 0) throw std::bad_alloc();
    return *(value_ = made.release());
  }
  static void destroy(void* value) {
    value_ = nullptr;
    delete static_cast<T*>(value);
  }

  static inline constinit thread_local T* value_ = nullptr;
};

}  // namespace cornu::inline v0
