// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "inspect/page/kept_facts.hpp"
#include "inspect/page/page_answers.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tracefold {

/// The calls of a row in a window as a page keeps them; docs/page.md has the form.
struct KeptCalls {
    std::string json;  ///< an object
    u64 boxes = 0;
};

/// Writes rows of a page call by call. All must outlive it.
class KeptRows {
  public:
    KeptRows(TraceView& view, AnswerNames& names, KeptFacts& facts)
        : view_(view), names_(names), facts_(facts) {}

    /// Each window of a row, or nothing where it takes more than `room` bytes. Windows are in
    /// order and do not overlap. Cost: the calls of the row up to the last window that do not come
    /// again, and a reading of the records of those that are kept. Throws Error(corrupt).
    std::vector<std::optional<KeptCalls>> windows(u32 row, const Lane& lane,
                                                  const std::vector<TickWindow>& windows,
                                                  std::size_t room);

  private:
    /// By window and box: what is known of the call.
    std::vector<std::vector<u32>> facts_of(
        const Lane& lane, const std::vector<std::optional<std::vector<LaneBox>>>& windows);
    std::optional<KeptCalls> calls(u32 row, const Lane& lane, TickWindow window, std::size_t room,
                                   const std::vector<LaneBox>& boxes,
                                   const std::vector<u32>& facts);

    TraceView& view_;
    AnswerNames& names_;
    KeptFacts& facts_;
};

/// Time that a row spends in no region: computation, of a stream nothing.
TimeUse base_use(const ViewRow& row);

}  // namespace tracefold
