// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "context_mixing/number_coder.hpp"

#include "format/structure_codec.hpp"
#include "format/timing_model_codec.hpp"
#include "model/dictionary.hpp"

namespace tracefold {

namespace {

/// Follows numbers that are all there, and hands each bit and its probability on.
template <class TellBit>
class KnownNumbers final : public NumberFollower {
  public:
    KnownNumbers(ByteModel& model, std::string_view bytes, TellBit tell)
        : NumberFollower(model, bytes.size()), bytes_(bytes), tell_(tell) {}

  private:
    void follow(std::size_t position) override {
        const u8 byte = static_cast<u8>(bytes_[position]);
        for (unsigned left = 8; left-- > 0;) {
            const bool bit = (byte >> left & 1U) != 0;
            tell_(bit, model().predict());
            model().update(bit);
        }
    }

    std::string_view bytes_;
    TellBit tell_;
};

template <class TellBit>
void follow_content(ByteModel& model, SectionKind kind, std::string_view content,
                    const SectionContext& context, const TellBit& tell) {
    KnownNumbers follower(model, content, tell);
    FieldReader in(content, "a section", &follower);
    std::string text;
    if (kind == SectionKind::definitions) {
        (void)read_definitions(in, text);
    } else if (kind == SectionKind::durations) {
        (void)read_durations(in, *context.events);
    } else {
        (void)read_structure(in, context.locations);
    }
}

}  // namespace

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

std::string encode_numbers(ByteModel& model, SectionKind kind, std::string_view content,
                           const SectionContext& context) {
    RangeEncoder encoder;
    follow_content(model, kind, content, context,
                   [&encoder](bool bit, u32 probability) { encoder.put(bit, probability); });
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
        follow_content(model, kind, content, {locations, &events}, [](bool, u32) {});
    }
}

}  // namespace tracefold
