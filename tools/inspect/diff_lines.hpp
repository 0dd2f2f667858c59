// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "questions/structure/structure_diff.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace tracefold {

/// One of two compared files, with its settings.
class ComparedTrace {
  public:
    /// Reads times if they are compared. Throws Error(usage) if the file has none.
    ComparedTrace(TraceFile& file, const std::string& path, bool with_times);

    [[nodiscard]] const ParticipantNames& names() const { return names_; }
    [[nodiscard]] DiffSide view() { return {file_, source_, names_, times_ ? &*times_ : nullptr}; }

  private:
    TraceFile& file_;
    ParticipantNames names_;
    ListingSource source_;
    std::optional<CallTimes> times_;
};

/// "only_in_a", "count".
std::string_view difference_kind(Difference::Kind kind);

/// A difference as text.
struct DiffLine {
    std::string what;  ///< the call, or "loop"
    std::string field;
    std::string a;
    std::string b;
};

DiffLine line_of(const Difference& difference, const ParticipantNames& names_a,
                 const ParticipantNames& names_b);

}  // namespace tracefold
