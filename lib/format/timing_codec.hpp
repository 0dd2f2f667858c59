// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/append_buffer.hpp"
#include "format/ans_coder.hpp"
#include "format/bit_packer.hpp"
#include "format/tick_model.hpp"
#include "io/bytes.hpp"
#include "model/call_batch.hpp"

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

/// How differences between ticks become bytes.
enum class TickCoding : u8 {
    modelled,  ///< with probabilities that a TickModel learns
    plain,     ///< as varints, for portable files: zstd compresses the whole section
};

/// Writes the exact ticks of one location (docs/format.md, section 7.1): in blocks of
/// kBlockRecords records, the differences between consecutive records divided by the clock's
/// granularity, coded with a TickModel that learns over all blocks. Cost: about 30 ns a record;
/// memory: one block and the model.
class TimingEncoder {
  public:
    static constexpr std::size_t kBlockRecords = std::size_t{1} << 15U;
    using Sink = std::function<void(std::string_view)>;

    explicit TimingEncoder(Sink sink, TickCoding coding = TickCoding::modelled)
        : sink_(std::move(sink)), coding_(coding) {}

    /// Forgets what it learned, for another location. Memory is used again.
    void begin() { model_.forget(); }
    void add(std::span<const CallBatch::Delta> deltas);
    /// Writes the last block. Nothing is written for a location without records.
    void finish();

  private:
    /// Where the quotients of a block go. As TickModel asks.
    struct Quotients {
        static constexpr bool kKnowsSymbols = true;

        void put(u32 start, u32 frequency) {
            *next_symbol++ = AnsEncoder::packed(start, frequency);
        }
        template <std::size_t Size>
        std::size_t symbol(const Lanes<Size>& starts, std::size_t symbol) {
            put(starts[symbol], frequency(starts, symbol));
            return symbol;
        }
        u64 bits(u64 bits, int count) {
            low_bits.put(bits, count);
            return bits;
        }

        u32* next_symbol;
        BitWriter low_bits;
    };

    void write_block();
    /// Divides the ticks of the block, but for the first, and returns where their remainders
    /// change.
    std::string divide(u64 granularity);
    void code_quotients();
    /// Appends what stands for the quotients of the block.
    void put_quotients(ByteWriter& out);

    Sink sink_;
    TickCoding coding_;
    AppendBuffer<u32> groups_;  ///< of the records of the block
    AppendBuffer<u64> ticks_;  ///< likewise; once they are divided, all but the first are quotients
    TickModel model_;
    AnsEncoder symbols_;
    AppendBuffer<char> bits_;
    ByteWriter plain_;
};

/// Reads what TimingEncoder wrote. Throws Error(corrupt).
class TimingDecoder {
  public:
    /// `bytes` must outlive the decoder; `name` says in messages what is being read.
    TimingDecoder(std::string_view bytes, const std::string& name,
                  TickCoding coding = TickCoding::modelled)
        : in_(bytes, name), coding_(coding) {}

    /// Ticks between the previous record and the next one, which is of this group. A wrong group
    /// is noticed at the end of its block only.
    u64 next(u32 group) {
        u64 ticks = 0;
        next({&group, 1}, &ticks);
        return ticks;
    }
    /// The same for many records, in less time.
    void next(std::span<const u32> groups, u64* ticks);
    /// Throws unless everything has been read.
    void expect_end() const;

  private:
    /// Where the quotients of a block come from. As TickModel asks.
    struct Quotients {
        static constexpr bool kKnowsSymbols = false;

        template <std::size_t Size>
        std::size_t symbol(const Lanes<Size>& starts, std::size_t) {
            return symbols.get(starts);
        }
        u64 bits(u64, int count) { return low_bits.get(count); }

        AnsDecoder symbols;
        BitReader low_bits;
    };
    struct Change {
        u64 record;
        u64 remainder;
    };

    u64 read_block();
    void read_changes(u64 records);
    void read_quotients(std::span<const u32> groups, u64* ticks);
    void make_ticks(std::span<u64> quotients);
    void expect_end_of_block() const;

    ByteReader in_;
    TickCoding coding_;
    TickModel model_;
    Quotients quotients_;
    u64 granularity_ = 1;
    u64 remainder_ = 0;  ///< of the last record's ticks since the block's first record
    u64 record_ = 0;     ///< in the block
    u64 records_ = 0;
    std::vector<Change> changes_;
    std::size_t next_change_ = 0;
};

}  // namespace tracefold
