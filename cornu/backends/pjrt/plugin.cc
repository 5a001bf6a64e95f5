#include "cornu/backends/pjrt/plugin.h"

#include <dlfcn.h>
#include <pthread.h>

#include <filesystem>
#include <map>
#include <mutex>
#include <utility>

#include "cornu/backends/pjrt/nvidia_libraries.h"
#include "cornu/base/environment.h"
#include "cornu/base/service_thread.h"

namespace cornu::inline v0::backends::pjrt {
namespace {

namespace fs = std::filesystem;

constexpr int kMajorVersion = PJRT_API_MAJOR;

/// Converts a plug-in's status code.
ErrorCode error_code(PJRT_Error_Code code) {
  switch (code) {
    case PJRT_Error_Code_CANCELLED: return ErrorCode::kCancelled;
    case PJRT_Error_Code_INVALID_ARGUMENT: return ErrorCode::kInvalidArgument;
    case PJRT_Error_Code_NOT_FOUND: return ErrorCode::kNotFound;
    case PJRT_Error_Code_RESOURCE_EXHAUSTED: return ErrorCode::kResourceExhausted;
    case PJRT_Error_Code_FAILED_PRECONDITION: return ErrorCode::kFailedPrecondition;
    case PJRT_Error_Code_OUT_OF_RANGE: return ErrorCode::kOutOfRange;
    case PJRT_Error_Code_UNIMPLEMENTED: return ErrorCode::kUnimplemented;
    case PJRT_Error_Code_DATA_LOSS: return ErrorCode::kDataLoss;
    case PJRT_Error_Code_INTERNAL: return ErrorCode::kInternal;
    default: return ErrorCode::kUnavailable;
  }
}

std::string value_text(const PJRT_NamedValue& value) {
  switch (value.type) {
    case PJRT_NamedValue_kString: return {value.string_value, value.value_size};
    case PJRT_NamedValue_kInt64: return fmt::format("{}", value.int64_value);
    case PJRT_NamedValue_kInt64List: {
      std::string text;
      for (std::size_t i = 0; i < value.value_size; ++i)
        text += fmt::format("{}{}", i == 0 ? "" : ".", value.int64_array_value[i]);
      return text;
    }
    case PJRT_NamedValue_kFloat: return fmt::format("{}", value.float_value);
    case PJRT_NamedValue_kBool: return value.bool_value ? "true" : "false";
  }
  return "";
}

/// Sets environment variables that libraries read while they are loaded.
void prepare_environment(Plugin::Use use) {
  Plugin::xla_flags();
  environment::set_default("TF_CPP_MIN_LOG_LEVEL", "3");  // failures are returned as errors, too
  std::error_code error;
  const bool has_tpu = fs::exists("/dev/accel0", error) || fs::exists("/dev/vfio", error);
  // libtpu takes a lock, so that one process at a time uses a TPU. Compilation alone uses none.
  if (!has_tpu || use == Plugin::Use::kAhead) environment::set_default("ALLOW_MULTIPLE_LIBTPU_LOAD", "1");
  if (has_tpu) return;
  // Otherwise libtpu queries the cloud's metadata server for minutes, and prints the failures to stderr. The
  // type does not matter: compilation names its target.
  environment::set_default("TPU_SKIP_MDS_QUERY", "1");
  environment::set_default("TPU_WORKER_HOSTNAMES", "localhost");
  environment::set_default("TPU_ACCELERATOR_TYPE", "v5litepod-4");
}

}  // namespace

std::string plain_reason(std::string_view reason) {
  const bool is_lock = reason.find("libtpu_lockfile") != std::string_view::npos ||
                       reason.find("TPU is already in use") != std::string_view::npos;
  if (!is_lock) return std::string(reason);
  // libtpu proposes to delete its lock as root, which would let two processes disturb each other.
  constexpr std::string_view kBefore = "in use by process with pid ";
  const std::size_t found = reason.find(kBefore);
  std::string who = "another process";
  if (found != std::string_view::npos) {
    const std::string_view rest = reason.substr(found + kBefore.size());
    who += fmt::format(" ({})", rest.substr(0, rest.find_first_not_of("0123456789")));
  }
  return who +
         " uses this TPU: end it or wait for its end, since a TPU is one process's at a time; where none "
         "does, /tmp/libtpu_lockfile belongs to another user or was left by one";
}

std::atomic<int> Plugin::num_forks_{0};

const std::string& Plugin::xla_flags() {
  static const auto& flags = *new std::string(environment::take("XLA_FLAGS").value_or(""));
  return flags;
}

std::shared_ptr<const Plugin> Plugin::load(const std::string& name, const std::string& path, Use use) {
  static std::mutex& mutex = *new std::mutex;
  static auto& loaded = *new std::map<std::string, std::shared_ptr<const Plugin>>;
  std::error_code error;
  const fs::path file = fs::canonical(path, error);
  if (error || !fs::is_regular_file(file, error))
    fail(ErrorCode::kNotFound, "[pjrt] plug-in \"{}\": there is no file \"{}\"", name, path);
  const std::lock_guard lock(mutex);
  std::shared_ptr<const Plugin>& known = loaded[file.string()];
  if (known != nullptr) {
    if (known->is_in_child()) known->refuse_child("be used");
    return known;
  }
  static const int told_of_forks =
      pthread_atfork(nullptr, nullptr, [] { num_forks_.fetch_add(1, std::memory_order_relaxed); });
  CORNU_CHECK(told_of_forks == 0, "pthread_atfork: {}", told_of_forks);
  prepare_environment(use);
  const SignalsBlocked signals_blocked;  // inherited by the threads that it starts
  const std::shared_ptr<Plugin> plugin(new Plugin(name, file.string()));
  plugin->open();
  plugin->initialize();
  plugin->read_attributes();
  known = plugin;
  return known;
}

void Plugin::open() {
  load_nvidia_libraries(path_);
  void* const handle = dlopen(path_.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    const std::string why = dlerror();
    const bool is_library = why.find("invalid ELF header") == std::string::npos &&
                            why.find("file too short") == std::string::npos &&
                            why.find("only ET_DYN") == std::string::npos;
    if (!is_library) invalid_argument("[pjrt] plug-in \"{}\": {} is not a shared library", name_, path_);
    fail(ErrorCode::kUnavailable, "[pjrt] plug-in \"{}\" cannot be loaded: {}", name_, why);
  }
  using GetPjrtApi = const PJRT_Api* (*)();
  const auto get_api = reinterpret_cast<GetPjrtApi>(dlsym(handle, "GetPjrtApi"));
  if (get_api == nullptr) {
    dlclose(handle);
    invalid_argument("[pjrt] plug-in \"{}\": {} is a library, but no plug-in: it exports no GetPjrtApi",
                     name_, path_);
  }
  api_ = get_api();
  if (api_ == nullptr)
    fail(ErrorCode::kUnavailable, "[pjrt] plug-in \"{}\": {} gives no interface", name_, path_);
  const PJRT_Api_Version& version = api_->pjrt_api_version;
  const std::size_t least = offsetof(PJRT_Api, PJRT_Plugin_Attributes);
  if (version.major_version != kMajorVersion || api_->struct_size < least)
    invalid_argument(
        "[pjrt] plug-in \"{}\": {} speaks version {}.{} of the interface, this build of Cornu speaks {}.x: "
        "use {} plug-in, or another version of Cornu",
        name_, path_, version.major_version, version.minor_version, kMajorVersion,
        version.major_version > kMajorVersion ? "an older" : "a newer");
}

void Plugin::initialize() {
  CallArguments<PJRT_Plugin_Initialize_Args> arguments;
  call(&PJRT_Api::PJRT_Plugin_Initialize, arguments, "be initialized");
}

void Plugin::read_attributes() {
  CallArguments<PJRT_Plugin_Attributes_Args> arguments;
  if (!try_call(&PJRT_Api::PJRT_Plugin_Attributes, arguments)) return;
  for (std::size_t i = 0; i < arguments->num_attributes; ++i) {
    const PJRT_NamedValue& value = arguments->attributes[i];
    attributes_.push_back({.name = {value.name, value.name_size}, .value = value_text(value)});
  }
}

std::string Plugin::versions() const {
  std::string text =
      fmt::format("PJRT {}.{}", api_->pjrt_api_version.major_version, api_->pjrt_api_version.minor_version);
  for (const PluginAttribute& attribute : attributes_)
    if (attribute.name == "stablehlo_current_version") text += fmt::format(", StableHLO {}", attribute.value);
  return text;
}

void Plugin::destroy(PJRT_Error* error) const {
  CallArguments<PJRT_Error_Destroy_Args> arguments;
  arguments->error = error;
  api_->PJRT_Error_Destroy(arguments.get());
}

void Plugin::throw_error(PJRT_Error* error, std::string_view doing) const {
  CallArguments<PJRT_Error_Message_Args> text;
  text->error = error;
  api_->PJRT_Error_Message(text.get());
  const std::string message = fmt::format("plug-in \"{}\" cannot {}: {}", name_, doing,
                                          plain_reason({text->message, text->message_size}));
  CallArguments<PJRT_Error_GetCode_Args> code;
  code->error = error;
  ErrorCode kind = ErrorCode::kUnavailable;
  if (PJRT_Error* const second = api_->PJRT_Error_GetCode(code.get()))
    destroy(second);
  else
    kind = error_code(code->code);
  destroy(error);
  throw Error(kind, message, {.op = "pjrt"});
}

void Plugin::refuse_old(std::string_view doing) const {
  fail(ErrorCode::kUnimplemented, "[pjrt] plug-in \"{}\" cannot {}: {} ({}) is too old for that", name_,
       doing, path_, versions());
}

void Plugin::refuse_child(std::string_view doing) const {
  fail(
      ErrorCode::kFailedPrecondition,
      "[pjrt] plug-in \"{}\" cannot {}: this process was forked from the one that loaded it, and its threads "
      "stayed there; fork before devices of the plug-in are first used, or start another program",
      name_, doing);
}

}  // namespace cornu::inline v0::backends::pjrt
