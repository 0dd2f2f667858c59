// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"
#include "file/container.hpp"
#include "file/context_mixing/byte_model.hpp"
#include "file/format/item_codec.hpp"
#include "model/structure.hpp"

#include <array>
#include <string>
#include <string_view>
#include <utility>

namespace tracefold {

/// An interval of 32-bit numbers that shrinks with each bit: the carryless binary arithmetic coder
/// of lpaq and PAQ8 (Mahoney), after the range coder of Martin (1979). Probabilities are those of a
/// 1, in 1/65536.
class RangeInterval {
  public:
    /// The last number that stands for a 1.
    [[nodiscard]] u32 split(u32 probability) const {
        return low_ + static_cast<u32>(u64{high_ - low_} * probability >> 16U);
    }
    void narrow(bool bit, u32 split) { (bit ? high_ : low_) = bit ? split : split + 1; }
    /// Whether the upper byte is certain; then shift() takes it away.
    [[nodiscard]] bool settled() const { return (low_ ^ high_) >> 24U == 0; }
    u8 shift() {
        const u8 byte = static_cast<u8>(high_ >> 24U);
        low_ <<= 8U;
        high_ = high_ << 8U | 0xFFU;
        return byte;
    }
    [[nodiscard]] u32 low() const { return low_; }

  private:
    u32 low_ = 0;
    u32 high_ = ~u32{0};
};

/// Arithmetic coding of bits: one of probability c / 65536 costs -log2(c / 65536) bits.
class RangeEncoder {
  public:
    void put(bool bit, u32 probability) {
        interval_.narrow(bit, interval_.split(probability));
        while (interval_.settled()) bytes_.push_back(static_cast<char>(interval_.shift()));
    }

    /// All bytes. Zeros at the end are left out, since a decoder reads them anyway.
    std::string take() {
        if (interval_.low() != 0) {
            bytes_.push_back(static_cast<char>((interval_.low() >> 24U) + 1));
        }
        bytes_.resize(bytes_.find_last_not_of('\0') + 1);
        return std::move(bytes_);
    }

  private:
    RangeInterval interval_;
    std::string bytes_;
};

/// Reads what RangeEncoder wrote. Past the end it yields zeros.
class RangeDecoder {
  public:
    explicit RangeDecoder(std::string_view bytes) : bytes_(bytes) {
        for (int i = 0; i < 4; ++i) shift_in();
    }

    bool get(u32 probability) {
        const u32 split = interval_.split(probability);
        const bool bit = code_ <= split;
        interval_.narrow(bit, split);
        while (interval_.settled()) {
            interval_.shift();
            shift_in();
        }
        return bit;
    }

  private:
    void shift_in() {
        const u8 byte = position_ < bytes_.size() ? static_cast<u8>(bytes_[position_]) : u8{0};
        ++position_;
        code_ = code_ << 8U | byte;
    }

    RangeInterval interval_;
    std::string_view bytes_;
    std::size_t position_ = 0;
    u32 code_ = 0;
};

/// What a number may be from the numbers before it: mentions of columns from the column mentioned
/// last, others from those of the same role and place (docs/reference/format.md, "Context mixing").
class NumberHistory {
  public:
    /// Adds to what a reader expects (of mentions: the newest column). Items, runs of
    /// items and characters are not concerned.
    void expect(CodedField field, Expectations& expected) const;
    void add(CodedField field, u64 number);

  private:
    static constexpr u32 kSlotBits = 12;

    static std::size_t slot(CodedField field);

    u64 last_column_ = ~u64{0};  ///< mentioned; one less than 0 in the beginning
    std::array<u64, std::size_t{1} << kSlotBits> by_place_{};  ///< last number + 1 by place, role
    std::array<u64, kFieldRoles> by_role_{};                   ///< last number + 1
};

/// Leads a model through the numbers of a section while they are read.
class NumberFollower : public FieldSource {
  public:
    void need(std::size_t position, CodedField field, Expectations expected) final;

  protected:
    NumberFollower(ByteModel& model, std::size_t size) : model_(model), size_(size) {}

    [[nodiscard]] ByteModel& model() { return model_; }

  private:
    /// Tells the model the eight bits of the byte at this position.
    virtual void follow(std::size_t position) = 0;

    ByteModel& model_;
    std::size_t size_;
    NumberHistory history_;
};

/// Decodes numbers just before they are read.
class NumberDecoder final : public NumberFollower {
  public:
    NumberDecoder(ByteModel model, std::string_view stored, std::size_t size)
        : NumberFollower(owned_, size),
          owned_(std::move(model)),
          bytes_(size, '\0'),
          decoder_(stored) {}

    /// Zeros where nothing was decoded yet.
    [[nodiscard]] std::string_view bytes() const { return bytes_; }

  private:
    void follow(std::size_t position) override;

    ByteModel owned_;
    std::string bytes_;
    RangeDecoder decoder_;
};

/// What whoever reads a section knows already.
struct SectionContext {
    u64 locations = 0;                  ///< of the archive; for structures
    const Structure* events = nullptr;  ///< as a file has it; for durations
};

/// Reads the content of a section of this kind, as far as `source` has provided it.
void read_numbers(FieldSource& source, SectionKind kind, std::string_view content,
                  const SectionContext& context, const std::string& name);
/// Codes the content of a section of this kind.
std::string encode_numbers(ByteModel& model, SectionKind kind, std::string_view content,
                           const SectionContext& context);
/// Shows the model the dictionary's samples of such sections: durations as those of the last
/// structure before them. Cost: some 8,000 instructions per byte.
void train_on_samples(ByteModel& model, SectionKind kind);

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

}  // namespace tracefold
