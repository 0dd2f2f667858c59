// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/json_writer.hpp"
#include "questions/timeline/trace_view.hpp"
#include "questions/timeline/view_messages.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

/// What a page may ask at once.
struct PageLimits {
    static constexpr std::size_t kColumns = 8192;
    static constexpr std::size_t kRows = 1024;
    static constexpr std::size_t kBoxesOfRow = 1500;  ///< more are shown as columns
    static constexpr std::size_t kMessages = 2000;
    static constexpr u64 kMessageCalls = 20'000'000;
    static constexpr std::size_t kSteps = 400;
};

/// Which part of a timeline is asked for.
struct PageWindow {
    std::vector<u32> rows;
    TickWindow window;
    std::size_t columns = 1;
    bool boxes = true;  ///< single regions where they are few
};

/// The calls of a lane that begin before a tick. Precondition: it has blocks.
u64 calls_before(const Lane& lane, u64 tick);

/// Numbers names in the order in which an answer needs them.
class AnswerNames {
  public:
    /// The view must outlive this object.
    explicit AnswerNames(TraceView& view) : view_(view) {}

    /// The number of the name of this symbol. Cost: a table lookup; the first time, a map lookup.
    u32 number(const LaneSymbol& symbol);
    void put(JsonWriter& json) const;

  private:
    TraceView& view_;
    std::vector<u32> number_of_;  ///< by symbol of the structure; kNone: not asked for
    std::map<std::string, u32> numbers_;
    std::vector<const std::string*> names_;
};

/// Bytes as letters (RFC 4648), with padding.
std::string base64(std::string_view bytes);

/// Columns as an answer has them: uses that occur, and base64 of a byte per column and use.
struct PackedColumns {
    std::vector<std::size_t> uses;
    std::string shares;
};
PackedColumns packed_columns(const LaneColumns& columns);

/// Each writes one JSON value; docs/internals/page.md says what is in it. All times are ticks since
/// the first event. Throws Error(corrupt).
///
/// The trace as a whole: rows, nodes, what regions are about, the default window.
void put_trace(JsonWriter& json, TraceView& view, const std::string& name);
/// Rows in a window: regions where they are few, else columns.
void put_timeline(JsonWriter& json, TraceView& view, const PageWindow& part);
/// One call, as `trace_inspect calls --json` has it, with the regions around it and its step.
void put_view_call(JsonWriter& json, TraceView& view, u32 row, u64 call);
void put_view_messages(JsonWriter& json, TraceView& view, const PageWindow& part);
/// What a window holds: calls and time by name, time by use. A call counts with the part of its
/// time that is in the window, and as a call if it begins there.
void put_view_statistics(JsonWriter& json, TraceView& view, const PageWindow& part);
/// When the steps of a row begin that lie in a window; every n-th one where there are many.
void put_view_steps(JsonWriter& json, TraceView& view, u32 row, TickWindow window);
void put_found_call(JsonWriter& json, TraceView& view, const std::vector<u32>& rows,
                    const TraceView::CallSearch& search);

}  // namespace tracefold
