#include "cornu/io/pickle.h"

#include <map>
#include <string>
#include <utility>

#include "cornu/base/check.h"

namespace cornu::inline v0::io {
namespace {

enum class Opcode : std::uint8_t {
  kMark = '(',
  kStop = '.',
  kBinInt = 'J',
  kBinInt1 = 'K',
  kBinInt2 = 'M',
  kNone = 'N',
  kReduce = 'R',
  kShortBinString = 'U',
  kBinString = 'T',
  kBinUnicode = 'X',
  kAppend = 'a',
  kBuild = 'b',
  kGlobal = 'c',
  kAppends = 'e',
  kBinGet = 'h',
  kLongBinGet = 'j',
  kBinPut = 'q',
  kLongBinPut = 'r',
  kTuple = 't',
  kEmptyTuple = ')',
  kEmptyList = ']',
  kShortBinBytes = 'C',
  kBinBytes = 'B',
  kProto = 0x80,
  kTuple1 = 0x85,
  kTuple2 = 0x86,
  kTuple3 = 0x87,
  kNewTrue = 0x88,
  kNewFalse = 0x89,
  kLong1 = 0x8A,
  kShortBinUnicode = 0x8C,
  kStackGlobal = 0x93,
  kMemoize = 0x94,
  kFrame = 0x95,
};

/// The standard's names of the rejected opcodes, for messages.
std::string refused_name(std::uint8_t code) {
  static const auto& names =
      *new const std::map<std::uint8_t, const char*>{{'0', "POP"},          {'1', "POP_MARK"},
                                                     {'2', "DUP"},          {'F', "FLOAT"},
                                                     {'G', "BINFLOAT"},     {'I', "INT"},
                                                     {'L', "LONG"},         {'P', "PERSID"},
                                                     {'Q', "BINPERSID"},    {'S', "STRING"},
                                                     {'V', "UNICODE"},      {'d', "DICT"},
                                                     {'g', "GET"},          {'i', "INST"},
                                                     {'l', "LIST"},         {'o', "OBJ"},
                                                     {'p', "PUT"},          {'s', "SETITEM"},
                                                     {'u', "SETITEMS"},     {'}', "EMPTY_DICT"},
                                                     {0x81, "NEWOBJ"},      {0x82, "EXT1"},
                                                     {0x83, "EXT2"},        {0x84, "EXT4"},
                                                     {0x8B, "LONG4"},       {0x8D, "BINUNICODE8"},
                                                     {0x8E, "BINBYTES8"},   {0x8F, "EMPTY_SET"},
                                                     {0x90, "ADDITEMS"},    {0x91, "FROZENSET"},
                                                     {0x92, "NEWOBJ_EX"},   {0x96, "BYTEARRAY8"},
                                                     {0x97, "NEXT_BUFFER"}, {0x98, "READONLY_BUFFER"}};
  const auto found = names.find(code);
  return found == names.end() ? fmt::format("{:#04x}", code) : found->second;
}

enum class Kind : std::uint8_t {
  kNone,
  kTruth,
  kInteger,
  kText,
  kTuple,
  kList,
  kMark,
  kReconstruct,
  kArrayClass,
  kDtypeClass,
  kEncode,
  kDtype,
  kArray
};

/// A number, or an index in the reader's pools.
struct Value {
  Kind kind = Kind::kNone;
  std::int64_t number = 0;
};

class PickleReader {
 public:
  PickleReader(ByteReader& reader, std::int64_t num_lists, const ReadLimits& limits)
      : reader_(reader),
        limits_(limits),
        largest_(reader.remaining()),
        num_lists_(static_cast<std::size_t>(num_lists)) {}

  IntegerLists read() {
    while (step())
      check_size(reader_.name(), "its pickled lists", built_bytes_ + stack_.size() * sizeof(Value), limits_);
    if (stack_.size() != 1 || stack_[0].kind != Kind::kArray)
      refuse("the pickled value is not an array of lists");
    return std::move(result_);
  }

 private:
  struct List {
    std::vector<std::int64_t> integers;
    std::vector<Value> lists;
  };

  [[noreturn]] void refuse(std::string_view what) const {
    corrupt(reader_.name(), position_,
            fmt::format(
                "{}; only NumPy's arrays of lists of integers are read, because other pickles could run code",
                what));
  }

