// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/archive_codec.hpp"
#include "file/section_coder.hpp"
#include "file/structure_codec.hpp"
#include "file/timing_model_codec.hpp"

#include <string>

namespace tracefold {

inline u64 locations_of(const ContainerReader& file) {
    const Section& section = file.section(SectionKind::archive);
    return decode_archive(file.content(section), file.describe(section), file.dictionary())
        .archive.location_count;
}

/// The bytes that a section stands for, whichever its coding.
inline std::string content_of(const ContainerReader& file, const Section& section) {
    if (section.coding != Coding::context_mixing) return file.content(section);
    const std::string stored = file.stored(section);
    const std::string name = file.describe(section);
    if (section.kind == SectionKind::definitions) {
        std::string text;
        const Structure structure = unpack_definitions(stored, section, name, text);
        return encode_definitions(structure, text);
    }
    if (section.kind != SectionKind::durations) {
        return encode_structure(unpack_structure(stored, section, name, locations_of(file)));
    }
    const Section& events = file.section(SectionKind::structure);
    const Structure structure =
        unpack_structure(file.stored(events), events, name, locations_of(file));
    return encode_durations(unpack_durations(stored, section, name, structure));
}

}  // namespace tracefold
