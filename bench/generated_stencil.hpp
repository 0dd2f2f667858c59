// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "generated_definitions.hpp"

#include <array>
#include <vector>

namespace tracefold {

/// A halo exchange with all neighbours, corners included, on a grid of 1, 2 or 3 dimensions, as in
/// sample_traces/programs/stencil.c: receives, sends, Waitall.
class GeneratedStencil {
  public:
    GeneratedStencil(u64 ranks, unsigned dimensions, bool periodic);

    [[nodiscard]] std::vector<u64> grid() const;
    [[nodiscard]] u64 events(u64 rank, u64 steps) const;
    /// Writes the events of a rank.
    void write(ArchiveWriter& writer, const GeneratedDefinitions& definitions, u64 rank,
               u64 steps) const;

  private:
    struct Neighbour {
        u64 rank = 0;
        u64 bytes = 0;
    };

    [[nodiscard]] std::vector<Neighbour> neighbours(u64 rank) const;

    std::array<u64, 3> size_{1, 1, 1};
    unsigned dimensions_;
    bool periodic_;
};

}  // namespace tracefold
