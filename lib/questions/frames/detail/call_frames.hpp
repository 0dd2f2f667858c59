// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "questions/calls/call_lister.hpp"
#include "questions/calls/selected_calls.hpp"
#include "questions/frames/detail/frame.hpp"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

/// The arguments that have a column of their own, in this order; all else stands in `other`.
enum class Argument : u8 {
    to,
    from,
    target,
    comm,
    tag,
    bytes,
    op,
    root,
    sent,
    received,
    request,
    completed,
    other,
};
inline constexpr std::size_t kArguments = 13;

/// The column of a field as people call it; nothing if it has none.
std::optional<Argument> find_argument(std::string_view short_name);
ColumnInfo column_of(Argument argument);

/// Which column of the frames each argument has; kNone: none, it is not asked for.
using ArgumentPlaces = std::array<u32, kArguments>;

/// Puts the arguments of calls and records into the columns of a frame.
///
/// Numbers are integers; the special ranks and roots that OTF2 defines are below 0: -1 none, -2
/// self, -3 this group. An argument of which a call has several values is none unless all are the
/// same, but `bytes`, `sent` and `received` are the sum; these values, and arguments without a
/// column, stand in `other` as NAME=VALUE, several values joined by ';', several arguments by
/// blanks.
class ArgumentSink : public CallSink {
  public:
    ArgumentSink(FrameWriter& frames, const ArgumentPlaces& places)
        : frames_(frames), places_(places) {}

    void begin_call(const CallHead&) override;
    void begin_record(std::string_view type, bool plain) override;
    void flag(std::string_view name) override;
    void begin_field(std::string_view name, bool list) override;
    void number(u64 value) override;
    void number_text(std::string_view text) override;
    void word(const std::string& text) override;
    void end_field() override;
    void end_record() override {}
    void end_call() override;

  private:
    /// What a call says of an argument.
    struct Said {
        u64 values = 0;
        bool fits = true;  ///< all are what the column can hold
        bool same = true;  ///< all are equal
        i64 number = 0;    ///< the first one
        i64 sum = 0;
        std::string first;
        std::string text;  ///< all
    };

    void add(std::string_view text, std::optional<i64> number);
    void put(Argument argument, Said& said);

    FrameWriter& frames_;
    const ArgumentPlaces& places_;
    std::array<Said, kArguments> said_;
    std::string others_;
    std::string record_;
    std::string name_;
    std::string value_;
    std::optional<Argument> argument_;  ///< of the field at hand
};

/// How the fields of a record of one type, which has no attributes, go straight to their columns.
class FieldPlan {
  public:
    FieldPlan(u8 type, u8 field_count, const ArgumentPlaces& places);

    /// False if some field has no column, so that the record needs an ArgumentSink.
    [[nodiscard]] bool is_complete() const { return complete_; }
    /// The arguments that it sets, by bit.
    [[nodiscard]] u32 arguments() const { return arguments_; }

    /// Sets the columns. False if a value does not fit, after some are set. Precondition:
    /// is_complete().
    bool put(std::span<const u64> values, RecordText& text, FrameWriter& frames);

  private:
    struct Step {
        u32 value = 0;
        u32 column = 0;
        FieldKind kind = FieldKind::value;
        u64 last = ~u64{0};  ///< label that was asked for last, and its code
        i32 code = 0;
    };

    bool put(Step& step, u64 value, RecordText& text, FrameWriter& frames) const;

    u8 type_;
    bool complete_ = true;
    u32 arguments_ = 0;
    std::vector<Step> steps_;
};

/// How calls and records are put into frames.
struct FrameRequest {
    std::vector<std::string> columns;  ///< by name, in this order; empty: all
    bool ticks = false;                ///< times are ticks of the clock, not nanoseconds
    u64 rows = u64{1} << 15U;          ///< of a frame, at most
};

