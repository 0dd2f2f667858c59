// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "format/modelled_structure.hpp"

#include "core/error.hpp"
#include "format/byte_model.hpp"
#include "format/range_coder.hpp"
#include "format/structure_codec.hpp"
#include "model/dictionary.hpp"

#include <utility>
#include <vector>

namespace tracefold {

namespace {

/// Beyond this, prediction takes long and needs much memory.
constexpr u64 kMaxModelledSize = u64{1} << 18U;

/// Notes what the bytes of a structure say while it is read.
class FieldNotes : public FieldSource {
  public:
    explicit FieldNotes(std::string_view bytes) : bytes_(bytes) {}

    void need(std::size_t position, CodedField field, bool one_byte) override {
        std::size_t end = position + 1;
        while (!one_byte && end < bytes_.size() && static_cast<u8>(bytes_[end - 1]) >= 0x80) ++end;
        fields_.resize(end, field);
    }
    std::vector<CodedField> take() { return std::move(fields_); }

  private:
    std::string_view bytes_;
    std::vector<CodedField> fields_;
};

/// What each of the bytes says.
std::vector<CodedField> fields_of(std::string_view bytes) {
    FieldNotes notes(bytes);
    (void)read_structure(bytes, "the structure", &notes);
    return notes.take();
}

/// Shows the model a byte that both sides know, or that an encoder has.
template <class TellBit>
void show(ByteModel& model, u8 byte, CodedField field, const TellBit& tell) {
    model.begin(field);
    for (unsigned left = 8; left-- > 0;) {
        const bool bit = (byte >> left & 1U) != 0;
        tell(bit, model.predict());
        model.update(bit);
    }
}

struct Sample {
    std::string_view bytes;
    std::vector<CodedField> fields;
};

std::vector<Sample> read_samples() {
    std::vector<Sample> samples;
    ByteReader in(Dictionary::built_in().structures(), "the built-in dictionary");
    while (in.remaining() != 0) {
        const std::string_view bytes = in.get_bytes(in.get_varint());
        samples.push_back({bytes, fields_of(bytes)});
    }
    return samples;
}

/// A model that has seen the structures of the dictionary.
ByteModel experienced_model(std::size_t size) {
    static const std::vector<Sample> samples = read_samples();
    ByteModel model(size);
    for (const Sample& sample : samples) {
        for (std::size_t i = 0; i < sample.bytes.size(); ++i) {
            show(model, static_cast<u8>(sample.bytes[i]), sample.fields[i], [](bool, u32) {});
        }
    }
    return model;
}

/// Decodes the bytes of a structure just before they are read.
class ModelledBytes : public FieldSource {
  public:
    ModelledBytes(std::string_view stored, std::size_t size)
        : bytes_(size, '\0'), model_(experienced_model(size)), decoder_(stored) {}

    /// Zeros where nothing was decoded yet.
    [[nodiscard]] std::string_view bytes() const { return bytes_; }

    void need(std::size_t position, CodedField field, bool one_byte) override {
        const std::size_t end =
            std::min(bytes_.size(), position + (one_byte ? 1 : kMaxVarintBytes));
        while (decoded_ < end && decode(field) >= 0x80) {
        }
    }

  private:
    u8 decode(CodedField field) {
        model_.begin(field);
        for (int i = 0; i < 8; ++i) model_.update(decoder_.get(model_.predict()));
        bytes_[decoded_++] = static_cast<char>(model_.last_byte());
        return model_.last_byte();
    }

    std::string bytes_;
    std::size_t decoded_ = 0;
    ByteModel model_;
    RangeDecoder decoder_;
};

std::string encode(std::string_view bytes) {
    const std::vector<CodedField> fields = fields_of(bytes);
    ByteModel model = experienced_model(bytes.size());
    RangeEncoder encoder;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        show(model, static_cast<u8>(bytes[i]), fields[i],
             [&encoder](bool bit, u32 chance) { encoder.put(bit, chance); });
    }
    return encoder.take();
}

}  // namespace

StoredSection pack_structure(const Structure& structure, int level) {
    const std::string content = encode_structure(structure);
    if (content.size() > kMaxModelledSize) return pack_section(content, level);
    return {encode(content), content.size(), Coding::modelled};
}

Structure unpack_structure(std::string_view stored, const Section& section,
                           const std::string& name) {
    if (section.coding != Coding::modelled) {
        return decode_structure(unpack_section(stored, section, name), name);
    }
    if (section.content_size > kMaxModelledSize) {
        throw Error(ErrorKind::corrupt, name + " is damaged: it is too large to be modelled");
    }
    ModelledBytes source(stored, section.content_size);
    return read_structure(source.bytes(), name, &source);
}

}  // namespace tracefold
