// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/definition_index.hpp"

namespace tracefold {

/// Nanoseconds of a trace's ticks. Those of moments count from `origin` on.
class Nanoseconds {
  public:
    explicit Nanoseconds(const DefinitionIndex& definitions, u64 origin = 0)
        : rate_(definitions.tick_rate()), origin_(origin) {}

    /// Moments before the origin are 0.
    [[nodiscard]] u64 at(u64 ticks) const { return ticks < origin_ ? 0 : of(ticks - origin_); }
    /// Rounded down.
    [[nodiscard]] u64 of(u64 ticks) const { return rate_.nanoseconds(ticks); }

  private:
    TickRate rate_;
    u64 origin_;
};

}  // namespace tracefold
