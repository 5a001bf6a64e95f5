#include "cli/study_hosts.h"

#include <fmt/format.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string_view>
#include <thread>

#include "cli/child_process.h"
#include "cornu/base/check.h"
#include "cornu/base/temporary_folder.h"
#include "cornu/io/file.h"

namespace cornu::inline v0::cli {
namespace {

namespace fs = std::filesystem;

/// A word for a shell, whatever is in it.
std::string quoted(const std::string& word) {
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

/// Shared libraries of this program except those of the C library, which belong to a host's kernel and
/// loader.
std::vector<fs::path> own_libraries() {
  std::vector<fs::path> libraries;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) {
        constexpr std::string_view kOfTheHost[] = {"ld-linux", "libc.so",       "libm.so",
                                                   "libdl.so", "libpthread.so", "librt.so"};
        const fs::path path = info->dlpi_name;
        const std::string name = path.filename().string();
        const bool is_of_host = std::any_of(std::begin(kOfTheHost), std::end(kOfTheHost),
                                            [&](std::string_view start) { return name.starts_with(start); });
        if (path.is_absolute() && !is_of_host) static_cast<std::vector<fs::path>*>(data)->push_back(path);
        return 0;
      },
      &libraries);
  return libraries;
}

/// A folder with links to the files that a host needs, laid out as an installation; removed with this object.
class Stage {
 public:
  Stage() {
    const fs::path program = fs::read_symlink("/proc/self/exe");
    fs::create_directories(folder_.path() / "bin");
    fs::create_directories(folder_.path() / "lib");
    fs::create_directories(folder_.path() / "share");
    fs::create_symlink(program, folder_.path() / "bin" / "cornu");
    for (const fs::path& library : own_libraries())
      fs::create_symlink(fs::canonical(library), folder_.path() / "lib" / library.filename());
    if (const fs::path share = program.parent_path().parent_path() / "share" / "cornu"; fs::exists(share))
      fs::create_symlink(share, folder_.path() / "share" / "cornu");
  }
  std::string folder() const { return folder_.path().string(); }

 private:
  TemporaryFolder folder_{"cornu-study-"};
};

/// The arguments of `cornu study run` on a host.
std::vector<std::string> arguments_of(const StudyRunOptions& options, const std::string& host) {
  std::vector<std::string> words = {"study", "run", "--log", "-", "--host", host};
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) words.insert(words.end(), {name, value});
  };
  add("--threads", fmt::format("{}", fmt::join(options.threads, ",")));
  for (const std::string& device : options.devices) add("--device", device);
  add("--repeats", std::to_string(options.repeats));
  add("--name", options.command_name);
  if (options.limit_seconds > 0) add("--limit", fmt::format("{}", options.limit_seconds));
  if (options.resumes) words.emplace_back("--resume");
  if (options.command.empty()) {
    add("--workloads", fmt::format("{}", fmt::join(options.workloads, ",")));
    add("--isa", fmt::format("{}", fmt::join(options.isas, ",")));
    add("--seconds", fmt::format("{}", options.seconds));
    for (const PeerRequest& peer : options.peers) add("--with", peer.library + "=" + peer.python);
  } else {
    words.emplace_back("--");
    words.insert(words.end(), options.command.begin(), options.command.end());
  }
  return words;
}

/// A host's measurements: lines are appended to its file as they come.
struct HostRun {
  std::string host, log;
  std::size_t num_lines = 0;   // with the header
  std::string complaint = {};  // why it did not end well; empty: it did
};

/// The reason for a host's end in words; empty for a good one.
std::string complaint_of(const HostRun& run, const ProcessEnd& end, const HostOptions& options) {
  std::string said = last_line_of(end.errors);
  if (said.ends_with('.')) said.pop_back();
  const bool failed = end.exit_code != 0 || end.signal != 0;
  const std::string reason = said.empty() ? "" : ": " + said;
  const std::string kept = run.num_lines == 2 ? "; its measurement is kept"
                           : run.num_lines > 2
                               ? fmt::format("; its {} measurements are kept", run.num_lines - 1)
                               : "";
  if (end.reason == EndReason::kSilence)
    return fmt::format("{} sent nothing for {:g} s and is left out from there on{}", run.host,
                       options.silence_seconds, kept);
  if (run.num_lines == 0 && failed)
    return fmt::format("{} cannot be used{}", run.host,
                       reason.empty() ? fmt::format(": ssh ended with {}", end.exit_code) : reason);
  if (run.num_lines <= 1) return fmt::format("{} measured nothing{}", run.host, reason);
  if (failed) return fmt::format("{} was lost or failed in the middle{}{}", run.host, reason, kept);
  // Warnings of the program; a greeting of the host is none.
  std::vector<std::string> warnings;
  std::istringstream lines(end.errors);
  constexpr std::string_view kOfProgram = "cornu: ";
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(kOfProgram)) warnings.push_back(line.substr(kOfProgram.size()));
  return warnings.empty() ? "" : fmt::format("{} reports: {}", run.host, fmt::join(warnings, "; "));
}

