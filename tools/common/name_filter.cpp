// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/name_filter.hpp"

#include "core/error.hpp"
#include "model/mpi_function.hpp"

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
        throw Error(ErrorKind::usage, "'{}' is no regular expression", pattern);
    }
    text_ += (text_.empty() ? "" : ",") + pattern;
}

void NameFilter::add_list(std::string_view list) {
    while (true) {
        const std::size_t slash =
            list.starts_with('/') ? list.find('/', 1) : std::string_view::npos;
        const std::size_t comma = list.find(',', slash == std::string_view::npos ? 0 : slash);
        add(std::string(list.substr(0, comma)));
        if (comma == std::string_view::npos) return;
        list.remove_prefix(comma + 1);
    }
}

bool NameFilter::matches_pattern(const std::string& name, const std::string& standard) const {
    return std::any_of(patterns_.begin(), patterns_.end(), [&](const std::regex& pattern) {
        return std::regex_search(name, pattern) ||
               (!standard.empty() && std::regex_search(standard, pattern));
    });
}

bool NameFilter::matches(std::string_view name) {
    if (patterns_.empty()) return true;
    const auto [known, fresh] = known_.emplace(std::string(name), false);
    if (fresh) known->second = matches_pattern(known->first, mpi_function_name(name));
    return known->second;
}

}  // namespace tracefold
