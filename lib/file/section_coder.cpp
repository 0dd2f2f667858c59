// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "file/section_coder.hpp"

#include "base/error.hpp"
#include "file/context_mixing/number_coder.hpp"
#include "file/context_mixing/trained_states.hpp"
#include "file/structure_codec.hpp"
#include "file/timing_model_codec.hpp"

#include <bit>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>

namespace tracefold {

namespace {

/// The cost of the bits of one number.
struct BitCost {
    u64 bits = 0;
    double coded = 0;

    void add(bool bit, u32 probability) {
        ++bits;
        coded -= std::log2((bit ? probability : 65536 - probability) / 65536.0);
    }
};

struct TellCost {
    BitCost* number;

    void operator()(bool bit, u32 probability) const { number->add(bit, probability); }
};

/// Sums the cost of each number of a complete section.
class CostCounter final : public FieldSource {
  public:
    CostCounter(ByteModel& model, std::string_view bytes)
        : numbers_(model, bytes, TellCost{&number_}) {}

    void need(std::size_t position, CodedField field, Expectations expected) override {
        number_ = {};
        numbers_.need(position, field, expected);
        FieldCost& cost = costs_[{field.role, field.part, field.place}];
        ++cost.numbers;
        cost.content_bytes += number_.bits / 8;
        cost.stored_bytes += number_.coded / 8;
    }

    [[nodiscard]] const FieldCosts& costs() const { return costs_; }

  private:
    BitCost number_;
    KnownNumbers<TellCost> numbers_;
    FieldCosts costs_;
};

}  // namespace

FieldCosts cost_of_fields(ByteModel& model, SectionKind kind, std::string_view content,
                          const SectionContext& context) {
    CostCounter counter(model, content);
    read_numbers(counter, kind, content, context, "a section");
    return counter.costs();
}

namespace {

/// Limit of context mixing: prediction of larger sections takes too long.
constexpr std::size_t kMaxSize = std::size_t{1} << 22U;
/// Limit of a reader's predictions, plus some per stored byte: a few bytes must not keep it busy.
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

namespace {

const TrainedState& trained_state_of(SectionKind kind) {
    for (const TrainedState& learnt : trained_states()) {
        if (learnt.kind == kind) return learnt;
    }
    throw Error(ErrorKind::internal, "there is no model of this kind of section");
}

/// The bytes of little-endian words; `swapped` holds them on big-endian machines.
std::string_view bytes_of(std::span<const u64> words, [[maybe_unused]] std::string& swapped) {
    if constexpr (std::endian::native == std::endian::little) {
        return {reinterpret_cast<const char*>(words.data()), words.size_bytes()};
    }
    ByteWriter bytes;
    for (const u64 word : words) bytes.put_u64le(word);
    return swapped = bytes.take();
}

}  // namespace

ByteModel trained_model(SectionKind kind, std::size_t size) {
    std::string swapped;
    ModelStateReader state(bytes_of(trained_state_of(kind).words, swapped));
    ByteModel model(size);
    model.load(state);
    return model;
}

}  // namespace tracefold
