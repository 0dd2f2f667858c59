// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"
#include "model/event_table.hpp"
#include "model/participants.hpp"
#include "model/rank_function.hpp"
#include "model/symbol.hpp"

#include <array>
#include <compare>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace tracefold {

/// The encoding of the peers in a column. The call model gives peers relative to the own rank; the
/// program decides which encoding makes most ranks equal: neighbours are relative (modulo the size
/// on a torus), butterfly partners exclusive or, servers absolute.
enum class PeerEncoding : u8 { relative, modulo, exclusive_or, absolute };

inline constexpr int kPeerEncodings = 4;

/// The view of a location on the communicator of all peers in one of its columns.
struct PeerView {
    u32 rank = 0;
    u32 size = 0;
    bool usable = false;  ///< one view for the whole column, and all peers below `size`

    bool operator==(const PeerView&) const = default;
};

/// Converts a relative peer to another encoding. Precondition: rank + relative is below view.size.
constexpr u64 encode_relative_peer(u64 relative, PeerEncoding encoding, u32 rank, u32 size) {
    const u64 peer = relative + rank;
    switch (encoding) {
        case PeerEncoding::relative:
            return relative;
        case PeerEncoding::modulo:
            return peer >= rank ? peer - rank : peer + size - rank;
        case PeerEncoding::exclusive_or:
            return peer ^ rank;
        case PeerEncoding::absolute:
            return peer;
    }
    return relative;
}

/// The inverse of encode_relative_peer().
constexpr u64 relative_peer(u64 value, PeerEncoding encoding, u32 rank, u32 size) {
    switch (encoding) {
        case PeerEncoding::relative:
            return value;
        case PeerEncoding::modulo:
            return value + rank >= size ? value - size : value;
        case PeerEncoding::exclusive_or:
            return (value ^ rank) - rank;
        case PeerEncoding::absolute:
            return value - rank;
    }
    return value;
}

/// The maximum number of records in a stream of one location: above any archive, and small enough
/// for sums over all locations.
inline constexpr u64 kMostRecords = u64{1} << 40U;

/// The maximum nesting depth of loops. A loop is found once its body has come twice, so real traces
/// do not even reach 64 levels.
inline constexpr u32 kDeepestNest = 250;

/// Nested loops over leaves: a power regular section descriptor without its counts. Leaves are
/// numbered 0 .. leaf_count-1 in the order of their first execution; loop k is item leaf_count + k
/// and its body holds leaves and loops of lower index only. Repetition and iteration counts are not
/// part of the pattern (elastic counts): one column per node holds them.
struct Pattern {
    u32 leaf_count = 0;
    std::vector<std::vector<u32>> loops;
    std::vector<u32> root;

    bool operator==(const Pattern&) const = default;

    [[nodiscard]] std::size_t node_count() const { return leaf_count + loops.size(); }
};

/// The count column of one pattern node.
struct NodeCount {
    u32 node = 0;
    u32 column = kNone;

    auto operator<=>(const NodeCount&) const = default;
};

/// A folded sequence of 64-bit numbers. Arithmetic is modulo 2^64.
struct Column {
    enum class Form : u8 {
        constant,     ///< start, start, ... for any length
        progression,  ///< start, start + stride, ... for any length
        list,         ///< values
        periodic,     ///< values, repeated for any length
        runs,         ///< values are v, n, v, n, ..., v: runs of n times v, the last one unbounded
        folded,       ///< pattern over the alphabet's values
        differences,  ///< start, then the prefix sums of a pattern over the alphabet's differences
    };

    Form form = Form::constant;
    u64 start = 0;
    u64 stride = 0;
    std::vector<u64> values;
    u32 pattern = kNone;            ///< id of a Pattern
    u32 alphabet = kNone;           ///< id of a Column with one value per leaf
    std::vector<NodeCount> counts;  ///< by rising node; nodes without a column have count 1

    bool operator==(const Column&) const = default;

    [[nodiscard]] bool is_folded() const {
        return form == Form::folded || form == Form::differences;
    }
};

/// The control flow of one or more locations: a pattern whose leaves are symbols.
struct Script {
    Stream stream = Stream::events;
    u32 pattern = kNone;
    std::vector<u32> symbols;  ///< symbol id per leaf

    bool operator==(const Script&) const = default;
};

/// Adjacent classes whose columns differ only in some numbers (family_numbers()): the file stores
/// the first column, and these numbers as columns over the classes.
struct ColumnFamily {
    struct Number {
        u32 place = 0;
        u32 column = kNone;  ///< over the classes of the family

        bool operator==(const Number&) const = default;
    };

