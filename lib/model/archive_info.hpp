// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace tracefold {

/// The version whose records the record tables list; archives of a newer one may hold others.
inline constexpr u8 kOtf2Major = 3;
inline constexpr u8 kOtf2Minor = 2;

/// What the anchor file of an archive says, and where the archive lies.
struct ArchiveInfo {
    std::string anchor_path;  ///< as opened: `<directory>/<name>.otf2`
    std::string directory;    ///< of the anchor, "." if it has none
    std::string name;         ///< of the archive, without ".otf2"

    std::array<u8, 3> version{};    ///< of OTF2, as the producer wrote it: major, minor, bugfix
    u8 substrate = 0;               ///< OTF2_FileSubstrate; always POSIX
    u8 compression = 0;             ///< OTF2_Compression; always none
    u64 event_chunk_size = 0;       ///< bytes
    u64 definition_chunk_size = 0;  ///< bytes

    std::string machine_name;
    std::string creator;
    std::string description;
    std::vector<std::pair<std::string, std::string>> properties;  ///< in source order

    u64 trace_id = 0;
    u64 global_definition_count = 0;
    u64 location_count = 0;
    u32 snapshot_count = 0;
    u32 thumbnail_count = 0;

    std::string anchor_bytes;  ///< the whole anchor file

    /// "MAJOR.MINOR.BUGFIX"
    [[nodiscard]] std::string version_text() const {
        return std::to_string(version[0]) + "." + std::to_string(version[1]) + "." +
               std::to_string(version[2]);
    }
};

}  // namespace tracefold