  /// Runs one opcode; false after STOP.
  bool step() {
    position_ = reader_.offset();
    const auto code = static_cast<Opcode>(reader_.take_little_endian<std::uint8_t>("a pickle opcode"));
    switch (code) {  // numbers, lists and tuples: the largest part of a file
      case Opcode::kMark: return push(Kind::kMark);
      case Opcode::kNone: return push(Kind::kNone);
      case Opcode::kNewTrue: return push(Kind::kTruth, 1);
      case Opcode::kNewFalse: return push(Kind::kTruth, 0);
      case Opcode::kBinInt: return push(Kind::kInteger, reader_.take_little_endian<std::int32_t>("BININT"));
      case Opcode::kBinInt1: return push(Kind::kInteger, reader_.take_little_endian<std::uint8_t>("BININT1"));
      case Opcode::kBinInt2:
        return push(Kind::kInteger, reader_.take_little_endian<std::uint16_t>("BININT2"));
      case Opcode::kLong1: return push(Kind::kInteger, read_long());
      case Opcode::kEmptyTuple: return push_tuple(0);
      case Opcode::kTuple1: return push_tuple(1);
      case Opcode::kTuple2: return push_tuple(2);
      case Opcode::kTuple3: return push_tuple(3);
      case Opcode::kTuple: return push_marked_tuple();
      case Opcode::kEmptyList: return push_list();
      case Opcode::kAppend: return append(1);
      case Opcode::kAppends: return append_marked();
      default: return step_other(code);
    }
  }

  /// Runs an opcode for texts, names, the memo, objects, or the pickle as a whole.
  bool step_other(Opcode code) {
    switch (code) {
      case Opcode::kStop: return false;
      case Opcode::kProto: return read_protocol();
      case Opcode::kFrame: reader_.take(8, "FRAME"); return true;  // a hint for buffered readers
      case Opcode::kShortBinString:
      case Opcode::kShortBinBytes:
      case Opcode::kShortBinUnicode:
        return push_text(reader_.take_little_endian<std::uint8_t>("a text's length"));
      case Opcode::kBinString:
      case Opcode::kBinBytes:
      case Opcode::kBinUnicode:
        return push_text(reader_.take_little_endian<std::uint32_t>("a text's length"));
      case Opcode::kGlobal: return read_global();
      case Opcode::kStackGlobal: return read_stack_global();
      case Opcode::kMemoize: return memoize(memo_.size());
      case Opcode::kBinPut: return memoize(reader_.take_little_endian<std::uint8_t>("BINPUT"));
      case Opcode::kLongBinPut: return memoize(reader_.take_little_endian<std::uint32_t>("LONG_BINPUT"));
      case Opcode::kBinGet: return recall(reader_.take_little_endian<std::uint8_t>("BINGET"));
      case Opcode::kLongBinGet: return recall(reader_.take_little_endian<std::uint32_t>("LONG_BINGET"));
      case Opcode::kReduce: return reduce();
      case Opcode::kBuild: return build();
      default:
        refuse(fmt::format("the pickle opcode {} is not accepted",
                           refused_name(static_cast<std::uint8_t>(code))));
    }
  }

  bool push(Kind kind, std::int64_t number = 0) {
    stack_.push_back({kind, number});
    return true;
  }
  bool push_text(std::uint32_t length) {
    if (texts_.size() == kMostParts) refuse(fmt::format("more than {} texts", kMostParts));
    texts_.push_back(reader_.take_text(length, "a text"));
    return push(Kind::kText, static_cast<std::int64_t>(texts_.size()) - 1);
  }
  Value pop(std::string_view wanted) {
    if (stack_.empty() || stack_.back().kind == Kind::kMark)
      refuse(fmt::format("{} is missing on the stack", wanted));
    const Value value = stack_.back();
    stack_.pop_back();
    return value;
  }
  /// The number of values above the topmost mark.
  std::size_t count_to_mark() const {
    std::size_t count = 0;
    for (auto value = stack_.rbegin(); value != stack_.rend(); ++value, ++count)
      if (value->kind == Kind::kMark) return count;
    refuse("a mark is missing on the stack");
  }

