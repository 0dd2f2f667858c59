// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/name_filter.hpp"

#include "core/error.hpp"

#include <algorithm>

namespace tracefold {

namespace {

std::string regex_of_glob(std::string_view glob) {
    static constexpr std::string_view kSpecial = "^$\\.*+?()[]{}|";
    std::string regex = "^";
    for (const char c : glob) {
        if (c == '*') {
            regex += ".*";
        } else if (c == '?') {
            regex += '.';
        } else {
            if (kSpecial.find(c) != std::string_view::npos) regex += '\\';
            regex += c;
        }
    }
    return regex + "$";
}

}  // namespace

void NameFilter::add(const std::string& pattern) {
    const bool is_regex = pattern.size() > 2 && pattern.front() == '/' && pattern.back() == '/';
    try {
        patterns_.emplace_back(is_regex ? pattern.substr(1, pattern.size() - 2)
                                        : regex_of_glob(pattern));
    } catch (const std::regex_error&) {
        throw Error(ErrorKind::usage, "'" + pattern + "' is no regular expression");
    }
}

bool NameFilter::matches(std::string_view name) {
    if (patterns_.empty()) return true;
    const auto [known, fresh] = known_.emplace(std::string(name), false);
    if (fresh) {
        known->second =
            std::any_of(patterns_.begin(), patterns_.end(), [&known](const std::regex& pattern) {
                return std::regex_search(known->first, pattern);
            });
    }
    return known->second;
}

}  // namespace tracefold
