#pragma once

#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "cornu/runtime/client.h"
#include "cornu/tensor/device.h"

/// `--device D` of the examples, in `cornu bench`'s words.
namespace cornu::inline v0::examples {

inline constexpr const char* kDeviceHelp =
    "Where it runs: cpu, pjrt:PLUGIN for a GPU or TPU, sim:PROFILE for a simulated device, grpc://HOST:PORT "
    "for a worker's (see `cornu devices`)";

/// Makes this device the one that the program runs on, and says so.
/// Errors: as runtime::make_client.
inline void use_device(const std::string& spec) {
  if (spec == "cpu") return;
  std::shared_ptr<runtime::Client> client = runtime::make_client(spec, default_client_options());
  std::printf("device %s: %s%s\n", spec.c_str(), client->description().c_str(),
              client->is_simulated() ? "; all times are simulated" : "");
  std::fflush(stdout);
  set_default_client(std::move(client));
}

/// For programs without further flags: uses the device that the arguments name and takes it out of them.
/// False: the program was asked for help, which has been printed.
/// Errors: std::invalid_argument for a flag that there is not; as use_device.
inline bool take_device_option(int& argc, char** argv, const char* usage = "") {
  int kept = 1;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--help" || argument == "-h") {
      std::printf("Usage: %s [--device D] %s\n  --device D  %s\n", argv[0], usage, kDeviceHelp);
      return false;
    }
    if (argument == "--device" && i + 1 < argc) {
      use_device(argv[++i]);
    } else if (argument.starts_with("--device=")) {
      use_device(argument.substr(std::strlen("--device=")));
    } else if (argument.starts_with("-") || *usage == '\0') {
      throw std::invalid_argument("\"" + argument + "\" is nothing that it takes; --help says what is");
    } else {
      argv[kept++] = argv[i];
    }
  }
  argc = kept;
  return true;
}

/// For programs that choose their devices themselves. False: the program was asked for help, which has been
/// printed.
/// Errors: std::invalid_argument for any other argument.
inline bool take_no_option(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument != "--help" && argument != "-h")
      throw std::invalid_argument("\"" + argument + "\" is nothing that it takes: it takes no options");
    std::printf("Usage: %s\n  It chooses its devices itself and takes no options.\n", argv[0]);
    return false;
  }
  return true;
}

}  // namespace cornu::inline v0::examples
