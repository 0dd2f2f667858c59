// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/append_buffer.hpp"
#include "core/types.hpp"
#include "format/adaptive_distribution.hpp"

#include <string>
#include <string_view>
#include <utility>

namespace tracefold {

/// Range variant of asymmetric numeral systems (rANS: Duda, Asymmetric numeral systems,
/// arXiv:1311.2540), with interleaved states as in Giesen, Interleaved entropy coders
/// (arXiv:1402.3392). A symbol with frequency f of kWhole costs log2(kWhole / f) bits. The
/// state is a number in [kLeastState, 2^32); what exceeds it leaves as words of 16 bits. There are
/// two states that take turns, so that a processor can work on two symbols at a time. The encoder
/// works backwards, so that it keeps all symbols until take().
class AnsEncoder {
  public:
    static constexpr u32 kLeastState = u32{1} << 16U;

    /// A symbol as the encoder keeps it.
    static u32 packed(u32 start, u32 frequency) { return start << 16U | frequency; }

    /// Room for so many symbols behind those that there are, for the caller to put packed() ones
    /// into; keep() says where the last one ends.
    u32* room(std::size_t symbols) { return symbols_.extend(symbols); }
    void keep(const u32* end) { symbols_.shrink(static_cast<std::size_t>(end - symbols_.data())); }

    /// The bytes of all symbols since the last call: the states, high words first, then the words
    /// in the order in which a decoder needs them, all little endian.
    std::string take();

  private:
    AppendBuffer<u32> symbols_;
    AppendBuffer<u16> words_;
};

/// Reads what AnsEncoder wrote. Past the end it yields zeros.
class AnsDecoder {
  public:
    AnsDecoder() = default;
    explicit AnsDecoder(std::string_view bytes) : bytes_(bytes) {
        for (u32* const state : {&state_, &other_}) {
            *state = next_word() << 16U;
            *state |= next_word();
        }
    }

    /// The next symbol, given the cumulative frequencies.
    template <std::size_t Size>
    std::size_t get(const Lanes<Size>& starts) {
        const u32 place = state_ % kWhole;
        const std::size_t symbol = last_at_most(starts, static_cast<u16>(place));
        state_ = frequency(starts, symbol) * (state_ / kWhole) + place - starts[symbol];
        // No branch: it would often be mispredicted.
        const bool takes = state_ < AnsEncoder::kLeastState;
        const u32 longer = state_ << 16U | word();
        state_ = takes ? longer : state_;
        position_ += takes ? 2 : 0;
        std::swap(state_, other_);
        return symbol;
    }

    /// Whether the bytes ended exactly with the last symbol.
    [[nodiscard]] bool finished() const {
        return state_ == AnsEncoder::kLeastState && other_ == AnsEncoder::kLeastState &&
               position_ == bytes_.size();
    }

  private:
    /// The next one.
    [[nodiscard]] u32 word() const {
        if (position_ + 2 > bytes_.size()) return 0;
        const char* const two = bytes_.data() + position_;
        return static_cast<u8>(two[0]) | u32{static_cast<u8>(two[1])} << 8U;
    }
    u32 next_word() {
        const u32 next = word();
        position_ += 2;
        return next;
    }

    // The states are not adjacent: GCC would swap them as a vector, through the memory.
    u32 state_ = AnsEncoder::kLeastState;  ///< of the next symbol
    std::string_view bytes_;
    std::size_t position_ = 0;
    u32 other_ = AnsEncoder::kLeastState;
};

}  // namespace tracefold