    u32 first = 0;                ///< class index
    u32 size = 0;                 ///< number of classes; at least 2
    std::vector<Number> numbers;  ///< by rising place

    bool operator==(const ColumnFamily&) const = default;
};

/// The numbers of an argument as functions of the participant's position in a grid: one sequence
/// for all participants; each participant has the numbers that are present for it. A number is a
/// RankFunction, or the entry of a column over the positions at that function's value (the size of
/// the cell that a rank gets), or the product of its base and factors, each a function of one
/// combination of coordinates (the edges of a box). Numbers are in sequence order, except within
/// stretches: these are sorted, or in an order chosen per participant.
struct FunctionTable {
    /// Values of `presence`: from kGroups on, the groups of the column in `presences`.
    static constexpr u64 kEverywhere = 0;
    static constexpr u64 kInside = 1;  ///< where the function is within the grid
    static constexpr u64 kGroups = 2;
    /// Values of `order`.
    static constexpr u64 kNext = 0;    ///< begins a stretch
    static constexpr u64 kRising = 1;  ///< in the stretch of the previous number, sorted
    static constexpr u64 kChosen = 2;  ///< in the same stretch, ordered by `choices`

    std::vector<DigitGrid::Digit> grid;  ///< its positions are the participants
    u32 function_count = 0;
    /// Columns over the functions: the base, then per dimension of the grid the stride (0: that of
    /// the dimension's positions), offset (signed), and the coefficient of each dimension.
    std::vector<u32> parameters;
    std::vector<u32> lookups;    ///< columns over the positions
    u32 lookup_of = kNone;       ///< over the functions: 0 none, or 1 + lookup; kNone: none for all
    std::vector<u32> factors;    ///< columns over the coordinates of a dimension
    std::vector<u32> factor_of;  ///< by dimension, over the functions: 0 none, or 1 + factor
    u32 size = 0;                ///< length of the sequence
    bool periodic = false;       ///< the sequence repeats; otherwise it is a list
    u32 function_of = kNone;     ///< over the numbers; kNone: function k for number k
    u32 presence = kNone;        ///< over the numbers; kNone: present for all
    u32 group_of = kNone;        ///< over the participants; kNone: one group
    std::vector<u32> presences;  ///< columns over the groups: 1 where the number is present
    u32 order = kNone;           ///< over the numbers; kNone: sequence order
    u32 choices = kNone;         ///< packed digits: the orders of chosen stretches
    /// Presence and order are those of the last preceding slot of the symbol whose table does not
    /// follow another; grid, size and periodic are equal.
    bool follows = false;

    bool operator==(const FunctionTable&) const = default;
};

/// How receives take sizes from the sends that they match: the n-th receive from a rank on a
/// communicator matches the n-th send with the same tag, or the n-th send of any tag, which then
/// gives the tag as well.
enum class Matching : u8 { none, by_tag, in_order };

/// An optional value that most objects lack: one pointer in each object, the value on the heap.
template <class Value>
class RareValue {
  public:
    RareValue() = default;
    RareValue(Value value) : value_(std::make_unique<Value>(std::move(value))) {}
    RareValue(const RareValue& other) : value_(other ? std::make_unique<Value>(*other) : nullptr) {}
    RareValue(RareValue&&) noexcept = default;
    RareValue& operator=(RareValue other) noexcept {
        value_ = std::move(other.value_);
        return *this;
    }
    ~RareValue() = default;

    explicit operator bool() const { return value_ != nullptr; }
    [[nodiscard]] const Value& operator*() const { return *value_; }
    [[nodiscard]] Value& operator*() { return *value_; }
    [[nodiscard]] const Value* operator->() const { return value_.get(); }
    [[nodiscard]] Value* operator->() { return value_.get(); }
    bool operator==(const RareValue& other) const {
        return value_ && other ? *value_ == *other : value_ == other.value_;
    }

  private:
    std::unique_ptr<Value> value_;
};

/// The column of each participant for one argument or count, in one of six forms:
/// - a count that is 1 for all: no columns, `by_participant` is kNone;
/// - all use columns[0]; `by_participant` is kNone;
/// - `by_participant` is a column over the participants in rising order with the class of each;
///   classes are numbered in the order of their first participant, and columns[c] is the column of
///   class c;
/// - every participant's column is a constant: `columns` is empty and `by_participant` is a
///   column over the participants with these constants;
/// - `functions` give the columns of all participants; once unfolded, the third form is filled in
///   too;
/// - `matching`: the argument is the tag or size of a receive and comes from the matching send;
///   once unfolded, the third form is filled in too.
struct Assignment {
    u32 by_participant = kNone;
    std::vector<u32> columns;
    std::vector<ColumnFamily> families;  ///< ascending by class
    RareValue<FunctionTable> functions;
    PeerEncoding peers = PeerEncoding::relative;  ///< encoding of the values, if they are peers
    Matching matching = Matching::none;

