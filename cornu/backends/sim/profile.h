#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cornu::inline v0::backends::sim {

/// What a simulated device is and what its work costs. All times are seconds, all rates are per second.
/// docs/guide/devices.md describes the files; profile_fields() is the list of what can stand in one.
struct Profile {
  std::string name;  // of a built-in profile, or the file's path

  std::string description;
  std::string device_type = "GPU";  // what it is called in device names: "GPU:0"
  std::string device_kind;
  /// "real": the costs are waited for; "virtual": they only move the client's clock.
  std::string clock = "real";
  std::string sources;      // where the numbers are from
  double memory_bytes = 0;  // 0: not limited

  double link_latency_seconds = 0;          // of each round trip between host and device
  double link_bytes_per_second = 0;         // of what travels with it, in both directions together
  double launch_seconds = 0;                // of each execution, before its first step
  double step_seconds = 0;                  // of each step, whatever it computes
  double flops_per_second = 0;              // of a step's multiplications and additions
  double convolution_flops_per_second = 0;  // of those of convolutions; 0: as the others
  double sequence_flops_per_second = 0;     // of those of recurrent sequences; 0: as the others
  double state_bytes_per_second = 0;  // each step reads and writes the state once; 0: that costs nothing
  double compile_seconds = 0;         // of each program

  /// "sent": rows go with each launch; "kept": arrays that are used again are kept on the device.
  std::string rows = "sent";
  double stream_seconds = 0;       // of each pass over data whose rows are sent: its input pipeline
  double stream_step_seconds = 0;  // of each step whose rows are sent

  double num_cores = 1;              // devices of one client; each has the memory and the rate of flops
  double ring_latency_seconds = 0;   // of a message from a core to the next
  double ring_bytes_per_second = 0;  // of what travels so; 0: free

  double max_steps_per_launch = 1024;  // more steps are run by several launches
  double max_slab_bytes = 64 << 20;    // of the rows and outputs of a launch; one step may have more

  /// Faults, to test what goes on after one. 0: none.
  double fail_at_launch = 0;  // the launch with this number, from 1, fails halfway
  double lose_at_launch = 0;  // at this one the device goes away for good

  bool has_virtual_clock() const { return clock == "virtual"; }
  bool keeps_rows() const { return rows == "kept"; }
};

/// One field of a profile's file.
struct ProfileField {
  const char* name;
  const char* unit;  // "s", "byte/s", "text", ...
  const char* meaning;
  bool is_required;
  double Profile::* number;             // null: it is a text
  std::string Profile::* text;          // null: it is a number
  double least, most;                   // of a number
  std::vector<std::string> texts = {};  // that it may be; empty: any
  bool is_count = false;                // a number without a fraction
};
std::span<const ProfileField> profile_fields();

/// Reads a profile: one flat JSON object. `name` stands in messages and becomes the profile's.
/// Errors: InvalidArgument for what is no such object, for a field that is unknown (the nearest known one is
///         named), that stands twice, is missing, of the wrong type or out of its range, and for a count with
///         a fraction. Time and memory are bounded by the text's length, whatever it holds.
Profile parse_profile(std::string_view text, std::string_view name);

/// The profiles that come with the library, by name.
std::span<const Profile> built_in_profiles();

/// A built-in profile, or that of a file: what has a '/' or ends in ".json" is a path.
/// Errors: NotFound for an unknown name, with those there are, and for a file that is not there; as
///         parse_profile.
Profile find_profile(const std::string& name_or_path);

/// The same with fields changed: "call_60ms,clock=virtual,fail_at_launch=3". Errors: as find_profile;
/// InvalidArgument as parse_profile.
Profile profile_of_spec(const std::string& spec);

}  // namespace cornu::inline v0::backends::sim
