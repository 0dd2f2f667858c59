// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/record_batch.hpp"

#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace tracefold {

/// A name and what takes its place.
struct Replacement {
    std::string neutral;  ///< "function_3"
    std::string original;
};

/// Gives the names of a trace that are no vocabulary neutral ones: by what they name first, counted
/// in the order of their definitions, so that the same trace always gets the same. Memory: the
/// names.
class NeutralNames {
  public:
    /// Feeds definitions in source order: the global ones, then, after next_ids() each time, the
    /// local ones of every location, then finish().
    void add(const RecordBatch& batch);
    /// The ids of the strings that follow are those of another location.
    void next_ids();
    void finish();

    /// What takes the place of a string of the definitions: itself if it is vocabulary.
    [[nodiscard]] const std::string& of(const std::string& original) const;
    /// The same for a name that is in no definition; `role` names it.
    const std::string& of(const std::string& original, const std::string& role);

    /// Definitions with neutral names.
    [[nodiscard]] RecordBatch renamed(const RecordBatch& batch) const;

    /// In the order in which they were given.
    [[nodiscard]] const std::vector<Replacement>& all() const { return all_; }

  private:
    void note_roles(const RecordBatch& batch, const RecordBatch::Head& head);
    void note_role(u64 string, const std::string& role) { roles_.try_emplace(string, role); }
    const std::string& replace(const std::string& original, const std::string& role);

    struct Name {
        std::string text;
        std::string role;
    };
    std::vector<Name> named_;                           ///< in order
    std::vector<std::pair<u64, std::string>> strings_;  ///< after those, whose roles are not known
    std::set<std::string> originals_;
    std::unordered_map<u64, std::string> roles_;  ///< by string
    std::map<std::string, u64> counts_;           ///< by role
    std::map<std::string, std::string> neutral_;  ///< by original
    std::vector<Replacement> all_;
};

}  // namespace tracefold
