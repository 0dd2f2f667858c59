// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/definition_index.hpp"
#include "model/participants.hpp"

#include <string>
#include <unordered_map>
#include <vector>

namespace tracefold {

/// Readable names of locations: threads by MPI rank, and by number if a rank has several; streams
/// of accelerators and metrics by rank and name. A location without a rank has its own name and its
/// index in the definitions.
class ParticipantNames {
  public:
    /// The position of a location: thread 0 is the one that MPI knows, or the first one of the
    /// rank; then come the other threads, the streams and the metrics of the rank.
    struct Place {
        u32 rank = kNone;  ///< kNone: no MPI process; `thread` is then the definition index
        u32 thread = 0;
    };

    /// The definitions must outlive this object.
    explicit ParticipantNames(const DefinitionIndex& definitions);

    [[nodiscard]] Place place(u32 location) const { return places_[location]; }

    /// Returns the process of a location, numbered as in DefinitionIndex::process(); kNone if none.
    [[nodiscard]] u32 process(u32 location) const {
        return definitions_.process(definitions_.locations()[location]).value_or(kNone);
    }

    /// Purely numeric places by location: location groups that are not processes follow all
    /// processes, in the order of their first locations. Without a rank, `thread` is the index in
    /// the process.
    [[nodiscard]] std::vector<Place> numbered_places() const;

    /// Returns a unique label: "3" is a rank's own location, "3.1" its second thread, "3 CUDA[0:7]"
    /// a stream, "Master thread" a location without a rank, "@7" one without a rank and a name.
    [[nodiscard]] std::string label(u32 location) const;

    /// "ranks 0-62:2", "ranks 0-3 threads 1-2, rank 7", "CUDA[0:7] of ranks 0-3", "locations 0-4".
    /// Cost: linear.
    [[nodiscard]] std::string text(const ParticipantList& participants) const;

    /// The number of MPI ranks, or of locations in a trace without MPI.
    [[nodiscard]] u64 rank_count() const { return rank_count_; }
    /// Returns a mask of all locations of these ranks (numbered below rank_count()).
    [[nodiscard]] std::vector<bool> locations_of(const std::vector<u64>& ranks) const;

  private:
    void place_locations_of(u32 rank, std::vector<u32>& locations);
    void name_locations();
    [[nodiscard]] std::string own_name(u32 location) const;

    const DefinitionIndex& definitions_;
    std::vector<Place> places_;
    /// By location: labels of streams, metrics, and locations without a rank.
    std::unordered_map<u32, std::string> labels_;
    u64 rank_count_ = 0;
    bool has_mpi_ = false;
};

/// Formats a set of numbers as nested arithmetic progressions: "5", "0-3", "0-62:2", and in more
/// dimensions a recursive RSD: "<0,(8,4),(1,3)>" is 0-2,8-10,16-18,24-26.
std::string set_text(const ParticipantList& numbers);

}  // namespace tracefold
