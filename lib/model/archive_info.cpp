// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "model/archive_info.hpp"

#include <array>

#include <fmt/core.h>

namespace tracefold {

namespace {

std::string records_text(const FileLoss& loss) {
    std::string text = std::to_string(loss.records);
    if (loss.expected > loss.records) text += " of " + std::to_string(loss.expected);
    text += loss.records == 1 && loss.expected <= 1 ? " record kept" : " records kept";
    if (loss.bytes != 0) text += fmt::format(", {} unusable bytes left out", loss.bytes);
    return text;
}

std::string missing_text(const FileLoss& loss) {
    switch (loss.file) {
        case ArchiveFileKind::anchor:
            return "missing; inferred from the other files";
        case ArchiveFileKind::local_definitions:
            return "missing; ids in its events are taken as global ones";
        default:
            if (loss.expected == 0) return "missing";
            return fmt::format("missing, with {} records", loss.expected);
    }
}

}  // namespace

bool is_of_location(const FileLoss& loss) {
    return loss.file == ArchiveFileKind::local_definitions || loss.file == ArchiveFileKind::events;
}

std::string_view file_kind_name(ArchiveFileKind kind) {
    constexpr std::array<std::string_view, 4> kNames = {"anchor", "global definitions",
                                                        "local definitions", "events"};
    return kNames[static_cast<std::size_t>(kind)];
}

std::string_view damage_name(FileDamage damage) {
    constexpr std::array<std::string_view, 3> kNames = {"cut", "missing", "undefined"};
    return kNames[static_cast<std::size_t>(damage)];
}

std::string lost_file_name(const FileLoss& loss) {
    const std::string name(file_kind_name(loss.file));
    return is_of_location(loss) ? fmt::format("{} of location {}", name, loss.location) : name;
}

std::string loss_text(const FileLoss& loss) {
    switch (loss.damage) {
        case FileDamage::missing:
            return missing_text(loss);
        case FileDamage::undefined:
            return "the definition of the location is lost; inferred without name and group";
        case FileDamage::cut:
            break;
    }
    if (loss.file == ArchiveFileKind::anchor) return "damaged; missing properties are inferred";
    return records_text(loss);
}

}  // namespace tracefold
