// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <regex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tracefold {

/// Which names a user wants: shell patterns ("MPI_I*", "MPI_?end"), or regular expressions between
/// slashes ("/send|recv/"), which may match any part. Answers are remembered, since names are few.
class NameFilter {
  public:
    /// Throws Error(usage) for what is no pattern.
    void add(const std::string& pattern);

    /// The same for patterns separated by commas, but within slashes.
    void add_list(std::string_view list);

    /// True if there is no pattern.
    [[nodiscard]] bool empty() const { return patterns_.empty(); }

    /// The patterns as they were given, separated by commas.
    [[nodiscard]] const std::string& text() const { return text_; }

    /// True if any pattern matches, or if there is none.
    bool matches(std::string_view name);

  private:
    /// `standard`: the name as MPI spells it; empty if it is none of MPI.
    [[nodiscard]] bool matches_pattern(const std::string& name, const std::string& standard) const;

    std::string text_;
    std::vector<std::regex> patterns_;
    std::unordered_map<std::string, bool> known_;
};

}  // namespace tracefold
