// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/definition_index.hpp"
#include "model/participants.hpp"

#include <string>
#include <vector>

namespace tracefold {

/// Locations as people know them: by MPI rank, and by thread where a rank has more than one
/// location. Locations without a rank have their place among the definitions instead.
class ParticipantNames {
  public:
    /// Place of a location: thread 0 is the one that MPI knows, or the first one of the rank.
    struct Place {
        u32 rank = kNone;  ///< kNone: no MPI process; `thread` is then the place in the definitions
        u32 thread = 0;
    };

    explicit ParticipantNames(const DefinitionIndex& definitions);

    [[nodiscard]] Place place(u32 location) const { return places_[location]; }

    /// "3" is a rank's own location, "3.1" its second one, "@7" a location without rank.
    [[nodiscard]] std::string label(u32 location) const;

    /// "ranks 0-62:2", "ranks 0-3 threads 1-2, rank 7", "locations 0-4". Cost: linear.
    [[nodiscard]] std::string text(const ParticipantList& participants) const;

    /// What people count: MPI ranks, or locations in a trace without MPI.
    [[nodiscard]] u64 rank_count() const { return rank_count_; }
    /// True for all locations of these ranks (of rank_count()).
    [[nodiscard]] std::vector<bool> locations_of(const std::vector<u64>& ranks) const;

  private:
    std::vector<Place> places_;
    u64 rank_count_ = 0;
    bool has_mpi_ = false;
};

/// A set of numbers as a nest of arithmetic progressions: "5", "0-3", "0-62:2", and in more than
/// one dimension a recursive RSD: "<0,(8,4),(1,3)>" is 0-2,8-10,16-18,24-26.
std::string set_text(const ParticipantList& numbers);

}  // namespace tracefold
