// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/container.hpp"
#include "file/context_mixing/byte_model.hpp"
#include "file/context_mixing/number_coder.hpp"
#include "model/structure.hpp"
#include "model/timing_model.hpp"

#include <map>
#include <string>
#include <string_view>

namespace tracefold {

/// Numbers of a section that say the same thing in the same place.
struct FieldKey {
    FieldRole role = FieldRole::location_count;
    u8 part = 0;
    u16 place = 0;

    auto operator<=>(const FieldKey&) const = default;
};

/// What they take.
struct FieldCost {
    u64 numbers = 0;
    u64 content_bytes = 0;
    double stored_bytes = 0;

    FieldCost& operator+=(const FieldCost& other) {
        numbers += other.numbers;
        content_bytes += other.content_bytes;
        stored_bytes += other.stored_bytes;
        return *this;
    }
};
using FieldCosts = std::map<FieldKey, FieldCost>;

/// What a model would take to code the content of a section of this kind, number by number. Cost:
/// that of coding it.
FieldCosts cost_of_fields(ByteModel& model, SectionKind kind, std::string_view content,
                          const SectionContext& context);

/// Sections as a file stores them: their numbers predicted one by one from what they say
/// (docs/reference/format.md, "Context mixing"), or one zstd frame if there are more than 4 MiB or
/// the file is portable. Cost: that of trained_model() and some 10,000 instructions per byte.
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

/// A model for a section of this kind and content size that has seen the dictionary's samples of
/// such sections. What they teach is worked out when the library is built (train.cpp). Cost: some 5
/// million instructions.
ByteModel trained_model(SectionKind kind, std::size_t size);

}  // namespace tracefold
