#include <exception>

#include "cornu/base/check.h"
#include "cornu/distribute/strategy/process_faults_support.h"

namespace cornu::inline v0::distribute {
namespace {

/// A text as sent between processes.
struct SentText {
  char text[1024] = {};
};

}  // namespace

std::vector<std::string> gather_texts(runtime::Collective& processes, std::string_view own) {
  SentText sent;
  own.copy(sent.text, sizeof(sent.text) - 1);
  std::vector<SentText> all(static_cast<std::size_t>(processes.size()));
  processes.all_gather(std::as_bytes(std::span(&sent, 1)), std::as_writable_bytes(std::span(all)));
  std::vector<std::string> texts;
  texts.reserve(all.size());
  for (const SentText& each : all) texts.emplace_back(each.text);
  return texts;
}

void on_all_processes(runtime::Collective& processes, const OwnWork& what,
                      const std::function<void()>& work) {
  std::exception_ptr own;
  std::string own_text;
  try {
    work();
  } catch (const std::exception& error) {
    own = std::current_exception();
    own_text = error.what();
  }
  std::vector<std::string> texts;
  try {
    texts = gather_texts(processes, own_text);
  } catch (const Error&) {
    if (own == nullptr) throw;  // otherwise the others may be gone because of it
  }
  if (own != nullptr) std::rethrow_exception(own);
  for (std::size_t rank = 0; rank < texts.size(); ++rank)
    if (!texts[rank].empty())
      fail(ErrorCode::kFailedPrecondition, {.argument = what.argument}, "[{}] rank {} {}: {}", what.strategy,
           rank, what.failure, texts[rank]);
}

}  // namespace cornu::inline v0::distribute
