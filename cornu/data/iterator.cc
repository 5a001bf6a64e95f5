#include "cornu/data/iterator.h"

#include <utility>

#include "cornu/base/check.h"
#include "cornu/data/stage.h"
#include "cornu/tensor/trace/trace.h"

namespace cornu::inline v0::data {

struct Iterator::State {
  std::shared_ptr<const Stage> stage;
  ElementCursor cursor;
  Element current;
  bool has_current = false;
};

Iterator::Iterator(const std::shared_ptr<const Stage>& stage) : state_(std::make_shared<State>()) {
  state_->stage = stage;
  state_->cursor = stage->iterate({});
}

namespace {

/// A program would hold the element that is there while it is traced, and see no other.
void check_not_traced() {
  if (Trace::current() != nullptr)
    fail(ErrorCode::kUnimplemented,
         "[data] elements cannot be taken while a function is traced: its program would hold this one for "
         "ever; take "
         "them outside, and pass them as arguments");
}

}  // namespace

std::optional<Element> Iterator::next() {
  check_not_traced();
  Element element;
  if (!state_->cursor->next_one(element)) return std::nullopt;
  return element;
}

std::int64_t Iterator::skip(std::int64_t count) { return state_->cursor->skip(count); }

std::vector<std::byte> Iterator::save() {
  PositionWriter writer;
  state_->cursor->save(writer);
  return writer.take();
}

// A place that is wrong leaves the iterator as it is: another one takes it first.
void Iterator::restore(std::span<const std::byte> place) {
  PositionReader reader(place);
  ElementCursor cursor = state_->stage->iterate({});
  cursor->load(reader);
  reader.expect_end();
  state_->cursor = std::move(cursor);
}

Iterator Iterator::first() {
  ++*this;
  return *this;
}

const Element& Iterator::operator*() const { return state_->current; }

Iterator& Iterator::operator++() {
  check_not_traced();
  state_->has_current = state_->cursor->next_one(state_->current);
  return *this;
}

bool Iterator::operator==(std::default_sentinel_t) const { return !state_->has_current; }

}  // namespace cornu::inline v0::data
