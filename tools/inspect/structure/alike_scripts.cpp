// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/body_alignment.hpp"
#include "inspect/structure/structure.hpp"

#include <algorithm>

#include <fmt/core.h>

namespace tracefold {

namespace {

/// Names of lines that differ.
constexpr std::size_t kMostDifferent = 4;

using Lines = std::vector<ScriptText::Line>;

/// Which lines of `b` stand in `a` too, in the same order.
std::vector<bool> lines_in_common(const Lines& a, const Lines& b) {
    std::vector<bool> common(b.size(), false);
    const auto same = [&](u32 i, u32 j) { return a[i].text == b[j].text; };
    const auto pairs = align(static_cast<u32>(a.size()), static_cast<u32>(b.size()), same);
    for (const auto& [i, j] : pairs) {
        if (i != kNone && j != kNone) common[j] = true;
    }
    return common;
}

/// ": MPI_Send, MPI_Recv, ..." in the order of the lines.
std::string names_of_others(const Lines& lines, const std::vector<bool>& common) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const std::string& name = lines[i].name;
        const bool is_new = std::find(names.begin(), names.end(), name) == names.end();
        if (!common[i] && !name.empty() && is_new) names.push_back(name);
    }
    std::string text;
    for (std::size_t i = 0; i < std::min(names.size(), kMostDifferent); ++i) {
        text.append(i == 0 ? ": " : ", ").append(names[i]);
    }
    return names.size() > kMostDifferent ? text + ", ..." : text;
}

}  // namespace

std::optional<std::string> AlikeScripts::difference(const ScriptText& script) const {
    const ScriptText* nearest = nullptr;
    std::vector<bool> most;
    std::ptrdiff_t most_lines = 0;
    for (const ScriptText& told : told_) {
        std::vector<bool> common = lines_in_common(told.lines, script.lines);
        const std::ptrdiff_t lines = std::count(common.begin(), common.end(), true);
        if (lines <= most_lines) continue;
        nearest = &told;
        most = std::move(common);
        most_lines = lines;
    }
    const std::size_t others = script.lines.size() - static_cast<std::size_t>(most_lines);
    if (nearest == nullptr || 2 * others > script.lines.size()) return std::nullopt;
    if (others == 0) {
        return fmt::format("as {} without {} of {} lines", nearest->who,
                           nearest->lines.size() - script.lines.size(), nearest->lines.size());
    }
    return fmt::format("as {} but for {} of {} lines{}", nearest->who, others, script.lines.size(),
                       names_of_others(script.lines, most));
}

}  // namespace tracefold
