// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "inspect/page/page_answers.hpp"
#include "questions/calls/call_lister.hpp"

#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tracefold {

/// Properties of a row's calls, such as peer, tag and bytes, deduplicated. Omits request numbers,
/// which differ from call to call.
class RowFacts {
  public:
    /// The number of the current call's facts, from 1; 0: none.
    u32 number(CallLister& lister);

    /// The JSON array of records with this number.
    [[nodiscard]] const std::string& text(u32 number) const { return *order_[number - 1]; }
    [[nodiscard]] std::size_t count() const { return order_.size(); }

  private:
    std::unordered_map<std::string, u32> numbers_;
    std::vector<const std::string*> order_;
};

/// Facts of all calls of a page, deduplicated, up to the available space.
class KeptFacts {
  public:
    explicit KeptFacts(std::size_t room) : room_(room) {}

    /// The number of a call's facts; 0: no space left.
    u32 number(const std::string& text);

    [[nodiscard]] std::size_t bytes() const { return bytes_; }
    /// Calls whose facts did not fit.
    [[nodiscard]] u64 left_out() const { return left_out_; }
    /// The JSON arrays of records, by number from 1.
    [[nodiscard]] std::string text() const;

  private:
    std::size_t room_;
    std::size_t bytes_ = 0;
    u64 left_out_ = 0;
    std::unordered_map<std::string, u32> numbers_;
    std::vector<const std::string*> order_;
};

/// The calls of a row in a window of a static page; docs/internals/page.md describes the format.
struct KeptCalls {
    std::string json;  ///< an object
    u64 boxes = 0;
};

/// The calls of a row in some windows, before page-wide numbering.
struct RowCalls {
    struct Window {
        TickWindow window;
        std::vector<LaneBox> boxes;
        std::vector<u32> facts;  ///< by box: number in `facts`
        std::string spent;       ///< packed uses; empty if the boxes determine them
        bool too_many = false;   ///< too many boxes: other members are unset
    };

    std::vector<Window> windows;
    RowFacts facts;
};

/// Writes the calls of rows of a page. All references must outlive this object.
class KeptRows {
  public:
    KeptRows(TraceView& view, AnswerNames& names, KeptFacts& facts)
        : view_(view), names_(names), facts_(facts) {}

    /// Reads a row, independent of other rows. Windows are in order and disjoint. Thread-safe.
    /// Cost: the row's distinct calls up to the last window, and the records of those that may fit
    /// into `room`. Throws Error(corrupt).
    RowCalls read(u32 row, const Lane& lane, const std::vector<TickWindow>& windows,
                  std::size_t room);
    /// Each window of a row; none for windows above `room` bytes. Precondition: `room` is at most
    /// that of read(). Throws Error(corrupt).
    std::vector<std::optional<KeptCalls>> write(u32 row, const Lane& lane, const RowCalls& calls,
                                                std::size_t room);

  private:
    void read_facts(const Lane& lane, RowCalls& calls);
    [[nodiscard]] std::vector<std::vector<u32>> numbers_of_facts(const RowCalls& calls);
    std::optional<KeptCalls> write(u32 row, const Lane& lane, const RowCalls::Window& calls,
                                   const std::vector<u32>& facts, std::size_t room);

    TraceView& view_;
    AnswerNames& names_;
    KeptFacts& facts_;
};

/// The use of time outside of regions: computation; idle for streams.
TimeUse base_use(const ViewRow& row);

}  // namespace tracefold
