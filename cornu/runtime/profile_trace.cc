#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/path_hint.h"
#include "cornu/base/tick_clock.h"
#include "cornu/runtime/profiler_state.h"

namespace cornu::inline v0::runtime {
namespace {

std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

[[noreturn]] void trace_file_error(const std::string& path) {
  const int error = errno;
  const ErrorCode code = error == ENOENT   ? ErrorCode::kNotFound
                         : error == ENOSPC ? ErrorCode::kResourceExhausted
                                           : ErrorCode::kFailedPrecondition;
  fail(code, "[profiler] cannot write \"{}\": {}{}", path, std::strerror(error), write_hint(path, error));
}

/// Writes a trace as text, an event a line.
class TraceWriter {
 public:
  TraceWriter(const std::vector<ProgramTicks>& programs, const std::vector<ProfileMember>& members,
              std::vector<TraceSlice> slices, std::int64_t origin, double seconds_per_tick)
      : programs_(programs),
        members_(members),
        slices_(std::move(slices)),
        origin_(origin),
        us_per_tick_(seconds_per_tick * 1e6) {
    // By start; of slices that begin together the outer one comes first.
    std::stable_sort(slices_.begin(), slices_.end(), [](const TraceSlice& a, const TraceSlice& b) {
      if (a.event.begin != b.event.begin) return a.event.begin < b.event.begin;
      return a.event.end > b.event.end;
    });
    for (const ProgramTicks& program : programs_) {
      labels_.emplace_back();
      for (const GroupFacts& group : program.facts->groups)
        labels_.back().push_back(quoted(group_label(group)));
    }
  }

  std::string write(bool is_cut) {
    running_.assign(members_.size() + 1, "\"loop\"");
    metadata("process_name", 0, 0, "Cornu");
    for (std::size_t i = 0; i < members_.size(); ++i) metadata("process_name", i + 1, 0, members_[i].str());
    std::set<std::pair<std::size_t, int>> tracks;
    for (const TraceSlice& slice : slices_) tracks.emplace(slice.process, slice.track);
    for (const auto& [process, track] : tracks) {
      metadata("thread_name", process, track,
               track >= kFirstPoolTrack ? fmt::format("pool thread {}", track - kFirstPoolTrack)
                                        : fmt::format("calling thread {}", track + 1));
    }
    for (const TraceSlice& slice : slices_) add(slice);
    return fmt::format(
        "{{\"displayTimeUnit\":\"ns\",\"otherData\":{{\"complete\":{}}},\"traceEvents\":[\n{}\n]}}\n",
        !is_cut, events_);
  }

 private:
  void line(const std::string& event) {
    if (!events_.empty()) events_ += ",\n";
    events_ += event;
  }

  void metadata(const char* what, std::size_t process, int track, const std::string& name) {
    line(fmt::format("{{\"ph\":\"M\",\"pid\":{},\"tid\":{},\"name\":\"{}\",\"args\":{{\"name\":{}}}}}",
                     process + 1, track, what, quoted(name)));
  }

  void add(const TraceSlice& slice) {
    const ProfileEvent& event = slice.event;
    const ProgramTicks& program = programs_[slice.program];
    const char* kind = "group";
    std::string name, arguments = "{}";
    if (event.group == kExecutionEvent) {
      kind = "execution";
      name = quoted(program.facts->name);
    } else if (event.group == kStepEvent) {
      kind = "step";
      name = "\"step\"";
    } else if (event.group == kLoopEvent) {
      kind = "loop";
      name = running_[slice.process];
    } else {
      const auto g = static_cast<std::size_t>(event.group);
      const GroupFacts& group = program.facts->groups[g];
      name = running_[slice.process] = labels_[slice.program][g];
      arguments = rates(group, static_cast<double>(event.end - event.begin) * us_per_tick_);
    }
    const std::int64_t begin = nanoseconds(event.begin),
                       length = std::max<std::int64_t>(0, nanoseconds(event.end) - begin);
    line(fmt::format(
        "{{\"ph\":\"X\",\"pid\":{},\"tid\":{},\"ts\":{}.{:03},\"dur\":{}.{:03},\"cat\":\"{}\",\"name\":{},"
        "\"args\":{}}}",
        slice.process + 1, slice.track, begin / 1000, begin % 1000, length / 1000, length % 1000, kind, name,
        arguments));
  }

  static std::string rates(const GroupFacts& group, double us) {
    const double seconds = std::max(us, 1e-3) * 1e-6;
    return fmt::format("{{\"kind\":{},\"GFLOP/s\":{:.2f},\"GB/s\":{:.2f}}}", quoted(group.kind),
                       group.flops / seconds / 1e9, group.bytes / seconds / 1e9);
  }

  /// Rounds to whole nanoseconds, so that nested slices stay nested when written.
  std::int64_t nanoseconds(std::int64_t ticks) const {
    return std::llround(static_cast<double>(ticks - origin_) * us_per_tick_ * 1e3);
  }

  const std::vector<ProgramTicks>& programs_;
  const std::vector<ProfileMember>& members_;
  std::vector<TraceSlice> slices_;
  std::int64_t origin_;
  double us_per_tick_;
  std::vector<std::vector<std::string>> labels_;  // by program and group, quoted
  // For each process, the group that began last: a thread's part of a loop belongs to it.
  std::vector<std::string> running_;
  std::string events_;
};

}  // namespace

std::string Profiler::trace() const {
  const double seconds = seconds_per_tick();
  const std::lock_guard<std::mutex> lock(state_->mutex);
  std::int64_t origin = std::numeric_limits<std::int64_t>::max();
  for (const TraceSlice& slice : state_->slices) origin = std::min(origin, slice.event.begin);
  return TraceWriter(state_->programs, state_->members, state_->slices, origin, seconds)
      .write(state_->slices_are_cut);
}

void Profiler::write_trace(const std::string& path) const {
  const std::string text = trace();
  std::FILE* const file = std::fopen(path.c_str(), "we");
  if (file == nullptr) trace_file_error(path);
  const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  const int error = errno;
  if (std::fclose(file) != 0 || !written) {
    if (!written) errno = error;
    trace_file_error(path);
  }
}

void check_can_write(const std::string& path) {
  const int made = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  const int file = made >= 0 || errno != EEXIST ? made : ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) trace_file_error(path);
  ::close(file);
  if (made >= 0) ::unlink(path.c_str());
}

}  // namespace cornu::inline v0::runtime
