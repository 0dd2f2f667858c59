// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "context_mixing/section_coder.hpp"

#include "context_mixing/number_coder.hpp"
#include "context_mixing/trained_model.hpp"
#include "core/error.hpp"
#include "format/structure_codec.hpp"
#include "format/timing_model_codec.hpp"

#include <utility>

namespace tracefold {

namespace {

/// Beyond this, prediction takes too long.
constexpr std::size_t kMaxSize = std::size_t{1} << 22U;
/// A reader predicts no more than so much, and so much for each byte stored, lest a few bytes keep
/// it busy.
constexpr std::size_t kFreeSize = std::size_t{1} << 18U;
constexpr std::size_t kSizePerByte = 64;

bool is_modelled(std::size_t size, std::size_t stored) {
    return size <= kMaxSize && size <= kFreeSize + kSizePerByte * stored;
}

StoredSection pack(SectionKind kind, const std::string& content, const Packing& packing,
                   const SectionContext& context = {}) {
    if (packing.portable || content.size() > kMaxSize) return pack_section(content, packing);
    ByteModel model = trained_model(kind, content.size());
    std::string bytes = encode_numbers(model, kind, content, context);
    if (!is_modelled(content.size(), bytes.size())) return pack_section(content, packing);
    return {std::move(bytes), content.size(), Coding::context_mixing};
}

/// Reads a section, coded by context mixing or not.
template <class Read>
auto unpack(std::string_view stored, const Section& section, const std::string& name,
            const Read& read) {
    if (section.coding != Coding::context_mixing) {
        const std::string content = unpack_section(stored, section, name);
        FieldReader in(content, name);
        return read(in);
    }
    if (!is_modelled(section.content_size, stored.size())) {
        throw Error(ErrorKind::corrupt, name + " is damaged: it is too large to be modelled");
    }
    NumberDecoder source(trained_model(section.kind, section.content_size), stored,
                         section.content_size);
    FieldReader in(source.bytes(), name, &source);
    return read(in);
}

std::string content_of(std::string_view stored, const Section& section, const std::string& name,
                       const SectionContext& context) {
    if (section.coding != Coding::context_mixing) return unpack_section(stored, section, name);
    NumberDecoder source(trained_model(section.kind, section.content_size), stored,
                         section.content_size);
    read_numbers(source, section.kind, source.bytes(), context, name);
    return std::string(source.bytes());
}

}  // namespace

StoredSection pack_definitions(const Structure& structure, std::string_view text,
                               const Packing& packing) {
    return pack(SectionKind::definitions, encode_definitions(structure, text), packing);
}

StoredSection pack_local_definitions(const Structure& structure, u64 locations,
                                     const Packing& packing) {
    return pack(SectionKind::local_definitions, encode_structure(structure), packing,
                {locations, nullptr});
}

StoredSection pack_structure(const Structure& structure, u64 locations, const Packing& packing) {
    return pack(SectionKind::structure, encode_structure(structure), packing, {locations, nullptr});
}

StoredSection pack_durations(const FoldedDurations& durations, const Structure& structure,
                             const Packing& packing) {
    return pack(SectionKind::durations, encode_durations(durations), packing, {0, &structure});
}

Structure unpack_definitions(std::string_view stored, const Section& section,
                             const std::string& name, std::string& text) {
    return unpack(stored, section, name,
                  [&text](FieldReader& in) { return read_definitions(in, text); });
}

Structure unpack_structure(std::string_view stored, const Section& section, const std::string& name,
                           u64 locations) {
    return unpack(stored, section, name,
                  [locations](FieldReader& in) { return read_structure(in, locations); });
}

FoldedDurations unpack_durations(std::string_view stored, const Section& section,
                                 const std::string& name, const Structure& structure) {
    return unpack(stored, section, name,
                  [&structure](FieldReader& in) { return read_durations(in, structure); });
}

FieldCosts section_costs(std::string_view stored, const Section& section, const std::string& name,
                         u64 locations) {
    const SectionContext context{locations, nullptr};
    const std::string content = content_of(stored, section, name, context);
    ByteModel model = trained_model(section.kind, content.size());
    FieldCosts costs = cost_of_fields(model, section.kind, content, context);
    double sum = 0;
    for (const auto& [field, cost] : costs) sum += cost.stored_bytes;
    const double scale = sum > 0 ? static_cast<double>(stored.size()) / sum : 0;
    for (auto& [field, cost] : costs) cost.stored_bytes *= scale;
    return costs;
}

}  // namespace tracefold
