// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "format/ans_coder.hpp"

#include <utility>

namespace tracefold {

std::string AnsEncoder::take() {
    // Written from the end on; a symbol causes one word at most.
    words_.resize(symbols_.size() + 4);
    auto word = words_.end();
    u32 state = kLeastState;
    u32 other = kLeastState;
    for (auto symbol = symbols_.rbegin(); symbol != symbols_.rend(); ++symbol) {
        const u32 share = *symbol & 0xFFFFU;
        // Shares are smaller than kWhole, so that this does not overflow.
        if (state >= share << 17U) {
            *--word = static_cast<u16>(state & 0xFFFFU);
            state >>= 16U;
        }
        state = state / share * kWhole + state % share + (*symbol >> 16U);
        std::swap(state, other);
    }
    symbols_.clear();
    // The state of the first symbol is in `other` now.
    for (const u32 last : {state, other}) {
        *--word = static_cast<u16>(last & 0xFFFFU);
        *--word = static_cast<u16>(last >> 16U);
    }
    std::string bytes;
    bytes.reserve(2 * static_cast<std::size_t>(words_.end() - word));
    for (; word != words_.end(); ++word) {
        bytes.push_back(static_cast<char>(*word & 0xFFU));
        bytes.push_back(static_cast<char>(*word >> 8U));
    }
    return bytes;
}

}  // namespace tracefold
