// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <string>
#include <string_view>

namespace tracefold {

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

}  // namespace tracefold
