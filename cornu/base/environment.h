#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cornu/base/cpu_info.h"
#include "cornu/base/log.h"

/// The one place that reads environment variables. A variable that is unset or empty counts as absent; in a
/// program that has more rights than its caller (setuid, setgid, file capabilities) all do, because the
/// caller wrote them.
///
/// Errors: InvalidArgument when one of Cornu's own variables (CORNU_...) holds something else than its type;
///         others are ignored then.
namespace cornu::inline v0::environment {

/// CORNU_NUM_THREADS: threads of the pool, from 1 to 1024.
std::optional<int> num_threads();

/// CORNU_ISA: sse2, avx2 or avx512; the highest level that kernels may use.
std::optional<IsaLevel> isa_level();

/// CORNU_BF16: off, vectors or tiles; the highest level of bf16 products that kernels may use.
std::optional<Bf16Level> bf16_level();

/// CORNU_CONVOLUTION is "direct": no convolution by Winograd's method. "auto" or absent: where it is faster.
bool direct_convolutions();

/// Where compiled code is kept between processes: CORNU_CACHE_DIR, else the folder "cornu" in XDG_CACHE_HOME,
/// else ~/.cache/cornu. Absent when CORNU_CACHE_DIR is off, when there is no home, and in a program that has
/// more rights than its caller.
std::optional<std::string> cache_folder();

/// CORNU_LOG_LEVEL: info, warning or error; the lowest severity that goes to stderr. Where it is something
/// else the log (base/log.h) says so, and shows all: no call could throw it that the caller would expect.
std::optional<LogSeverity> log_level();

/// CORNU_PJRT_PLUGINS: "name=/path.so,..." of libraries that bring devices, or "off": none is looked for.
std::optional<std::string> pjrt_plugins();

/// Folders in which Python environments keep packages ("site-packages"), those that the caller works in
/// first: of VIRTUAL_ENV, CONDA_PREFIX, the folders in PATH beside whose `bin` they lie, and HOME/.local.
/// None for a program that has more rights than its caller.
std::vector<std::string> python_package_folders();

/// Takes a variable that libraries read out of the environment; what it held. Not while other threads read
/// the environment without a lock of their own.
std::optional<std::string> take(const char* name);
/// Sets a variable that libraries read, unless the environment has it. As take().
void set_default(const char* name, const std::string& value);

/// The program has more rights than its caller: setuid, setgid or file capabilities (AT_SECURE).
bool has_more_rights_than_its_caller();

/// NO_COLOR is set (https://no-color.org).
bool no_color();

/// COLUMNS: width of the terminal in characters.
std::optional<int> columns();

/// TERM, e.g. "xterm-256color" or "dumb".
std::optional<std::string> terminal();

}  // namespace cornu::inline v0::environment
