#include <fmt/format.h>

#include <memory>

#include "cli/commands.h"
#include "cornu/base/disk_cache.h"
#include "cornu/base/environment.h"

namespace cornu::inline v0::cli {

void add_cache(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("cache", "Shows the folder and the size of the cache of compiled code");
  const auto clear = std::make_shared<bool>(false);
  command->add_flag("--clear", *clear, "Empty the cache");
  command->callback([clear] {
    const DiskCache cache({.folder = environment::cache_folder().value_or("")});
    if (cache.folder().empty()) return print_text("off: compiled code is not kept\n");
    const DiskCache::Contents contents = *clear ? cache.clear() : cache.contents();
    print_text(fmt::format("{}: {} programs, {:.2f} MiB{}\n", cache.folder(), contents.num_entries,
                           static_cast<double>(contents.size_bytes) / (1024.0 * 1024.0),
                           *clear ? " removed" : ""));
  });
}

}  // namespace cornu::inline v0::cli
