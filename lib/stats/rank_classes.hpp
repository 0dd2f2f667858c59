// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "comm/communicator.hpp"
#include "model/participants.hpp"
#include "stats/row_chooser.hpp"
#include "stats/symbol_signatures.hpp"
#include "steps/program_steps.hpp"

#include <string>
#include <vector>

namespace tracefold {

struct ClassRequest {
    SignatureRequest signature;
    /// Locations to leave out are false; all are wanted if it is empty.
    std::vector<bool> selected;
    /// At most so many columns of consecutive iterations; 0: iterations are not looked at.
    u32 columns = 0;
    u32 loop = 0;                 ///< as in SampleRequest
    FoundSteps* steps = nullptr;  ///< as in SampleRequest
};

/// Locations that are alike.
struct RankClasses {
    /// What one iteration, or some consecutive ones, of the chosen loop come to.
    struct Column {
        u64 locations = 0;  ///< that run them
        u64 classes = 0;
        u64 largest = 0;  ///< locations of the largest class
        u64 changed = 0;  ///< locations whose signature is not that of the column before
        u64 moved = 0;  ///< locations that share their class with others than in the column before

        bool operator==(const Column&) const = default;
    };

    std::vector<ParticipantList> classes;  ///< by first location
    u64 locations = 0;
    std::vector<Column> columns;
    u64 iterations = 0;  ///< of the location that has most
    u64 per_column = 1;  ///< iterations

    /// Locations per class.
    [[nodiscard]] double reduction() const {
        return classes.empty()
                   ? 0
                   : static_cast<double>(locations) / static_cast<double>(classes.size());
    }
    /// "class 3"
    static std::string label(std::size_t number) { return "class " + std::to_string(number); }
};

/// Groups locations by their signatures. Each process signs its block; participants are united
/// along a tree. `classes` are complete on all processes, `columns` on process 0; both are the same
/// for every number of processes and every fan-out. Collective; throws the same Error on all
/// processes: corrupt. Memory: the classes; the different sequences of signatures of locations.
/// Cost: that of location_signature(), with columns that of iteration_signatures() for the block.
RankClasses collect_classes(Communicator& comm, TraceFile& file, const ClassRequest& request,
                            int fanout = 2);

/// Keeps the rows of every class apart: below its label.
void keep_apart(const RankClasses& classes, u32 location_count, RowRequest& rows);

}  // namespace tracefold
