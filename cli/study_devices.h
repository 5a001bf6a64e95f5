#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cornu/base/error.h"
#include "cornu/runtime/client.h"

namespace cornu::inline v0::cli {

/// The devices that a machine has: its CPU, and what plug-ins offer. No simulated ones.
std::vector<std::string> devices_here();

/// True if an error means that a device is not available or was lost, so that others can still be measured.
/// False for Ctrl-C and for a caller's mistakes.
bool is_of_device(const Error& error);

/// The devices of a study, each tried before anything is measured. Simulated ones have a virtual clock unless
/// theirs is named.
/// Threads: one thread.
class StudyDevices {
 public:
  /// Makes a client of each device, and lets it go. Errors: those of what is no device's string, and of
  /// check_machine_options; a device that cannot be had is none.
  StudyDevices(const std::vector<std::string>& devices, MachineOptions machine);

  /// Errors: that with which the device could not be had; those of runtime::make_client.
  std::shared_ptr<runtime::Client> make(const std::string& device) const;
  /// True if a device of the constructor's list is simulated.
  bool is_simulated(const std::string& device) const;
  /// For people: a simulated one is called so.
  std::string shown(const std::string& device) const;

 private:
  struct Tried {
    bool is_simulated = false;
    std::optional<Error> error = {};
  };
  MachineOptions machine_;
  std::map<std::string, Tried> tried_;
};

}  // namespace cornu::inline v0::cli
