// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "file/format/ans_coder.hpp"

#include <utility>

namespace tracefold {

std::string AnsEncoder::take() {
    // Written backwards; a symbol outputs at most one word, and one more may be overwritten.
    words_.clear();
    words_.extend(symbols_.size() + 5);
    u16* word = words_.end();
    u32 state = kLeastState;
    u32 other = kLeastState;
    for (const u32* next = symbols_.end(); next != symbols_.begin();) {
        const u32 symbol = *--next;
        const u32 frequency = symbol & 0xFFFFU;
        // Cannot overflow: frequencies are below kWhole.
        const bool gives = state >= frequency << 17U;
        word[-1] = static_cast<u16>(state & 0xFFFFU);
        word -= gives ? 1 : 0;
        state = gives ? state >> 16U : state;
        state = state / frequency * kWhole + state % frequency + (symbol >> 16U);
        std::swap(state, other);
    }
    symbols_.clear();
    // The state of the first symbol is in `other` now.
    for (const u32 last : {state, other}) {
        *--word = static_cast<u16>(last & 0xFFFFU);
        *--word = static_cast<u16>(last >> 16U);
    }
    std::string bytes(2 * static_cast<std::size_t>(words_.end() - word), '\0');
    for (char* byte = bytes.data(); word != words_.end(); ++word) {
        *byte++ = static_cast<char>(*word & 0xFFU);
        *byte++ = static_cast<char>(*word >> 8U);
    }
    return bytes;
}

}  // namespace tracefold
