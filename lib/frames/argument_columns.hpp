// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "frames/frame.hpp"
#include "listing/call_sink.hpp"
#include "listing/record_text.hpp"

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

}  // namespace tracefold
