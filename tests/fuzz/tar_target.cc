#include "cornu/io/tar.h"
#include "tests/fuzz/target.h"

namespace cornu::inline v0::fuzz {
namespace {

void tar_once(Bytes bytes) {
  std::size_t total = 0;
  io::read_tar(bytes, "input", [&](const io::TarMember& member) {
    require(member.content.empty() ||
                (member.content.data() >= bytes.data() &&
                 member.content.data() + member.content.size() <= bytes.data() + bytes.size()),
            "a member is outside of the archive");
    total += member.content.size();
  });
  require(total <= bytes.size(), "members overlap");
}

}  // namespace

void tar(Bytes bytes) { parse(tar_once, bytes); }

}  // namespace cornu::inline v0::fuzz
