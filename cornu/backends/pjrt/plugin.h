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

/// The arguments of a call of the C interface: zero except their size. There is space for fields that later
/// versions append, so that a newer plug-in reads zeros, which mean defaults.
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

/// A named attribute of a plug-in.
struct PluginAttribute {
  std::string name;
  std::string value;
};

/// Rewrites a plug-in's error message in helpful words where its own are not.
std::string plain_reason(std::string_view reason);

/// A shared library that exports GetPjrtApi, loaded and initialized. It is never unloaded: its threads keep
/// running.
/// Threads: safe.
class Plugin {
 public:
  /// Purpose: run programs on devices, or only compile them for devices elsewhere.
  enum class Use { kDevices, kAhead };
  /// Loads the library at `path`, or returns it if it was loaded before; `name` is used in messages.
  /// Errors: NotFound if the file does not exist; InvalidArgument if it is not a plug-in, or has another
  ///         major version; kUnavailable if it cannot be loaded or initialized on this machine.
  static std::shared_ptr<const Plugin> load(const std::string& name, const std::string& path,
                                            Use use = Use::kDevices);

  const std::string& name() const { return name_; }
  const std::string& path() const { return path_; }
  const std::vector<PluginAttribute>& attributes() const { return attributes_; }
  /// "PJRT 0.81, StableHLO 1.13.3"; the plug-in's own version may be part of a client's platform version.
  std::string versions() const;
  /// XLA_FLAGS of the environment. They are hidden from plug-ins, since an unknown one would abort the
  /// process, and sent with each program instead, where an invalid one is an error.
  static const std::string& xla_flags();

  /// Calls a function of the interface. Errors: FailedPrecondition in a forked child of the process that
  /// loaded the plug-in; Unimplemented if the plug-in is too old to have the function; the plug-in's error,
  /// with "cannot `doing`" prepended.
  template <typename Args>
  void call(PJRT_Error* (*PJRT_Api::*function)(Args*), CallArguments<Args>& arguments,
            std::string_view doing) const {
    if (is_in_child()) [[unlikely]]
      refuse_child(doing);
    if (PJRT_Error* const error = entry(function, doing)(arguments.get())) [[unlikely]]
      throw_error(error, doing);
  }
  /// Calls a function whose errors do not matter (such as destruction); true on success.
  template <typename Args>
  bool try_call(PJRT_Error* (*PJRT_Api::*function)(Args*), CallArguments<Args>& arguments) const {
    if (!has(function) || is_in_child()) return false;
    PJRT_Error* const error = (api_->*function)(arguments.get());
    if (error != nullptr) destroy(error);
    return error == nullptr;
  }

  /// True if the plug-in is new enough to have a function.
  template <typename Function>
  bool has(Function PJRT_Api::* function) const {
    const auto offset =
        reinterpret_cast<const std::byte*>(&(api_->*function)) - reinterpret_cast<const std::byte*>(api_);
    return static_cast<std::size_t>(offset) + sizeof(Function) <= api_->struct_size &&
           api_->*function != nullptr;
  }

  /// Destroys the PJRT error without reading it.
  void drop(PJRT_Error* error) const { destroy(error); }
  /// Throws the error and destroys it. Null: no error.
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
  /// True if the process was forked after the plug-in was loaded. The plug-in's threads stayed in the parent,
  /// so calls would wait for them for ever.
  bool is_in_child() const { return loaded_after_forks_ != num_forks(); }
  /// The number of forks of this process and its ancestors while a plug-in was loaded.
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
