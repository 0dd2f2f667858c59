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

/// Arguments with a column of their own, in column order; `other` holds the rest.
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

/// The column of a field, by its short name; none if it has no column.
std::optional<Argument> find_argument(std::string_view short_name);
ColumnInfo column_of(Argument argument);

/// Column of each argument; kNone: not requested.
using ArgumentPlaces = std::array<u32, kArguments>;

/// Writes the arguments of calls and records into the columns of a frame.
///
/// Numbers are integers; OTF2's special ranks and roots are negative: -1 none, -2 self, -3 this
/// group. If a call has several different values of an argument, the cell is empty; `bytes`, `sent`
/// and `received` are summed instead. `other` lists these values and arguments without a column as
/// NAME=VALUE, with ';' between values and blanks between arguments.
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
    /// Values of one argument in a call.
    struct Said {
        u64 values = 0;
        bool fits = true;  ///< all values fit the column
        bool same = true;  ///< all values are equal
        i64 number = 0;    ///< first value
        i64 sum = 0;
        std::string first;
        std::string text;  ///< all values
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
    std::optional<Argument> argument_;  ///< of the current field
};

/// Writes the fields of a record of one type, without attributes, directly to their columns.
class FieldPlan {
  public:
    FieldPlan(u8 type, u8 field_count, const ArgumentPlaces& places);

    /// False if a field has no column and the record needs an ArgumentSink.
    [[nodiscard]] bool is_complete() const { return complete_; }
    /// Arguments that the plan sets, as a bit mask.
    [[nodiscard]] u32 arguments() const { return arguments_; }

    /// Sets the columns. Returns false if a value does not fit, possibly after setting others.
    /// Precondition: is_complete().
    bool put(std::span<const u64> values, RecordText& text, FrameWriter& frames);

  private:
    struct Step {
        u32 value = 0;
        u32 column = 0;
        FieldKind kind = FieldKind::value;
        u64 last = ~u64{0};  ///< last label and its code
        i32 code = 0;
    };

    bool put(Step& step, u64 value, RecordText& text, FrameWriter& frames) const;

    u8 type_;
    bool complete_ = true;
    u32 arguments_ = 0;
    std::vector<Step> steps_;
};

/// Columns, units and size of frames.
struct FrameRequest {
    std::vector<std::string> columns;  ///< by name, in this order; empty: all
    bool ticks = false;                ///< times in clock ticks, not nanoseconds
    u64 rows = u64{1} << 15U;          ///< maximum rows of a frame

    /// The same, but no more rows than the trace has events.
    [[nodiscard]] u64 capacity(TraceFile& file) const;
};

/// A time in ticks or nanoseconds. Throws Error(unsupported) if it exceeds a signed 64-bit integer.
i64 column_time(TickSpan time, TickRate rate, bool in_ticks);

/// Columns of CallFrames and of EventFrames, in order.
std::vector<ColumnInfo> call_columns(bool ticks);
std::vector<ColumnInfo> event_columns(bool ticks);

/// Maps the columns that precede the arguments, and the arguments, to the requested columns.
class ColumnChoice {
  public:
    /// `all`: all columns, the arguments last. Throws Error(usage) for unknown or repeated names.
    ColumnChoice(const std::vector<ColumnInfo>& all, const std::vector<std::string>& names);

    [[nodiscard]] const std::vector<ColumnInfo>& columns() const { return columns_; }
    /// Requested column number of a column of `all`; kNone: not requested.
    [[nodiscard]] u32 place(std::size_t column) const { return places_[column]; }
    [[nodiscard]] const ArgumentPlaces& arguments() const { return arguments_; }

  private:
    std::vector<ColumnInfo> columns_;
    std::vector<u32> places_;
    ArgumentPlaces arguments_{};
};

/// Fills the columns that are constant for a location: location, rank and thread.
class LocationColumns {
  public:
    /// `choice`: begins with location, rank and thread. All arguments must outlive this object.
    LocationColumns(const ColumnChoice& choice, const ParticipantNames& names, FrameWriter& frames)
        : choice_(choice), names_(names), frames_(frames) {}

    /// Assigns the following rows to this location.
    void begin(u32 location);
    /// Fills the rows so far. Call before taking a frame.
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

/// Calls as rows in the order of SelectedCalls, with the columns of call_columns(): location, rank,
/// thread, begin, duration, step, kind and name of the call, and its arguments. Cost: O(1) per call
/// and argument. Memory: one frame and one location's times. The file must outlive this object.
class CallFrames : public FrameSource {
  public:
    /// Throws Error(usage) as ColumnChoice and SelectedCalls do.
    CallFrames(TraceFile& file, CallSelection selection, const FrameRequest& request);

    [[nodiscard]] const std::vector<ColumnInfo>& columns() const override {
        return choice_.columns();
    }
    std::shared_ptr<const Frame> next() override;

  private:
    /// Properties of all calls of a symbol on a location.
    struct Layout {
        bool known = false;
        bool is_direct = false;  ///< all values go to columns without an ArgumentSink
        bool lasts = false;      ///< has a duration
        i32 kind = 0;
        i32 name = 0;
        std::vector<std::unique_ptr<FieldPlan>> plans;  ///< by element; null: nothing to write
        std::unique_ptr<FieldPlan> posted;              ///< of operations that complete later
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
    u32 step_column_;
    u32 kind_column_;
    u32 name_column_;
    u32 completed_column_;
    u32 first_argument_ = kNone;  ///< column; kNone: no argument requested
    bool times_;
    std::vector<Layout> layouts_;  ///< by symbol
};

}  // namespace tracefold
