#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cornu::inline v0::backends::sim {

/// Properties and costs of a simulated device. All times are in seconds, all rates per second.
/// docs/guide/devices.md describes the files; profile_fields() lists their fields.
struct Profile {
  std::string name;  // a built-in profile's name, or the file's path

  std::string description;
  std::string device_type = "GPU";  // name of the device type: "GPU" in "GPU:0"
  std::string device_kind;
  /// "real": costs are waited for; "virtual": they only advance the client's clock.
  std::string clock = "real";
  std::string sources;      // origin of the numbers
  double memory_bytes = 0;  // 0: unlimited
  /// "computed": by the CPU engine. "zeros": nothing is computed, launches write zeros and leave state as it
  /// is. The times are the same.
  std::string results = "computed";

  /// "one_by_one": a call begins on the link when the device has done the one before. "overlapping": the link
  /// works beside the device, and calls are on their way together.
  std::string calls = "one_by_one";
  double link_latency_seconds = 0;          // of each round trip between host and device
  double link_bytes_per_second = 0;         // for transfers in both directions together
  double launch_seconds = 0;                // of each execution, before its first step
  double step_seconds = 0;                  // of each step, independent of its computation
  double flops_per_second = 0;              // for a step's multiplications and additions
  double convolution_flops_per_second = 0;  // for those of convolutions; 0: same rate
  double sequence_flops_per_second = 0;     // for those of recurrent sequences; 0: same rate
  double state_bytes_per_second = 0;        // each step reads and writes the state once; 0: free
  double compile_seconds = 0;               // of each program

  /// "sent": rows are sent with each launch; "kept": reused arrays are kept on the device.
  std::string rows = "sent";
  double stream_seconds = 0;       // of each pass over data with sent rows: its input pipeline
  double stream_step_seconds = 0;  // of each step with sent rows

  double num_cores = 1;              // devices of one client; each has the full memory and rate of flops
  double ring_latency_seconds = 0;   // of a message between neighbouring cores
  double ring_bytes_per_second = 0;  // for these messages; 0: free

  double max_steps_per_launch = 1024;  // more steps need several launches
  double max_launch_bytes = 64 << 20;  // of a launch's rows and outputs; one step may exceed it

  /// Faults, for tests of recovery. 0: none.
  double fail_at_launch = 0;  // the launch with this number, from 1, fails halfway
  double lose_at_launch = 0;  // the device is lost for good at this launch

  bool has_virtual_clock() const { return clock == "virtual"; }
  bool has_overlapping_calls() const { return calls == "overlapping"; }
  bool keeps_rows() const { return rows == "kept"; }
  bool computes_results() const { return results == "computed"; }
};

/// One field of a profile's file.
struct ProfileField {
  const char* name;
  const char* unit;  // "s", "byte/s", "text", ...
  const char* meaning;
  bool is_required;
  double Profile::* number;             // null for a text
  std::string Profile::* text;          // null for a number
  double least, most;                   // range of a number
  std::vector<std::string> texts = {};  // allowed values; empty: any
  bool is_count = false;                // true for a whole number
};
std::span<const ProfileField> profile_fields();

/// Parses a profile: one flat JSON object. `name` is used in errors and becomes the profile's.
/// Errors: InvalidArgument for other JSON; for a field that is unknown (with the nearest known one),
///         duplicate, missing, of the wrong type or out of range; and for a count with a fraction. Time and
///         memory are proportional to the text's length, whatever its content.
Profile parse_profile(std::string_view text, std::string_view name);

/// The profiles that come with the library, by name.
std::span<const Profile> built_in_profiles();

/// A built-in profile, or one from a file: a name with a '/' or ending in ".json" is a path.
/// Errors: NotFound for an unknown name, with the existing ones, and for a missing file; those of
///         parse_profile.
Profile find_profile(const std::string& name_or_path);

/// A profile with changed fields: "call_60ms,clock=virtual,fail_at_launch=3". Errors: those of find_profile;
/// InvalidArgument as in parse_profile.
Profile profile_of_spec(const std::string& spec);

}  // namespace cornu::inline v0::backends::sim