/// A time as a column has it, in ticks or nanoseconds. Throws Error(unsupported) if that is more
/// than 64 bits with a sign hold.
i64 column_time(TickSpan time, TickRate rate, bool in_ticks);

/// The columns of CallFrames and EventFrames, in their order.
std::vector<ColumnInfo> call_columns(bool ticks);
std::vector<ColumnInfo> event_columns(bool ticks);

/// Where the columns that come before the arguments stand among those that are asked for.
class ColumnChoice {
  public:
    /// `all`: all columns, the last of which are the arguments, if there are any. Throws
    /// Error(usage) for a name that none of them has, or that stands twice.
    ColumnChoice(const std::vector<ColumnInfo>& all, const std::vector<std::string>& names);

    [[nodiscard]] const std::vector<ColumnInfo>& columns() const { return columns_; }
    /// Where a column of `all` stands; kNone: it is not asked for.
    [[nodiscard]] u32 place(std::size_t column) const { return places_[column]; }
    [[nodiscard]] const ArgumentPlaces& arguments() const { return arguments_; }

  private:
    std::vector<ColumnInfo> columns_;
    std::vector<u32> places_;
    ArgumentPlaces arguments_{};
};

/// The columns that are the same for all rows of a location: which one it is, its rank and thread.
class LocationColumns {
  public:
    /// `choice`: the first three columns are those. All must outlive this object.
    LocationColumns(const ColumnChoice& choice, const ParticipantNames& names, FrameWriter& frames)
        : choice_(choice), names_(names), frames_(frames) {}

    /// The rows from here on are of this location.
    void begin(u32 location);
    /// Completes the rows so far. Call before a frame is taken.
    void complete() {
        flush();
        first_row_ = 0;
    }

  private:
    void flush();

    const ColumnChoice& choice_;
    const ParticipantNames& names_;
    FrameWriter& frames_;
    u64 first_row_ = 0;
    u32 location_ = kNone;
};

/// Calls as rows, in the order of SelectedCalls, with the columns of call_columns(): location,
/// rank, thread, begin and duration, kind and name of the call, and its arguments. Cost: O(1) per
/// call and argument. Memory: one frame, one location's times. The file must outlive it.
class CallFrames : public FrameSource {
  public:
    /// Throws Error(usage): what ColumnChoice and SelectedCalls say.
    CallFrames(TraceFile& file, CallSelection selection, const FrameRequest& request);

    [[nodiscard]] const std::vector<ColumnInfo>& columns() const override {
        return choice_.columns();
    }
    std::shared_ptr<const Frame> next() override;

  private:
    /// What is the same for all calls of a symbol at a location.
    struct Layout {
        bool known = false;
        bool is_direct = false;  ///< all values have columns, and go there without an ArgumentSink
        bool lasts = false;      ///< has a duration
        i32 kind = 0;
        i32 name = 0;
        std::vector<std::unique_ptr<FieldPlan>> plans;  ///< by element; null: nothing to say
        std::unique_ptr<FieldPlan> posted;              ///< of what completes later
    };

    void begin_location(u32 location);
    Layout& layout(CallLister& call);
    void work_out(CallLister& call, Layout& layout);
    void plan(CallLister& call, Layout& layout);
    void put_call(CallLister& call);
    bool put_arguments(CallLister& call, Layout& layout);
    bool put_posted(CallLister& call, Layout& layout);

    TraceFile& file_;
    SelectedCalls calls_;
    FrameRequest request_;
    ColumnChoice choice_;
    FrameWriter frames_;
    LocationColumns places_;
    ArgumentSink sink_;
    TickRate rate_;
    u32 location_ = kNone;
    u32 begin_column_;
    u32 duration_column_;
    u32 kind_column_;
    u32 name_column_;
    u32 completed_column_;
    u32 first_argument_ = kNone;  ///< column; kNone: none is asked for
    bool times_;
    std::vector<Layout> layouts_;  ///< by symbol
};

}  // namespace tracefold
