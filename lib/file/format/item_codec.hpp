// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/bytes.hpp"
#include "model/record_fields.hpp"

#include <array>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tracefold {

/// What a number of a section coded by context mixing says. A byte is predicted from those with the
/// same role (docs/reference/format.md, "Context mixing"); the values are part of the format.
enum class FieldRole : u8 {
    location_count,
    symbol_count,
    symbol_head,
    element_type,
    element_flags,
    element_layout,
    context,
    script_count,
    script_stream,
    pattern_mention,
    leaf_count,
    loop_count,
    item_count,
    item,
    item_run,
    column_mention,
    column_form,
    constant,
    progression,
    list_size,
    value,
    step,
    run_value,
    run_length,
    start,
    like,
    alphabet,
    letter,
    letter_step,
    node_count,
    node_gap,
    fact_count,
    peer_encoding,
    assignment,
    class_count,
    family_count,
    family_gap,
    family_size,
    text,
    text_size,
    node_run,
    duration_symbol,
    edge_from,
    step_count,
    step_executions,
    step_sum,
    bucket_count,
    first_bucket,
    bucket,
    least,
    most,
    sum_excess,
};
inline constexpr u32 kFieldRoles = 52;

/// The part of a structure that a byte belongs to; slots follow from kSlotParts on, two for each
/// kind of field: values of the call itself, and those known at its completion.
enum class StructurePart : u8 { symbols, scripts, counts };
inline constexpr u8 kSlotParts = 3;

/// The part of a durations section. Buckets have places from kSlotParts on.
enum class DurationsPart : u8 { nodes, edges, means };

/// A place is finer than a part: a slot of a record type, or one of the parts before the slots.
inline constexpr u32 kSlotPlaces = 32;
constexpr u16 slot_place(u8 record_type, u32 slot) {
    return static_cast<u16>(kSlotParts + (record_type & 0x7FU) * kSlotPlaces +
                            (slot < kSlotPlaces ? slot : kSlotPlaces - 1));
}
inline constexpr u32 kPlaces = kSlotParts + 128 * kSlotPlaces;

struct CodedField {
    FieldRole role = FieldRole::location_count;
    u8 part = 0;
    u16 place = 0;
    bool one_byte = false;  ///< a byte of its own, not a varint
};

/// Numbers that may come next, each from a predictor of its own.
class Expectations {
  public:
    static constexpr u32 kSize = 4;
    /// The predictor of a reader that knows what would fit.
    static constexpr u32 kFits = 2;
    /// Where something else might fit as well.
    static constexpr u32 kFitsElse = 3;

    static Expectations fitting(u64 number) {
        Expectations expected;
        expected.set(kFits, number);
        return expected;
    }
    void set(u32 predictor, u64 number) { next_[predictor] = number < kNone ? number + 1 : 0; }
    [[nodiscard]] bool has(u32 predictor) const { return next_[predictor] != 0; }
    /// Precondition: there is one.
    [[nodiscard]] u64 number(u32 predictor) const { return next_[predictor] - 1; }
    /// One more than the number, 0 if there is none.
    [[nodiscard]] u64 code(u32 predictor) const { return next_[predictor]; }

  private:
    std::array<u64, kSize> next_{};
};

/// What items may come next in a list of them, from what followed items of the same meaning, in
/// this pattern or another (docs/reference/format.md, "Context mixing"). Leaves of scripts mean
/// symbols, so an item that repeats the code of another script means the same as there, whatever
/// its number.
class ItemForecast {
  public:
    enum class Kind : u8 { column, script, symbols };

    /// A new pattern, or with Kind::symbols the list of symbols of a script. `symbols` are those of
    /// the leaves of a script's pattern.
    void begin(Kind kind, u64 leaves, const std::vector<u32>& symbols = {});
    /// A list of items begins: the body of a loop, the root, or symbols.
    void begin_items();
    /// What the next token may be, `predicted` being the item that a token of 0 stands for.
    [[nodiscard]] Expectations token(i64 predicted);
    /// The same for the rest of a run, whose token was expected just before.
    [[nodiscard]] Expectations run() const;
    /// `count` items that rise by one. Cost: constant.
    void add(u32 first, u64 count);
    /// The list was the body of a loop, which is the next item.
    void end_loop(const std::vector<u32>& body);

  private:
    static constexpr u32 kOrders = 3;
    static constexpr u32 kLongest = 4;  ///< items that the longest order looks back
    static constexpr u64 kMaxRun = 64;
    static constexpr std::size_t kMaxKeys = std::size_t{1} << 18U;
    using Past = std::array<u64, kLongest>;  ///< meanings, the last one first

    static u64 key(u32 order, const Past& past);
    [[nodiscard]] u64 meaning_of(u32 item) const;
    [[nodiscard]] u32 item_of(u64 meaning) const;
    [[nodiscard]] u32 follower(u32 order, const Past& past) const;
    void learn(u64 meaning);
    void push(u64 meaning);

    Kind kind_ = Kind::column;
    u64 leaves_ = 0;
    std::vector<u32> symbols_;                ///< of the leaves of a script
    std::vector<u64> loops_;                  ///< meanings of the loops so far
    std::unordered_map<u64, u32> items_;      ///< leaves of a script and loops by meaning
    std::unordered_map<u64, u64> followers_;  ///< what followed a past: a meaning
    Past past_{};
    std::array<u64, 3> next_new_{};    ///< by kind: the first leaf that was not there yet
    std::array<u32, kOrders> runs_{};  ///< expected lengths, 0 if unknown
};

/// Follows a FieldReader: is told what it reads before it does.
class FieldSource {
  public:
    FieldSource() = default;
    FieldSource(const FieldSource&) = delete;
    FieldSource& operator=(const FieldSource&) = delete;
    virtual ~FieldSource() = default;

    /// A number of this field begins at this position; it may be one of those expected.
    virtual void need(std::size_t position, CodedField field, Expectations expected) = 0;
};

/// A ByteReader that says what it is about to read, so that its bytes may be decoded just before.
class FieldReader : public ByteReader {
  public:
    /// `source` provides the bytes as they are needed; null if all are there. It must outlive this.
    FieldReader(std::string_view bytes, std::string name, FieldSource* source = nullptr)
        : ByteReader(bytes, std::move(name)), source_(source) {}

    /// Whether somebody wants to know what is read.
    [[nodiscard]] bool is_followed() const { return source_ != nullptr; }

    /// A varint that is read next: `reader.at(FieldRole::item).get_varint()`.
    FieldReader& at(FieldRole role, const Expectations& expected = {}) {
        if (is_followed()) source_->need(position(), {role, part_, place_, false}, expected);
        return *this;
    }
    FieldReader& at_byte(FieldRole role) {
        if (is_followed()) source_->need(position(), {role, part_, place_, true}, {});
        return *this;
    }
    void enter(u8 part, u16 place) {
        part_ = part;
        place_ = place;
    }

  private:
    FieldSource* source_;
    u8 part_ = 0;
    u16 place_ = 0;
};

/// Items as tokens: zigzag(item - predicted) * 2 + more, where the prediction is one after the item
/// before (the first: 0), and `more` says that a number n follows and with it n + 2 items in all
/// that rise by one. `count` is written first.
void put_items(ByteWriter& out, const std::vector<u32>& items);
/// The inverse; every item is below `limit`. Items are taken from `budget`, and Error(corrupt) is
/// thrown when it is used up. `forecast` is asked and told if there is one.
std::vector<u32> get_items(FieldReader& in, u64 limit, u64& budget,
                           ItemForecast* forecast = nullptr);

}  // namespace tracefold
