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

/// Whether an error says that a device cannot be had, or is gone: the others can still be measured. Ctrl-C
/// and mistakes in what was asked for say nothing of the kind.
bool is_of_device(const Error& error);

/// The devices of a study, each tried before anything is measured. Simulated ones have a virtual clock unless
/// theirs is named.
/// Threads: one thread.
class StudyDevices {
 public:
  /// Makes a client of each device, and lets it go. Errors: those of what is no device's string, and of the
  /// options; a device that cannot be had is none.
  StudyDevices(const std::vector<std::string>& devices, MachineOptions machine);

  /// Errors: that with which the device could not be had; those of runtime::make_client.
  std::shared_ptr<runtime::Client> make(const std::string& device) const;
  /// Of those that the constructor got.
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
