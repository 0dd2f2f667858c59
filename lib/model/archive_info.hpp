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

/// A file of an archive, by what it holds.
enum class ArchiveFileKind : u8 { anchor, global_definitions, local_definitions, events };

/// What had happened to a file of an archive when it was rescued.
enum class FileDamage : u8 {
    cut,        ///< it ends early, or cannot be understood from some byte on
    missing,    ///< it is not there
    undefined,  ///< it is there, but the definition of its location is lost and was inferred
};

/// What is missing in one file of an archive that was rescued. All that is left of it was kept.
struct FileLoss {
    ArchiveFileKind file = ArchiveFileKind::events;
    FileDamage damage = FileDamage::cut;
    u64 location = 0;  ///< id, if the file is that of a location
    u64 records = 0;   ///< complete ones before the damage
    u64 expected = 0;  ///< as many as headers and definitions say there were; 0: they do not say
    u64 bytes = 0;     ///< from the damage on, of no use

    bool operator==(const FileLoss&) const = default;
};

/// True if the file is that of one location.
bool is_of_location(const FileLoss& loss);
/// "events"
std::string_view file_kind_name(ArchiveFileKind kind);
/// "cut"
std::string_view damage_name(FileDamage damage);
/// "events of location 3"
std::string lost_file_name(const FileLoss& loss);
/// "120 of 400 records kept, 17 bytes cut off"
std::string loss_text(const FileLoss& loss);

/// What a file keeps of the time of events.
enum class TimingLevel : u8 {
    none,       ///< their order
    exact,      ///< every tick
    histogram,  ///< durations merged over iterations and ranks (TimingModel)
    quantized,  ///< every difference between records to within a relative error
};

/// "exact"
constexpr std::string_view timing_name(TimingLevel level) {
    constexpr std::array<std::string_view, 4> kNames = {"none", "exact", "histogram", "quantized"};
    return kNames[static_cast<std::size_t>(level)];
}

/// True if the file has a time of its own for every record.
constexpr bool keeps_every_time(TimingLevel level) {
    return level == TimingLevel::exact || level == TimingLevel::quantized;
}

/// How a file was made, and what was left out or had been lost before.
struct TraceSummary {
    std::string producer;  ///< "tracefold 0.1.0"
    TimingLevel timing = TimingLevel::exact;
    u32 time_error_ppm = 0;           ///< of quantized times, in parts per million
    u64 dropped_unknown_records = 0;  ///< records of types that OTF2 did not know
    u64 dropped_clock_offsets = 0;    ///< without a time per record they mean nothing
    u64 archive_bytes = 0;            ///< size of the archive's files
    /// Restoring gives every byte of the archive's files, which was proven when the file was made.
    bool exact_bytes = false;
    std::vector<FileLoss> losses;  ///< what was damaged in an archive that was rescued

    bool operator==(const TraceSummary&) const = default;
};

}  // namespace tracefold