  bool read_protocol() {
    const auto protocol = reader_.take_little_endian<std::uint8_t>("the protocol");
    if (protocol < 2 || protocol > 5)
      refuse(fmt::format("pickle protocol {} is not accepted (2 to 5 are)", protocol));
    return true;
  }
  std::int64_t read_long() {
    const auto size = reader_.take_little_endian<std::uint8_t>("LONG1");
    if (size > 8) refuse(fmt::format("an integer of {} bytes", size));
    std::uint64_t value = 0;
    const auto bytes = reader_.take(size, "an integer");
    for (std::size_t i = 0; i < size; ++i) value |= std::to_integer<std::uint64_t>(bytes[i]) << 8 * i;
    if (size > 0 && size < 8 && std::to_integer<unsigned>(bytes[size - 1U]) >= 0x80U)
      value |= ~std::uint64_t{0} << 8 * size;
    return static_cast<std::int64_t>(value);
  }

  bool read_global() {
    const std::string_view module = reader_.take_line("a name");
    return push_name(module, reader_.take_line("a name"));
  }
  bool read_stack_global() {
    const Value name = pop("a name"), module = pop("a module");
    if (name.kind != Kind::kText || module.kind != Kind::kText) refuse("STACK_GLOBAL without two names");
    return push_name(text(module), text(name));
  }
  bool push_name(std::string_view module, std::string_view name) {
    if ((module == "numpy.core.multiarray" || module == "numpy._core.multiarray") && name == "_reconstruct")
      return push(Kind::kReconstruct);
    if (module == "numpy" && name == "ndarray") return push(Kind::kArrayClass);
    if (module == "numpy" && name == "dtype") return push(Kind::kDtypeClass);
    if (module == "_codecs" && name == "encode") return push(Kind::kEncode);
    refuse(fmt::format("the name {}.{} is not accepted", module, name));
  }
  std::string_view text(Value value) const { return texts_[static_cast<std::size_t>(value.number)]; }

  /// Limits lists to those of the array and the one that contains them. The file's size is no limit, since it
  /// may be compressed.
  bool push_list() {
    if (lists_.size() > num_lists_)
      refuse(fmt::format("more lists than the {} that the header states", num_lists_));
    lists_.emplace_back();
    built_bytes_ += sizeof(List);
    return push(Kind::kList, static_cast<std::int64_t>(lists_.size()) - 1);
  }
  bool push_tuple(std::size_t size) {
    if (tuples_.size() == kMostParts) refuse(fmt::format("more than {} tuples", kMostParts));
    if (stack_.size() < size) refuse("a tuple's items are missing on the stack");
    std::vector<Value> items(stack_.end() - static_cast<std::ptrdiff_t>(size), stack_.end());
    for (const Value& item : items)
      if (item.kind == Kind::kMark) refuse("a tuple's items are missing on the stack");
    stack_.resize(stack_.size() - size);
    tuples_.push_back(std::move(items));
    built_bytes_ += size * sizeof(Value);
    return push(Kind::kTuple, static_cast<std::int64_t>(tuples_.size()) - 1);
  }
  bool push_marked_tuple() {
    const std::size_t size = count_to_mark();
    push_tuple(size);
    stack_.erase(stack_.end() - 2);
    return true;
  }
  const std::vector<Value>& tuple(Value value, std::string_view wanted) const {
    if (value.kind != Kind::kTuple) refuse(fmt::format("{} is missing on the stack", wanted));
    return tuples_[static_cast<std::size_t>(value.number)];
  }

  /// Moves the topmost `count` values into the list below them.
  bool append(std::size_t count) {
    if (stack_.size() <= count) refuse("a list is missing on the stack");
    const Value target = stack_[stack_.size() - count - 1];
    if (target.kind != Kind::kList) refuse("a list is missing on the stack");
    List& list = lists_[static_cast<std::size_t>(target.number)];
    for (auto item = stack_.end() - static_cast<std::ptrdiff_t>(count); item != stack_.end(); ++item) {
      if (item->kind == Kind::kInteger)
        list.integers.push_back(item->number);
      else if (item->kind == Kind::kList)
        list.lists.push_back(*item);
      else
        refuse("a list has an element that is not an integer");
    }
    if (!list.integers.empty() && !list.lists.empty()) refuse("a list holds integers and lists");
    stack_.resize(stack_.size() - count);
    built_bytes_ += count * sizeof(Value);  // in the list, and once more in the result
    return true;
  }
  bool append_marked() {
    const std::size_t count = count_to_mark();
    stack_.erase(stack_.end() - static_cast<std::ptrdiff_t>(count) - 1);
    return append(count);
  }

