// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "proxy/completion_runs.hpp"

#include <array>
#include <map>
#include <set>
#include <unordered_map>

namespace tracefold::inline proxy {

/// Tells functions that are called until all receives, or all sends, are complete from those that
/// some of them complete with, which decide what the program does next: by what most of their runs
/// do. Memory: what a rank has outstanding.
class CompletionIdiomDetector {
  public:
    void begin_rank();
    /// For every call of the rank in order; `run`: the one that it begins, or null.
    void add(const MpiCall& call, const CompletionRun* run);

    /// Those of the first kind.
    [[nodiscard]] std::set<MpiFunction> functions() const;
    /// All that are looked at.
    static std::set<MpiFunction> candidates();

  private:
    using Kind = Action::Kind;
    void complete(u64 request);

    std::unordered_map<u64, Kind> outstanding_;  ///< by request: the kind of the action that posts
    std::map<Kind, u64> left_;                   ///< outstanding ones of each kind
    std::map<MpiFunction, i64> surplus_;         ///< of runs that complete all of a kind
};

}  // namespace tracefold::inline proxy
