#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <iostream>
#include <new>

#include "cli/commands.h"
#include "cli/process_clock.h"
#include "cornu/base/printable.h"

namespace {

int run(int argc, char** argv) {
  CLI::App app;
  app.name("cornu");
  try {
    cornu::cli::add_commands(app);
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error);
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "cornu: there is not enough memory\n");
    return 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "cornu: %s\n", cornu::printable_lines(error.what()).c_str());
    return 1;
  }
  return 0;
}

/// What a full disk or a closed pipe did not take is an error too, and shows only when the last of it is
/// written.
bool wrote_everything() {
  errno = 0;
  return std::cout.flush().good() && std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
}

}  // namespace

int main(int argc, char** argv) {
  cornu::cli::mark_main();
  const int code = run(argc, argv);
  if (wrote_everything()) return code;
  std::fprintf(stderr, "cornu: cannot write to the standard output: %s\n", std::strerror(errno));
  return 1;
}
