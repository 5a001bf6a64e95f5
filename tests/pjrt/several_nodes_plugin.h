#pragma once

#include <pjrt_c_api.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace cornu::inline v0::pjrt_tests {

/// One execution of a program of all processes' devices, in one of them.
/// Functions return an error of the plug-in's, or null.
class JointRun {
 public:
  /// `args`: of this process's devices. `devices`: of all.
  JointRun(const PJRT_Api& api, PJRT_LoadedExecutable_Execute_Args& args, PJRT_Client* client,
           const std::vector<PJRT_Device*>& devices)
      : api_(api), args_(args), client_(client), devices_(devices) {}
  ~JointRun();
  JointRun(const JointRun&) = delete;
  JointRun& operator=(const JointRun&) = delete;

  /// The arguments of this process as bytes.
  PJRT_Error* pack(std::string& bytes);
  /// Of these, as "2x3:11".
  const std::vector<std::string>& shapes() const { return shapes_; }
  /// The arguments of the next devices: this process's, or what another has packed.
  void add_own();
  PJRT_Error* add(const std::string& packed);
  /// Runs it, and gives this process's results, whose first device is `first`.
  PJRT_Error* run(std::size_t first);

 private:
  PJRT_Error* pack_buffer(PJRT_Buffer* buffer, std::string& bytes);
  PJRT_Error* unpack_buffer(const std::string& packed, std::size_t& at, PJRT_Buffer** buffer);
  PJRT_Error* num_outputs(std::size_t& count);
  PJRT_Error* wait_and_destroy(PJRT_Event* event);
  void destroy(PJRT_Buffer* buffer);

  const PJRT_Api& api_;
  PJRT_LoadedExecutable_Execute_Args& args_;
  PJRT_Client* client_;
  const std::vector<PJRT_Device*>& devices_;
  std::vector<std::vector<PJRT_Buffer*>> arguments_;  // of each device so far
  std::vector<PJRT_Buffer*> foreign_;
  std::vector<std::string> shapes_;
};

}  // namespace cornu::inline v0::pjrt_tests
