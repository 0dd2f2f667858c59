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

/// The role of a number in a section coded by context mixing. A byte is predicted from those with
/// the same role (docs/reference/format.md, "Context mixing"); the values are part of the format.
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
    bool one_byte = false;  ///< a single byte, not a varint
};

/// Candidates for the next number, each from a predictor of its own.
class Expectations {
  public:
    static constexpr u32 kSize = 4;
    /// The predictor of a reader that knows the only fitting number.
    static constexpr u32 kFits = 2;
    /// For a number that fits besides others.
    static constexpr u32 kFitsElse = 3;

    static Expectations fitting(u64 number) {
        Expectations expected;
        expected.set(kFits, number);
        return expected;
    }
    void set(u32 predictor, u64 number) { next_[predictor] = number < kNone ? number + 1 : 0; }
    [[nodiscard]] bool has(u32 predictor) const { return next_[predictor] != 0; }
    /// Precondition: the predictor has a number.
    [[nodiscard]] u64 number(u32 predictor) const { return next_[predictor] - 1; }
    /// Returns the number + 1, or 0 if there is none.
    [[nodiscard]] u64 code(u32 predictor) const { return next_[predictor]; }

  private:
    std::array<u64, kSize> next_{};
};

/// Predicts the items of lists from the successors of items with the same meaning, in this pattern
/// or earlier ones (docs/reference/format.md, "Context mixing"). Leaves of scripts mean symbols, so
/// items that repeat the code of another script have the same meanings, whatever their numbers.
class ItemForecast {
  public:
    enum class Kind : u8 { column, script, symbols };

    /// Begins a pattern, or with Kind::symbols the list of symbols of a script. `symbols` are those
    /// of the leaves of a script's pattern.
    void begin(Kind kind, u64 leaves, const std::vector<u32>& symbols = {});
    /// Begins a list of items: the body of a loop, the root, or symbols.
    void begin_items();
    /// Predicts the next token; a token of 0 means the item `predicted`.
    [[nodiscard]] Expectations token(i64 predicted);
    /// Predicts the rest of a run, after its token.
    [[nodiscard]] Expectations run() const;
    /// Adds `count` items, ascending by one. Cost: constant.
    void add(u32 first, u64 count);
    /// Ends a list that was the body of a loop; the loop is the next item.
    void end_loop(const std::vector<u32>& body);

  private:
    static constexpr u32 kOrders = 3;
    static constexpr u32 kLongest = 4;  ///< number of items in the longest context
    static constexpr u64 kMaxRun = 64;
    static constexpr std::size_t kMaxKeys = std::size_t{1} << 18U;
    using Past = std::array<u64, kLongest>;  ///< meanings, latest first

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
    std::unordered_map<u64, u32> items_;      ///< meaning -> leaf of a script, or loop
    std::unordered_map<u64, u64> followers_;  ///< hash of a past -> meaning of its successor
    Past past_{};
    std::array<u64, 3> next_new_{};    ///< by kind: the first unused leaf
    std::array<u32, kOrders> runs_{};  ///< predicted lengths, 0 if unknown
};

/// Follows a FieldReader: is notified before each number is read.
class FieldSource {
  public:
    FieldSource() = default;
    FieldSource(const FieldSource&) = delete;
    FieldSource& operator=(const FieldSource&) = delete;
    virtual ~FieldSource() = default;

    /// A number of this field begins at this position; `expected` holds candidates.
    virtual void need(std::size_t position, CodedField field, Expectations expected) = 0;
};

/// A ByteReader that announces each number, so its bytes can be decoded on demand.
class FieldReader : public ByteReader {
  public:
    /// `source` provides the bytes on demand; null if all are available. It must outlive this.
    FieldReader(std::string_view bytes, std::string name, FieldSource* source = nullptr)
        : ByteReader(bytes, std::move(name)), source_(source) {}

    [[nodiscard]] bool is_followed() const { return source_ != nullptr; }

    /// Announces a varint, which is read next: `reader.at(FieldRole::item).get_varint()`.
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

/// Writes items as tokens: zigzag(item - predicted) * 2 + more. The prediction is the previous item
/// + 1 (the first: 0); `more` means that a number n follows and the run has n + 2 items in all,
/// ascending by one. `count` is written first.
void put_items(ByteWriter& out, const std::vector<u32>& items);
/// The inverse of put_items(); every item is below `limit`. Items are subtracted from `budget`;
/// throws Error(corrupt) when it is used up. `forecast`, if given, predicts and is trained.
std::vector<u32> get_items(FieldReader& in, u64 limit, u64& budget,
                           ItemForecast* forecast = nullptr);

}  // namespace tracefold
