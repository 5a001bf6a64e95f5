#include <cstdio>
#include <exception>

#include "cli/commands.h"
#include "cli/process_clock.h"

int main(int argc, char** argv) {
  cornu::cli::mark_main();
  CLI::App app;
  app.name("cornu");
  try {
    cornu::cli::add_commands(app);
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "cornu: %s\n", error.what());
    return 1;
  }
  return 0;
}
