#pragma once

#include <span>
#include <string>
#include <vector>

#include "cornu/plugin/error.h"
#include "cornu/transform/sharding.h"

/// The extension for shardings of version 1, whose functions PJRT 0.81's header does not declare. Source:
/// xla/pjrt/c/pjrt_c_api_shardings_extension.h.
extern "C" {
struct PJRT_Shardings_PJRT_Executable_ParameterShardings_Args {
  size_t struct_size;
  PJRT_Extension_Base* extension_start;
  PJRT_Executable* executable;
  size_t num_parameters;
  const char* const* shardings;
  const size_t* sharding_sizes;
};
struct PJRT_Shardings_PJRT_Executable_OutputShardings_Args {
  size_t struct_size;
  PJRT_Extension_Base* extension_start;
  PJRT_Executable* executable;
  size_t num_outputs;
  const char* const* shardings;
  const size_t* sharding_sizes;
};
typedef struct PJRT_Shardings_Extension {
  PJRT_Extension_Base base;
  PJRT_Error* (*PJRT_Shardings_PJRT_Executable_ParameterShardings)(
      PJRT_Shardings_PJRT_Executable_ParameterShardings_Args* args);
  PJRT_Error* (*PJRT_Shardings_PJRT_Executable_OutputShardings)(
      PJRT_Shardings_PJRT_Executable_OutputShardings_Args* args);
} PJRT_Shardings_Extension;
}

namespace cornu::inline v0::plugin {

/// The extension's number, PJRT_Extension_Type_Shardings of later headers.
inline constexpr int kShardingsExtension = 19;

/// Shardings of a list of tensors as XLA's OpSharding messages, in the form of the C interface.
class ShardingList {
 public:
  ShardingList() = default;
  ShardingList(const ShardingList&) = delete;
  ShardingList& operator=(const ShardingList&) = delete;
  void assign(std::span<const transform::TensorSharding> shardings);

  /// Null if there are none: the program is for one partition.
  const char* const* data() const { return pointers_.empty() ? nullptr : pointers_.data(); }
  const std::size_t* sizes() const { return sizes_.empty() ? nullptr : sizes_.data(); }

 private:
  std::vector<std::string> messages_;
  std::vector<const char*> pointers_;
  std::vector<std::size_t> sizes_;
};

/// The extension. The next one is that of host functions.
PJRT_Extension_Base* shardings_extension();

}  // namespace cornu::inline v0::plugin
