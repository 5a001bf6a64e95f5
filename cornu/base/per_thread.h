#pragma once

#include <pthread.h>

#include <memory>
#include <new>

namespace cornu::inline v0 {

/// A T for each thread, made on first use, like `thread_local T` with another end of life. It is destroyed
/// after all thread_local objects of its thread, and made again if one of their destructors uses it. exit()
/// does not destroy the calling thread's T, so static destructors and atexit handlers can use it.
///
/// Access reads one pointer.
/// Errors: bad_alloc on first use.
template <typename T>
class PerThread {
 public:
  static T& get() { return value_ != nullptr ? *value_ : make(); }
  /// Null before the first use.
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
