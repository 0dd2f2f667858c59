// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "context_mixing/field_cost.hpp"
#include "format/container.hpp"
#include "model/structure.hpp"
#include "model/timing_model.hpp"

#include <string>
#include <string_view>

namespace tracefold {

/// Sections as a file stores them: their numbers predicted one by one from what they say
/// (docs/format.md, "Context mixing"), or one zstd frame if there are more than 4 MiB or the file
/// is portable. Cost: that of trained_model() and some 10,000 instructions per byte.
StoredSection pack_definitions(const Structure& structure, std::string_view text,
                               const Packing& packing);
/// `locations` are how many the archive says that it has, which a reader knows.
StoredSection pack_local_definitions(const Structure& structure, u64 locations,
                                     const Packing& packing);
StoredSection pack_structure(const Structure& structure, u64 locations, const Packing& packing);
/// `structure` is that of the events as a file has it (refold_families()).
StoredSection pack_durations(const FoldedDurations& durations, const Structure& structure,
                             const Packing& packing);

/// The inverse of pack_definitions(). Precondition: `stored` are the verified bytes of `section`;
/// `name` says in messages what is being read. Throws Error(corrupt).
Structure unpack_definitions(std::string_view stored, const Section& section,
                             const std::string& name, std::string& text);
/// The inverse of pack_local_definitions() and pack_structure(), with the same `locations`.
Structure unpack_structure(std::string_view stored, const Section& section, const std::string& name,
                           u64 locations);
/// The inverse of pack_durations(), with the same structure. Throws Error(corrupt) if they are not
/// those of the structure.
FoldedDurations unpack_durations(std::string_view stored, const Section& section,
                                 const std::string& name, const Structure& structure);
/// Where the bytes of a section of definitions or of a structure go; of one that is not modelled,
/// shares by what a model would take. Precondition: it can be unpacked. Cost: that of packing it.
FieldCosts section_costs(std::string_view stored, const Section& section, const std::string& name,
                         u64 locations);

}  // namespace tracefold
