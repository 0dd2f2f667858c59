// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "replay/check.hpp"

#include <array>

namespace tracefold {

/// Collects what a check finds.
class FindingList {
  public:
    /// `example` is called for the first few only.
    template <class Example>
    void add(FindingKind kind, const Example& example, u64 count = 1) {
        Finding& finding = all_[static_cast<std::size_t>(kind)];
        finding.count += count;
        if (finding.examples.size() < Finding::kExamples) finding.examples.push_back(example());
    }

    /// Those that were found, by kind.
    [[nodiscard]] std::vector<Finding> found() const;
    /// True if what was found since `before` can be found again and again by add(): there are
    /// examples of it already.
    [[nodiscard]] bool can_repeat(const FindingList& before) const;
    /// It is found so many times again.
    void add(const FindingList& before, u64 times);

  private:
#define TRACEFOLD_ONE(name, hinders, what, done) +1
    static constexpr std::size_t kKinds = 0 TRACEFOLD_FINDINGS(TRACEFOLD_ONE);
#undef TRACEFOLD_ONE

    std::array<Finding, kKinds> all_;
};

}  // namespace tracefold
