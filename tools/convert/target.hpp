// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "exporters/export_format.hpp"

#include <string>
#include <vector>

namespace tracefold {

/// A word of --to and what it means.
struct ConvertTarget {
    enum class Kind : u8 { otf2, text, tfold, exporter };

    Kind kind = Kind::otf2;
    const ExportFormat* format = nullptr;  ///< of Kind::exporter
    std::string_view name;
    std::string_view title;
    std::string_view keeps;
    std::string_view drops;
    std::string_view suffix;  ///< of its files; empty: it has none of its own
};

/// All of them, in the order in which people are told.
const std::vector<ConvertTarget>& convert_targets();

/// The one whose files are named like `output`. Throws Error(usage) if there is none.
const ConvertTarget& target_of_output(const std::string& output);

/// What `--to help` prints.
std::string describe_targets();

}  // namespace tracefold
