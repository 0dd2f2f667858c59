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

/// Limits of one query of a page.
struct PageLimits {
    static constexpr std::size_t kColumns = 8192;
    static constexpr std::size_t kRows = 1024;
    static constexpr std::size_t kBoxesOfRow = 1500;  ///< more are shown as columns
    static constexpr std::size_t kMessages = 2000;
    static constexpr u64 kMessageCalls = 20'000'000;
    static constexpr std::size_t kSteps = 400;
};

/// The requested part of a timeline.
struct PageWindow {
    std::vector<u32> rows;
    TickWindow window;
    std::size_t columns = 1;
    bool boxes = true;  ///< individual regions if they are few
};

/// Throws Error(usage) if the lane has no call of this number.
void expect_call(const Lane& lane, u64 call);

/// Number of calls of a lane that begin before a tick. Precondition: it has blocks.
u64 calls_before(const Lane& lane, u64 tick);

/// Numbers the names of an answer in order of use.
class AnswerNames {
  public:
    /// The view must outlive this object.
    explicit AnswerNames(TraceView& view) : view_(view) {}

    /// The number of a symbol's name. Cost: a table look-up; the first time, a map look-up.
    u32 number(const LaneSymbol& symbol);
    void put(JsonWriter& json) const;

  private:
    TraceView& view_;
    std::vector<u32> number_of_;  ///< by symbol of the structure; kNone: not used
    std::map<std::string, u32> numbers_;
    std::vector<const std::string*> names_;
};

/// Base64 (RFC 4648) with padding.
std::string base64(std::string_view bytes);

/// Columns of an answer: the occurring uses, and base64 of a byte per column and use.
struct PackedColumns {
    std::vector<std::size_t> uses;
    std::string shares;
};
PackedColumns packed_columns(const LaneColumns& columns);

/// Each function writes one JSON value; docs/internals/page.md describes them. All times are ticks
/// since the first event. Throws Error(corrupt).
///
/// The trace as a whole: rows, nodes, uses of regions, the default window.
void put_trace(JsonWriter& json, TraceView& view, const std::string& name, bool replaced = false);
/// Rows in a window: regions if they are few, else columns.
void put_timeline(JsonWriter& json, TraceView& view, const PageWindow& part);
/// One call, as in `trace_inspect calls --json`, with its enclosing regions and step.
void put_view_call(JsonWriter& json, TraceView& view, u32 row, u64 call);
void put_view_messages(JsonWriter& json, TraceView& view, const PageWindow& part);
/// Statistics of a window: calls and time by name, time by use. A call contributes its time within
/// the window, and counts if it begins there.
void put_view_statistics(JsonWriter& json, TraceView& view, const PageWindow& part);
/// Begins of the steps of a row within a window; every n-th one if there are many.
void put_view_steps(JsonWriter& json, TraceView& view, u32 row, TickWindow window);
void put_found_call(JsonWriter& json, TraceView& view, const std::vector<u32>& rows,
                    const TraceView::CallSearch& search);

}  // namespace tracefold
