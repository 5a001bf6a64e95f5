#include "cornu/runtime/distant_client.h"

#include "cornu/base/check.h"

namespace cornu::inline v0::runtime {
namespace {

[[noreturn]] void refuse_files() {
  fail(ErrorCode::kFailedPrecondition,
       "this device's process has no files to lend: a worker's has, which was "
       "started with --data-root");
}

}  // namespace

DistantClient::~DistantClient() = default;

std::shared_ptr<Client> DistantClient::group(std::span<const std::shared_ptr<Client>>) {
  fail(ErrorCode::kUnimplemented, "this device's process lends no groups of devices");
}
std::vector<std::unique_ptr<Buffer>> DistantClient::open(const DistantFiles&) { refuse_files(); }
bool DistantClient::is_opened(const Buffer&) const { return false; }
std::optional<ValueRange> DistantClient::range_of(const Buffer&) const { return std::nullopt; }
void DistantClient::save(const std::string&, std::uint64_t, std::span<const NamedBuffer>) { refuse_files(); }
void DistantClient::load(const std::string&, std::uint64_t, std::span<const NamedBuffer>) { refuse_files(); }

}  // namespace cornu::inline v0::runtime
