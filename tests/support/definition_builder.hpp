// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/definition_index.hpp"
#include "support/definition_writer.hpp"

#include <utility>
#include <vector>

namespace tracefold {

/// Writes the global definitions of an MPI program of `ranks` processes: one location each, the
/// communicators of all and of one (`world`, `self`), and then what is asked for. Every function
/// gives the id of what it defined.
class DefinitionBuilder : private DefinitionWriter {
  public:
    explicit DefinitionBuilder(u32 ranks);

    [[nodiscard]] u64 world() const { return 0; }
    [[nodiscard]] u64 self() const { return 1; }

    u64 group(const std::vector<u64>& world_ranks);
    /// A communicator of a group of these ranks.
    u64 comm(const std::vector<u64>& world_ranks, u64 parent);
    /// One more communicator of one process each.
    u64 self_like();
    u64 inter(const std::vector<u64>& side_a, const std::vector<u64>& side_b, u64 parent);
    /// Gives a communicator a shape of (size, periodic) dimensions.
    void cart(u64 comm, const std::vector<std::pair<u32, bool>>& shape, bool is_part = false);
    u64 window(u64 comm);
    /// A handle of a file that MPI opened.
    u64 file_handle(u64 file, u64 comm);

    [[nodiscard]] const RecordBatch& records() const { return batch(); }
    [[nodiscard]] DefinitionIndex index() const;

  private:
    u64 add_group(u64 type, const std::vector<u64>& members);

    u64 groups_ = 0;
    u64 comms_ = 0;
    u64 dimensions_ = 0;
    u64 topologies_ = 0;
    u64 windows_ = 0;
    u64 handles_ = 0;
    u64 self_group_ = 0;
    u64 empty_string_ = 0;
};

}  // namespace tracefold
