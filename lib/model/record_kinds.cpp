// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "model/record_kinds.hpp"

#include <algorithm>

namespace tracefold {

namespace {

constexpr std::array<std::string_view, kRecordKinds> kRecordKindNames = {
    "attributes", "collectives", "communicators", "io",  "measurement", "messages", "metrics",
    "parameters", "program",     "regions",       "rma", "samples",     "threads"};

}  // namespace

std::string_view name_of(RecordKind kind) {
    return kRecordKindNames[static_cast<std::size_t>(kind)];
}

std::optional<RecordKind> find_record_kind(std::string_view name) {
    const auto* const found = std::ranges::find(kRecordKindNames, name);
    if (found == kRecordKindNames.end()) return std::nullopt;
    return static_cast<RecordKind>(found - kRecordKindNames.begin());
}

}  // namespace tracefold
