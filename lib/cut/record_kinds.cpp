// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "cut/record_kinds.hpp"

#include <algorithm>

namespace tracefold {

namespace {

constexpr std::array<std::string_view, kRecordKinds> kNames = {
    "attributes", "collectives", "communicators", "io",  "measurement", "messages", "metrics",
    "parameters", "program",     "regions",       "rma", "samples",     "threads"};

}  // namespace

std::string_view name_of(RecordKind kind) { return kNames[static_cast<std::size_t>(kind)]; }

std::optional<RecordKind> find_record_kind(std::string_view name) {
    const auto* const found = std::ranges::find(kNames, name);
    if (found == kNames.end()) return std::nullopt;
    return static_cast<RecordKind>(found - kNames.begin());
}

}  // namespace tracefold