  bool memoize(std::size_t index) {
    if (stack_.empty() || stack_.back().kind == Kind::kMark) refuse("MEMOIZE without a value on the stack");
    if (memo_.insert_or_assign(index, stack_.back()).second) built_bytes_ += kMemoBytes;
    if (memo_.size() > lists_.size() + kMostParts) refuse("there are more memo entries than values");
    return true;
  }
  bool recall(std::size_t index) {
    const auto found = memo_.find(index);
    if (found == memo_.end()) refuse(fmt::format("there is no memo entry {}", index));
    stack_.push_back(found->second);
    return true;
  }

  /// _reconstruct(ndarray, (0,), b"b"), dtype("O8", False, True) and encode(text, "latin1") are recognized by
  /// their form, not called.
  bool reduce() {
    const std::vector<Value>& arguments = tuple(pop("arguments"), "arguments");
    const Kind callee = pop("a function").kind;
    if (callee == Kind::kReconstruct && !arguments.empty() && arguments[0].kind == Kind::kArrayClass)
      return push(Kind::kArray);
    if (callee == Kind::kEncode && !arguments.empty() && arguments[0].kind == Kind::kText) {
      stack_.push_back(arguments[0]);
      return true;
    }
    if (callee == Kind::kDtypeClass && !arguments.empty() && arguments[0].kind == Kind::kText) {
      if (!text(arguments[0]).starts_with('O'))
        refuse(fmt::format("an array of type '{}' instead of objects", text(arguments[0])));
      return push(Kind::kDtype);
    }
    refuse("REDUCE calls a function other than NumPy's reconstruction of an array of objects");
  }
  /// The state of a dtype has no new information; that of the array is (version, shape, dtype, Fortran order,
  /// list of lists).
  bool build() {
    const std::vector<Value>& state = tuple(pop("a state"), "a state");
    const Kind target = stack_.empty() ? Kind::kMark : stack_.back().kind;
    if (target == Kind::kDtype) return true;
    if (target != Kind::kArray || built_) refuse("BUILD is not of one array and its dtype");
    if (state.size() != 5 || state[2].kind != Kind::kDtype || state[4].kind != Kind::kList)
      refuse("the array's state differs from the one that NumPy writes");
    built_ = true;
    fill_result(lists_[static_cast<std::size_t>(state[4].number)]);
    return true;
  }
  void fill_result(const List& outer) {
    if (!outer.integers.empty()) refuse("the array holds integers instead of lists");
    for (const Value& value : outer.lists) {
      const List& list = lists_[static_cast<std::size_t>(value.number)];
      if (!list.lists.empty()) refuse("a list holds lists");
      if (list.integers.size() > largest_ - result_.values.size())
        refuse("lists are repeated until they are larger than the file");
      result_.values.insert(result_.values.end(), list.integers.begin(), list.integers.end());
      result_.offsets.push_back(static_cast<std::int64_t>(result_.values.size()));
    }
  }

  /// Limit of texts, tuples and all remembered objects other than lists: an array and its dtype need about a
  /// dozen.
  static constexpr std::size_t kMostParts = 64;
  static constexpr std::size_t kMemoBytes = 64;  // a node of the map

  ByteReader& reader_;
  const ReadLimits& limits_;
  std::size_t largest_;  // an integer takes two bytes at least
  std::size_t num_lists_;
  std::size_t built_bytes_ = 0;
  std::size_t position_ = 0;
  std::vector<Value> stack_;
  std::map<std::size_t, Value> memo_;
  std::vector<std::string_view> texts_;
  std::vector<std::vector<Value>> tuples_;
  std::vector<List> lists_;
  bool built_ = false;
  IntegerLists result_;
};

}  // namespace

IntegerLists parse_pickled_lists(ByteReader& reader, std::int64_t num_lists, const ReadLimits& limits) {
  return PickleReader(reader, num_lists, limits).read();
}

}  // namespace cornu::inline v0::io
