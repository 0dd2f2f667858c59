// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "model/mpi_name.hpp"

#include <cctype>

namespace tracefold {

namespace {

constexpr std::string_view kPrefix = "MPI_";

bool is_ornament(char c) { return c == ' ' || c == '_' || c == '(' || c == ')'; }

char upper(char c) { return static_cast<char>(std::toupper(static_cast<unsigned char>(c))); }
char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

bool starts_with_prefix(std::string_view name) {
    if (name.size() <= kPrefix.size()) return false;
    for (std::size_t i = 0; i < kPrefix.size(); ++i) {
        if (upper(name[i]) != kPrefix[i]) return false;
    }
    return true;
}

}  // namespace

std::string mpi_function_name(std::string_view region_name) {
    while (!region_name.empty() && is_ornament(region_name.back())) region_name.remove_suffix(1);
    if (!region_name.empty() && upper(region_name.front()) == 'P') region_name.remove_prefix(1);
    if (!starts_with_prefix(region_name)) return {};
    std::string name(kPrefix);
    name += upper(region_name[kPrefix.size()]);
    for (const char c : region_name.substr(kPrefix.size() + 1)) name += lower(c);
    return name;
}

}  // namespace tracefold
