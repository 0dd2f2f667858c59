// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "questions/structure/structure_diff.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

/// The differences between two traces, each listed once: scripts with the same one, and places of a
/// script with the same one, are united.
class MergedDifferences {
  public:
    struct Entry {
        Difference::Kind kind{};
        ParticipantList participants;
        std::vector<std::string> path;
        DiffLine line;
        u64 places = 1;  ///< in a script, the most of all
    };

    /// Cost: the logarithm of the entries.
    void add(const Difference& difference, const ParticipantNames& names_a,
             const ParticipantNames& names_b);
    /// Grouped by participants and place, in the order of the first ones.
    [[nodiscard]] std::vector<Entry> grouped() const;

  private:
    std::vector<Entry> entries_;
    std::map<std::vector<std::string>, std::size_t> numbers_;  ///< of entries, by their texts
    ParticipantList script_;                                   ///< of the last difference
    std::vector<u64> places_of_script_;                        ///< by entry
};

}  // namespace tracefold
