#pragma once

#include <pjrt_c_api.h>

#include <atomic>
#include <cstddef>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cornu/base/check.h"

namespace cornu::inline v0::backends::pjrt {

/// The arguments of a call of the C interface: zero but for their size. There is room for fields that later
/// versions append, so that a plug-in that asks for them finds zeros, which stand for defaults.
template <typename Args>
class CallArguments {
 public:
  CallArguments() { (*this)->struct_size = sizeof bytes_; }
  CallArguments(const CallArguments&) = delete;
  CallArguments& operator=(const CallArguments&) = delete;
  Args* operator->() { return get(); }
  Args* get() { return std::launder(reinterpret_cast<Args*>(bytes_)); }

 private:
  /// In bytes: from version 0.81 to 0.114 no struct grew by more than 32.
  static constexpr std::size_t kRoom = 128;
  alignas(Args) std::byte bytes_[sizeof(Args) + kRoom] = {};
};

/// What a plug-in says of itself by name.
struct PluginAttribute {
  std::string name;
  std::string value;
};

/// What a plug-in says of a failure, in words that help where its own do not.
std::string plain_reason(std::string_view reason);

/// A shared library that exports GetPjrtApi, loaded and initialized. It is never unloaded: threads of its own
/// run in it.
/// Threads: safe.
class Plugin {
 public:
  /// What for: to run programs on devices, or only to compile them for some that are elsewhere.
  enum class Use { kDevices, kAhead };
  /// Loads the library at `path`, or gives what was loaded before from there; `name` is for messages.
  /// Errors: NotFound when there is no such file; InvalidArgument for one that is no plug-in, or of another
  ///         major version; kUnavailable for one that cannot be loaded or initialized on this machine.
  static std::shared_ptr<const Plugin> load(const std::string& name, const std::string& path,
                                            Use use = Use::kDevices);

  const std::string& name() const { return name_; }
  const std::string& path() const { return path_; }
  const std::vector<PluginAttribute>& attributes() const { return attributes_; }
  /// "PJRT 0.81, StableHLO 1.13.3"; the plug-in's own version may be part of a client's platform version.
  std::string versions() const;
  /// XLA_FLAGS of the environment, which no plug-in gets to see: an unknown one would end the process.
  /// They go with each program instead, where a wrong one is an error.
  static const std::string& xla_flags();

  /// Calls a function of the interface. Errors: FailedPrecondition in a process that was forked from the one
  /// that loaded the plug-in; Unimplemented when the plug-in is too old to have it; what it
  /// returns, with "cannot `doing`" in front.
  template <typename Args>
  void call(PJRT_Error* (*PJRT_Api::*function)(Args*), CallArguments<Args>& arguments,
            std::string_view doing) const {
    if (is_in_child()) [[unlikely]]
      refuse_child(doing);
    if (PJRT_Error* const error = entry(function, doing)(arguments.get())) [[unlikely]]
      throw_error(error, doing);
  }
  /// The same, where only success matters (what frees).
  template <typename Args>
  bool try_call(PJRT_Error* (*PJRT_Api::*function)(Args*), CallArguments<Args>& arguments) const {
    if (!has(function) || is_in_child()) return false;
    PJRT_Error* const error = (api_->*function)(arguments.get());
    if (error != nullptr) destroy(error);
    return error == nullptr;
  }

  /// Whether the plug-in is new enough to have a function.
  template <typename Function>
  bool has(Function PJRT_Api::* function) const {
    const auto offset =
        reinterpret_cast<const std::byte*>(&(api_->*function)) - reinterpret_cast<const std::byte*>(api_);
    return static_cast<std::size_t>(offset) + sizeof(Function) <= api_->struct_size &&
           api_->*function != nullptr;
  }

  /// Takes the error over, which nobody asks for.
  void drop(PJRT_Error* error) const { destroy(error); }
  /// Takes the error over, and throws it. Null: none.
  void check(PJRT_Error* error, std::string_view doing) const {
    if (error != nullptr) [[unlikely]]
      throw_error(error, doing);
  }

 private:
  Plugin(std::string name, std::string path) : name_(std::move(name)), path_(std::move(path)) {}
  void open();
  void initialize();
  void read_attributes();
  void destroy(PJRT_Error* error) const;
  [[noreturn]] void throw_error(PJRT_Error* error, std::string_view doing) const;
  [[noreturn]] void refuse_old(std::string_view doing) const;
  [[noreturn]] void refuse_child(std::string_view doing) const;
  /// Whether the process was forked since the plug-in was loaded, whose threads stayed in the parent: calls
  /// would wait for them for ever.
  bool is_in_child() const { return loaded_after_forks_ != num_forks(); }
  /// How many times this process and those before it were forked while a plug-in was loaded.
  static int num_forks() { return num_forks_.load(std::memory_order_relaxed); }

  template <typename Function>
  Function entry(Function PJRT_Api::* function, std::string_view doing) const {
    if (!has(function)) [[unlikely]]
      refuse_old(doing);
    return api_->*function;
  }

  std::string name_, path_;
  const PJRT_Api* api_ = nullptr;
  int loaded_after_forks_ = num_forks();
  static std::atomic<int> num_forks_;
  std::vector<PluginAttribute> attributes_;
};

}  // namespace cornu::inline v0::backends::pjrt
