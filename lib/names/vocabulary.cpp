// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "names/vocabulary.hpp"

#include "model/dictionary.hpp"
#include "model/mpi_function.hpp"
#include "model/numbered_name.hpp"

#include <algorithm>
#include <set>
#include <string>

namespace tracefold {

namespace {

std::set<std::string> numbered_shapes() {
    std::set<std::string> shapes;
    for (const Dictionary::Entry& entry : Dictionary::built_in().entries()) {
        if (entry.numbered) shapes.insert(split_name(entry.text).shape);
    }
    return shapes;
}

bool is_known(std::string_view name) {
    return name.empty() || Dictionary::built_in().find(name) != kNone;
}

bool is_counter(std::string_view name) {
    constexpr std::string_view kPrefix = "PAPI_";
    return name.starts_with(kPrefix) && std::ranges::all_of(name, [](char c) {
               return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
           });
}

}  // namespace

bool is_vocabulary(std::string_view name) {
    static const std::set<std::string> shapes = numbered_shapes();
    if (is_known(name) || is_counter(name)) return true;
    // With a place in the source, a name says more than the function.
    const std::string mpi = bare_mpi_function_name(name);
    if (!mpi.empty() && is_known(mpi)) return true;
    const NumberedName parts = split_name(name);
    return !parts.numbers.empty() && shapes.contains(parts.shape);
}

}  // namespace tracefold
