// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tracefold {

/// The OTF2 version of the record tables; archives of newer versions may contain other records.
inline constexpr u8 kOtf2Major = 3;
inline constexpr u8 kOtf2Minor = 2;

/// The content of an archive's anchor file, and the location of the archive.
struct ArchiveInfo {
    std::string anchor_path;  ///< as opened: `<directory>/<name>.otf2`
    std::string directory;    ///< of the anchor, "." if it has none
    std::string name;         ///< of the archive, without ".otf2"

    std::array<u8, 3> version{};    ///< OTF2 version of the producer: major, minor, bugfix
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

    std::string anchor_bytes;  ///< verbatim content of the anchor file

    /// "MAJOR.MINOR.BUGFIX"
    [[nodiscard]] std::string version_text() const {
        return std::to_string(version[0]) + "." + std::to_string(version[1]) + "." +
               std::to_string(version[2]);
    }
};

/// The anchor file that libotf2 3.x writes for an archive with these facts; ignores anchor_bytes.
/// Other releases may lay it out differently.
std::string expected_anchor(const ArchiveInfo& info);

enum class ArchiveFileKind : u8 { anchor, global_definitions, local_definitions, events };

/// The damage of a file in a rescued archive.
enum class FileDamage : u8 {
    cut,        ///< truncated, or unreadable from some byte on
    missing,    ///< file not found
    undefined,  ///< the file exists, but its location definition is lost and was inferred
};

/// The loss in one file of a rescued archive. The intact part was kept.
struct FileLoss {
    ArchiveFileKind file = ArchiveFileKind::events;
    FileDamage damage = FileDamage::cut;
    u64 location = 0;  ///< location id, for files of one location
    u64 records = 0;   ///< complete records before the damage
    u64 expected = 0;  ///< by headers and definitions; 0 if unknown
    u64 bytes = 0;     ///< unusable bytes from the damage on

    bool operator==(const FileLoss&) const = default;
};

/// True if the file belongs to one location.
bool is_of_location(const FileLoss& loss);
std::string_view file_kind_name(ArchiveFileKind kind);
std::string_view damage_name(FileDamage damage);
/// "events of location 3"
std::string lost_file_name(const FileLoss& loss);
/// "120 of 400 records kept, 17 bytes cut off"
std::string loss_text(const FileLoss& loss);

/// How much of the event times a file keeps.
enum class TimingLevel : u8 {
    none,       ///< order of events only
    exact,      ///< every tick
    histogram,  ///< distribution of durations over iterations and ranks (TimingModel)
    quantized,  ///< every time difference to within a relative error
};

constexpr std::string_view timing_name(TimingLevel level) {
    constexpr std::array<std::string_view, 4> kNames = {"none", "exact", "histogram", "quantized"};
    return kNames[static_cast<std::size_t>(level)];
}

/// True if every record has its own time.
constexpr bool keeps_every_time(TimingLevel level) {
    return level == TimingLevel::exact || level == TimingLevel::quantized;
}

/// How a file was made, and which data was omitted or already lost.
struct TraceSummary {
    std::string producer;  ///< "tracefold 0.1.0"
    TimingLevel timing = TimingLevel::exact;
    u32 time_error_ppm = 0;           ///< bound of quantized times, in parts per million
    u64 dropped_unknown_records = 0;  ///< records of types unknown to OTF2
    u64 dropped_clock_offsets = 0;    ///< meaningless without a time per record
    u64 archive_bytes = 0;            ///< total size of the archive's files
    /// Restoring reproduces every byte of the archive's files; verified when the file was made.
    bool exact_bytes = false;
    std::vector<FileLoss> losses;  ///< damage of a rescued archive

    bool operator==(const TraceSummary&) const = default;
};

}  // namespace tracefold
