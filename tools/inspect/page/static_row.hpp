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

/// What calls of a row say of themselves, such as peer, tag and bytes, each different thing once.
/// Numbers of requests, which differ from call to call, are left out.
class RowFacts {
  public:
    /// The number of what the call at hand says, from 1; 0: nothing.
    u32 number(CallLister& lister);

    /// The JSON array of records with this number.
    [[nodiscard]] const std::string& text(u32 number) const { return *order_[number - 1]; }
    [[nodiscard]] std::size_t count() const { return order_.size(); }

  private:
    std::unordered_map<std::string, u32> numbers_;
    std::vector<const std::string*> order_;
};

/// The same of all calls of a page, as far as there is room: most calls say what others said.
class KeptFacts {
  public:
    explicit KeptFacts(std::size_t room) : room_(room) {}

    /// The number of what a call says; 0: there is no room left.
    u32 number(const std::string& text);

    [[nodiscard]] std::size_t bytes() const { return bytes_; }
    /// Calls whose arguments had no room.
    [[nodiscard]] u64 left_out() const { return left_out_; }
    /// The JSON arrays of records, in the order of their numbers from 1.
    [[nodiscard]] std::string text() const;

  private:
    std::size_t room_;
    std::size_t bytes_ = 0;
    u64 left_out_ = 0;
    std::unordered_map<std::string, u32> numbers_;
    std::vector<const std::string*> order_;
};

/// The calls of a row in a window as a page keeps them; docs/internals/page.md has the form.
struct KeptCalls {
    std::string json;  ///< an object
    u64 boxes = 0;
};

/// The calls of a row in some windows, before what all rows have in common is numbered.
struct RowCalls {
    struct Window {
        TickWindow window;
        std::vector<LaneBox> boxes;
        std::vector<u32> facts;  ///< by box, as `facts` numbers them
        std::string spent;       ///< packed; empty if the boxes tell it
        bool too_many = false;   ///< boxes: nothing else is known
    };

    std::vector<Window> windows;
    RowFacts facts;
};

/// Writes rows of a page call by call. All must outlive it.
class KeptRows {
  public:
    KeptRows(TraceView& view, AnswerNames& names, KeptFacts& facts)
        : view_(view), names_(names), facts_(facts) {}

    /// What can be known of a row while others are written. Windows are in order and do not
    /// overlap. For any number of threads. Cost: the calls of the row up to the last window that do
    /// not come again, and a reading of the records of those that `room` may be enough for. Throws
    /// Error(corrupt).
    RowCalls read(u32 row, const Lane& lane, const std::vector<TickWindow>& windows,
                  std::size_t room);
    /// Each window of a row, or nothing where it takes more than `room` bytes, which is at most the
    /// room that they were read for. Throws Error(corrupt).
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

/// Time that a row spends in no region: computation, of a stream nothing.
TimeUse base_use(const ViewRow& row);

}  // namespace tracefold
