#include "cornu/data/iterator.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/data/components.h"
#include "cornu/data/read_ahead.h"
#include "cornu/data/stage.h"
#include "cornu/tensor/trace/trace.h"

namespace cornu::inline v0::data {

namespace {

/// True if the leaves of both have equal types, in equal structures.
bool is_alike_element(const Element& a, const Element& b) {
  if (a.is_structure() != b.is_structure()) return false;
  if (!a.is_structure()) return a.is_numeric() && b.is_numeric() && numeric_type(a) == numeric_type(b);
  if (a.size() != b.size() || a.names() != b.names()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!is_alike_element(a.parts()[i], b.parts()[i])) return false;
  return true;
}

/// Marks the elements that were read ahead, after the position of the pass.
constexpr std::string_view kAhead = "read ahead";

}  // namespace

void fail_at_end() {
  fail(ErrorCode::kOutOfRange, {.argument = "iterator"},
       "[next] the iterator is at its end, or its data set is empty: make a new one, or repeat() the data "
       "set");
}

void check_not_traced() {
  if (Trace::current() != nullptr)
    fail(ErrorCode::kUnimplemented,
         "[data] a data set cannot be iterated while a function is traced: the elements would become "
         "constants of its program. Pass an iterator to the function, f(dataset.iterator()), and get them by "
         "next(iterator)");
}

struct Iterator::State final : ReadAhead<Element> {
  std::shared_ptr<const Stage> stage;
  ElementCursor cursor;
  Element current;
  bool has_current = false;

  std::optional<Element> pull() override {
    Element element;
    if (!cursor->next_one(element)) return std::nullopt;
    return element;
  }
  Spec spec_of(const Element& element) const override {
    Spec spec{.text = element.type_str(), .types = {}};
    for_each_leaf(element, [&](const Element& leaf) {
      if (!leaf.is_numeric())
        invalid_argument(
            {.argument = "iterator"},
            "[next] programs take numbers; an element of the data set is {}: map() it to numbers", spec.text);
      spec.types.push_back(numeric_type(leaf));
    });
    return spec;
  }
  std::vector<Tensor> tensors_of(const Element& element) const override {
    std::vector<Tensor> tensors;
    for_each_leaf(element, [&](const Element& leaf) { tensors.push_back(leaf.tensor()); });
    return tensors;
  }
  bool is_alike(const Element& a, const Element& b) const override { return is_alike_element(a, b); }
};

Iterator::Iterator(const std::shared_ptr<const Stage>& stage) : state_(std::make_shared<State>()) {
  state_->stage = stage;
  state_->cursor = stage->iterate({});
}

std::optional<Element> Iterator::next() {
  Trace* const trace = Trace::current();
  if (trace == nullptr) return state_->take();
  const std::vector<Tensor> tensors = trace->next(*state_);
  std::size_t i = 0;
  return map_leaves(state_->model(), [&](const Element&) { return Element(tensors[i++]); });
}

Element next(Iterator iterator) {
  std::optional<Element> element = iterator.next();
  if (!element.has_value()) fail_at_end();
  return *std::move(element);
}

std::int64_t Iterator::read_ahead(std::int64_t count) { return state_->read_ahead(count); }

cornu::detail::ElementSource& Iterator::element_source() const { return *state_; }

std::int64_t Iterator::skip(std::int64_t count) {
  if (count < 0) invalid_argument("[iterator] skip must not be negative; got {}", count);
  const auto of_ahead = std::clamp<std::int64_t>(count, 0, static_cast<std::int64_t>(state_->items().size()));
  state_->drop(of_ahead);
  return of_ahead + state_->cursor->skip(count - of_ahead);
}

std::vector<std::byte> Iterator::save() {
  PositionWriter writer;
  state_->cursor->save(writer);
  if (!state_->items().empty()) {
    writer.begin(kAhead);
    const std::vector<Element> ahead(state_->items().begin(), state_->items().end());
    writer.write(std::span<const Element>(ahead));
  }
  return writer.take();
}

// An invalid position leaves the iterator unchanged: a new cursor loads it first.
void Iterator::restore(std::span<const std::byte> place) {
  PositionReader reader(place);
  ElementCursor cursor = state_->stage->iterate({});
  cursor->load(reader);
  std::vector<Element> ahead;
  if (!reader.is_at_end()) {
    reader.begin(kAhead);
    ahead = reader.read_items<Element>();
  }
  reader.expect_end();
  state_->cursor = std::move(cursor);
  state_->items().assign(ahead.begin(), ahead.end());
}

Iterator Iterator::first() {
  ++*this;
  return *this;
}

const Element& Iterator::operator*() const { return state_->current; }

Iterator& Iterator::operator++() {
  check_not_traced();
  std::optional<Element> element = state_->take();
  state_->has_current = element.has_value();
  state_->current = element.has_value() ? *std::move(element) : Element();
  return *this;
}

bool Iterator::operator==(std::default_sentinel_t) const { return !state_->has_current; }

}  // namespace cornu::inline v0::data
