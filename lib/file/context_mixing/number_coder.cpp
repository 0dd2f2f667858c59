// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "file/context_mixing/number_coder.hpp"

#include "base/hash.hpp"
#include "file/structure_codec.hpp"
#include "file/timing_model_codec.hpp"
#include "model/dictionary.hpp"

namespace tracefold {

namespace {

constexpr u64 kNoMention = kNone;
constexpr u64 kNeighbour = 2;  ///< distance of signed numbers with the same sign

/// The number of a reference to column 0; kNoMention for other roles.
constexpr u64 first_mention(FieldRole role) {
    switch (role) {
        case FieldRole::column_mention:
            return 1;
        case FieldRole::assignment:
            return 4;
        case FieldRole::alphabet:
            return 3;
        case FieldRole::like:
            return 0;
        default:
            return kNoMention;
    }
}

/// True for roles without predictions from earlier numbers.
constexpr bool is_free(FieldRole role) {
    return role == FieldRole::item || role == FieldRole::item_run || role == FieldRole::text;
}

}  // namespace

std::size_t NumberHistory::slot(CodedField field) {
    const u64 key = u64{field.place} << 8U | static_cast<u64>(field.role);
    return mix(key) >> (64 - kSlotBits);
}

void NumberHistory::expect(CodedField field, Expectations& expected) const {
    if (is_free(field.role)) return;
    const u64 in_place = by_place_[slot(field)];
    const u64 first = first_mention(field.role);
    if (first == kNoMention) {
        expected.set(0, in_place - 1);
        expected.set(1, by_role_[static_cast<std::size_t>(field.role)] - 1);
        if (in_place == 0 || in_place > kNone || expected.has(Expectations::kFits)) return;
        expected.set(Expectations::kFits, in_place - 1 + kNeighbour);
        expected.set(3, in_place - 1 - kNeighbour);
    } else {
        expected.set(0, last_column_ + first);
        expected.set(1, last_column_ + 1 + first);
        expected.set(3, in_place - 1);
    }
}

void NumberHistory::add(CodedField field, u64 number) {
    if (is_free(field.role)) return;
    by_place_[slot(field)] = number + 1;
    by_role_[static_cast<std::size_t>(field.role)] = number + 1;
    const u64 first = first_mention(field.role);
    if (first != kNoMention && number >= first) last_column_ = number - first;
}

void NumberFollower::need(std::size_t position, CodedField field, Expectations expected) {
    history_.expect(field, expected);
    model_.begin_number(field, expected);
    const std::size_t longest = field.one_byte ? 1 : kMaxVarintBytes;
    u64 number = 0;
    for (std::size_t i = 0; i < longest && position + i < size_; ++i) {
        model_.begin_byte();
        follow(position + i);
        const u64 byte = model_.end_byte();
        number |= (field.one_byte ? byte : byte & 0x7FU) << (7 * i);
        if (byte < 0x80) break;
    }
    model_.end_number();
    history_.add(field, number);
}

void NumberDecoder::follow(std::size_t position) {
    u32 byte = 0;
    for (int i = 0; i < 8; ++i) {
        const bool bit = decoder_.get(model().predict());
        model().update(bit);
        byte = byte << 1U | (bit ? 1U : 0U);
    }
    bytes_[position] = static_cast<char>(byte);
}

void read_numbers(FieldSource& source, SectionKind kind, std::string_view content,
                  const SectionContext& context, const std::string& name) {
    FieldReader in(content, name, &source);
    std::string text;
    if (kind == SectionKind::definitions) {
        (void)read_definitions(in, text);
    } else if (kind == SectionKind::durations) {
        (void)read_durations(in, *context.events);
    } else {
        (void)read_structure(in, context.locations);
    }
}

std::string encode_numbers(ByteModel& model, SectionKind kind, std::string_view content,
                           const SectionContext& context) {
    RangeEncoder encoder;
    KnownNumbers numbers(model, content,
                         [&encoder](bool bit, u32 probability) { encoder.put(bit, probability); });
    read_numbers(numbers, kind, content, context, "a section");
    return encoder.take();
}

void train_on_samples(ByteModel& model, SectionKind kind) {
    const std::string name = "the built-in dictionary";
    ByteReader in(Dictionary::built_in().sections(), name);
    Structure events;
    while (in.remaining() != 0) {
        const auto sample_kind = static_cast<SectionKind>(in.get_u32());
        const std::string_view content = in.get_text();
        if (sample_kind == SectionKind::structure) events = decode_structure(content, name);
        if (sample_kind != kind) continue;
        const u64 locations = ByteReader(content, name).get_varint();
        KnownNumbers numbers(model, content, [](bool, u32) {});
        read_numbers(numbers, kind, content, {locations, &events}, name);
    }
}

}  // namespace tracefold