    [[nodiscard]] bool is_always_one() const {
        return by_participant == kNone && columns.empty() && !functions;
    }
    bool operator==(const Assignment&) const = default;
};

/// Facts about one location that no record states.
struct LocationFacts {
    static constexpr std::size_t kFields = 7;
    /// The fields beyond are omitted from files if they are 0 for all locations.
    static constexpr std::size_t kFewestFields = 6;

    u64 events = 0;             ///< records in the event stream
    u64 local_definitions = 0;  ///< records in the local definition stream
    u64 has_event_file = 0;
    u64 has_local_definition_file = 0;
    u64 raw_unknown_request = 0;  ///< events stored verbatim, by reason
    u64 raw_inexpressible = 0;
    u64 has_restarts = 0;  ///< restarts are encoded in its request ids

    [[nodiscard]] std::array<u64, kFields> to_array() const {
        return {events,
                local_definitions,
                has_event_file,
                has_local_definition_file,
                raw_unknown_request,
                raw_inexpressible,
                has_restarts};
    }
    static LocationFacts from_array(const std::array<u64, kFields>& v) {
        return {v[0], v[1], v[2], v[3], v[4], v[5], v[6]};
    }
    bool operator==(const LocationFacts&) const = default;
};

/// All locations of an archive, folded in time and merged over ranks, in canonical numbering: an
/// archive gives the same Structure for every number of processes.
struct Structure {
    std::vector<Pattern> patterns;
    std::vector<Column> columns;  ///< a column refers only to columns of lower index
    std::vector<Symbol> symbols;
    std::vector<Stream> symbol_streams;
    std::vector<Script> scripts;
    /// By stream: a column over the locations with 0 (no records) or 1 + script id.
    std::vector<u32> script_of;
    std::vector<std::vector<Assignment>> script_counts;  ///< [script][pattern node]
    std::vector<std::vector<Assignment>> slots;          ///< [symbol][slot]
    /// LocationFacts field by field, each a column over the locations; only for the event stream.
    std::vector<u32> facts;
    u32 location_count = 0;

    bool operator==(const Structure&) const = default;
};

/// The side of a message that a slot describes.
enum class MessageSide : u8 { none, send, receive };

/// Returns the side of the message whose peer, communicator, tag and size are in the element's
/// slots, if the slot is one of them; none otherwise, and for raw elements.
constexpr MessageSide message_side(const Element& element, const Slot& slot) {
    if (element.raw || slot.field == Slot::kAttributeField) return MessageSide::none;
    switch (static_cast<EventType>(element.type)) {
        case EventType::MpiSend:
        case EventType::MpiIsend:
            return MessageSide::send;
        case EventType::MpiRecv:
            return MessageSide::receive;
        case EventType::MpiIrecvRequest:
            return slot.late ? MessageSide::receive : MessageSide::none;
        default:
            return MessageSide::none;
    }
}

/// True if receives with this matching take the field from the send.
constexpr bool is_matched(Matching matching, FieldKind kind) {
    return matching != Matching::none &&
           (kind == FieldKind::bytes || (kind == FieldKind::tag && matching == Matching::in_order));
}

/// A column and the locations that use it.
struct Variant {
    u32 column = kNone;
    ParticipantList participants;
};

/// The variants of a slot in the encodings other than relative. An encoding with fewer participants
/// than the slot is not applicable to all of them.
using PeerAlternatives = std::array<std::vector<Variant>, kPeerEncodings - 1>;

/// The folded form of some of an archive's locations; processes exchange it while building a
/// Structure. Ids are local to this object.
struct PartialStructure {
    std::vector<Pattern> patterns;
    std::vector<Column> columns;  ///< a column refers only to columns of lower index
    std::vector<Symbol> symbols;
    std::vector<Stream> symbol_streams;
    std::vector<Script> scripts;
    std::vector<ParticipantList> script_participants;
    std::vector<std::vector<std::vector<Variant>>> script_counts;  ///< [script][node]
    std::vector<std::vector<std::vector<Variant>>> slots;          ///< [symbol][slot]
    /// Slots of peers in the other applicable encodings: by (symbol, slot).
    std::map<std::pair<u32, u32>, PeerAlternatives> peer_alternatives;
    std::map<u32, LocationFacts> facts;  ///< by location
};

}  // namespace tracefold
