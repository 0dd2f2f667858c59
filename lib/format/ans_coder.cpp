// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "format/ans_coder.hpp"

namespace tracefold {

std::string AnsEncoder::take() {
    words_.clear();
    u32 state = kLeastState;
    for (auto symbol = symbols_.rbegin(); symbol != symbols_.rend(); ++symbol) {
        const u32 share = *symbol & 0xFFFFU;
        // Shares are smaller than kWhole, so that this does not overflow.
        if (state >= share << 17U) {
            words_.push_back(static_cast<u16>(state & 0xFFFFU));
            state >>= 16U;
        }
        state = state / share * kWhole + state % share + (*symbol >> 16U);
    }
    symbols_.clear();
    words_.push_back(static_cast<u16>(state & 0xFFFFU));
    words_.push_back(static_cast<u16>(state >> 16U));
    std::string bytes;
    bytes.reserve(2 * words_.size());
    for (auto word = words_.rbegin(); word != words_.rend(); ++word) {
        bytes.push_back(static_cast<char>(*word & 0xFFU));
        bytes.push_back(static_cast<char>(*word >> 8U));
    }
    return bytes;
}

}  // namespace tracefold