/// The command on this machine that runs `words` on a host with the files of `stage`, if there is one. The
/// standard input of the host's program is `known`, a log.
std::vector<std::string> local_command(const StudyRunOptions& options, const std::string& host,
                                       const std::vector<std::string>& words, const std::string& stage,
                                       const std::string& known) {
  std::string remote;
  for (const std::string& word : words) remote += " " + quoted(word);
  std::vector<std::string> command = {"sh", "-c"};
  if (stage.empty()) {
    command.insert(command.end(), {"exec \"$@\" <\"$0\"", known});
    remote = quoted(options.hosts.program) + remote;
  } else {
    // The copy and the log travel as one archive, so that one connection is enough.
    command.insert(command.end(),
                   {"log=$1; shift; tar -chz -C \"$0\" . -C \"$(dirname \"$log\")\" "
                    "--transform=\"s|^$(basename \"$log\")\\$|known.log|\" \"$(basename \"$log\")\" | \"$@\"",
                    stage, known});
    remote =
        "d=$(mktemp -d) && trap 'rm -rf \"$d\"' EXIT HUP TERM && tar -xz -C \"$d\" && "
        "LD_LIBRARY_PATH=\"$d/lib\" \"$d/bin/cornu\"" +
        remote + " <\"$d/known.log\"";
  }
  for (const std::string& word : words_of(options.hosts.ssh)) command.push_back(word);
  command.push_back(host);
  command.push_back(remote);
  return command;
}

std::size_t count_lines(const std::string& path) {
  const std::string text = io::read_text_file(path, {});
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

/// Measures on one host. Never throws: a host's failure is its complaint.
void run_host(HostRun& run, const StudyRunOptions& options, const std::string& stage) {
  const std::string fresh = run.log + ".new", empty = stage.empty() ? "/dev/null" : stage + "/empty.log";
  try {
    std::ofstream file(fresh, std::ios::trunc);
    if (!file) fail(ErrorCode::kUnavailable, "[study] cannot write \"{}\"", fresh);
    const bool resumes = options.resumes && fs::exists(run.log);
    StudyRunOptions of_host = options;
    of_host.resumes = resumes;
    const std::string known = resumes ? fs::absolute(run.log).string() : empty;
    const ProcessEnd end =
        run_process(local_command(of_host, run.host, arguments_of(of_host, run.host), stage, known),
                    {.on_line =
                         [&](const std::string& line, double) {
                           if (!line.starts_with("{")) return true;  // a host's greeting
                           file << line << "\n" << std::flush;
                           ++run.num_lines;
                           return true;
                         },
                     .errors = ErrorOutput::kKept,
                     .silence_seconds = options.hosts.silence_seconds});
    file.close();
    run.complaint = complaint_of(run, end, options.hosts);
    // A host that was lost before it sent what it had keeps its earlier log.
    if (run.num_lines > 1 && (!resumes || run.num_lines >= count_lines(run.log))) fs::rename(fresh, run.log);
  } catch (const std::exception& error) {
    run.complaint = fmt::format("{} is left out: {}", run.host, error.what());
  }
  std::error_code ignored;
  fs::remove(fresh, ignored);
}

}  // namespace

std::vector<std::string> read_hosts(const std::string& text) {
  std::vector<std::string> hosts;
  std::error_code ignored;
  const bool is_file = fs::is_regular_file(text, ignored);
  std::istringstream stream(is_file ? io::read_text_file(text, {}) : text);
  for (std::string part; std::getline(stream, part, is_file ? '\n' : ',');) {
    const std::vector<std::string> words = words_of(part.substr(0, part.find('#')));
    if (words.empty()) continue;
    const std::string& host = words[0];
    if (host.starts_with("-")) invalid_argument("[study] \"{}\" is no name of a host", host);
    if (std::find(hosts.begin(), hosts.end(), host) != hosts.end())
      invalid_argument(
          "[study] the host {} is named twice: a machine that runs two studies at a time measures "
          "neither",
          host);
    hosts.push_back(host);
  }
  if (hosts.empty()) invalid_argument("[study] \"{}\" names no host", text);
  return hosts;
}

std::string log_of_host(const std::string& log, const std::string& host) {
  std::string name = host;
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '.' && c != '-' && c != '_') c = '_';
  const fs::path path = log;
  return (path.parent_path() / (path.stem().string() + "." + name + path.extension().string())).string();
}

study::Report study_run_on_hosts(const StudyRunOptions& options) {
  const std::vector<std::string> hosts = read_hosts(options.hosts.hosts);
  if (options.log.empty() || options.log == "-")
    invalid_argument(
        "[study] a study on several hosts takes the name of their logs: --log study.log makes "
        "study.HOST.log");
  require_consistent(options);
  if (words_of(options.hosts.ssh).empty()) invalid_argument("[study] --ssh takes a program");
  std::optional<Stage> stage;
  if (options.hosts.program.empty()) {
    stage.emplace();
    std::ofstream(stage->folder() + "/empty.log");
  }
  std::vector<HostRun> runs;
  for (const std::string& host : hosts) runs.push_back({.host = host, .log = log_of_host(options.log, host)});
  std::vector<std::thread> threads;
  threads.reserve(runs.size());
  for (HostRun& run : runs)
    threads.emplace_back([&] { run_host(run, options, stage.has_value() ? stage->folder() : ""); });
  for (std::thread& thread : threads) thread.join();
  StudyMergeOptions merge;
  merge.output = options.output;
  std::vector<std::string> complaints;
  std::error_code ignored;
  for (const HostRun& run : runs) {
    if (!run.complaint.empty()) complaints.push_back(run.complaint + ".");
    if (fs::exists(run.log, ignored) && (run.num_lines > 1 || options.resumes)) merge.logs.push_back(run.log);
  }
  if (merge.logs.empty())
    fail(ErrorCode::kUnavailable, "[study] no host measured anything: {}", fmt::join(complaints, " "));
  study::Report report = study_merge(merge);
  report.warnings.insert(report.warnings.begin(), complaints.begin(), complaints.end());
  return report;
}

}  // namespace cornu::inline v0::cli
