// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "context_mixing/number_coder.hpp"

#include <string_view>

namespace tracefold::inline context_mixing {

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

}  // namespace tracefold::inline context_mixing
