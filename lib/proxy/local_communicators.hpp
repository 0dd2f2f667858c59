// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "replay/communicator_table.hpp"
#include "replay/mpi_call.hpp"

#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

namespace tracefold {

/// What a call says about the communicator that it makes.
struct ProxyCreation {
    u64 parent = kNone;
    const CommunicatorView* made = nullptr;   ///< null: this process is not in it
    const CommunicatorView* shape = nullptr;  ///< of MPI_Cart_create: the Cartesian one; null: none
};

/// The communicators of one process as a proxy application numbers them: 0 is MPI_COMM_WORLD, 1
/// MPI_COMM_SELF, then those made at the start, then by creation; numbers of freed ones are given
/// out again, so that all processes of a regular program use the same. Intercommunicators have
/// none.
class LocalCommunicators {
  public:
    /// The table must outlive this object. `at_start`: by rising id.
    LocalCommunicators(const CommunicatorTable& table, const std::vector<u64>& at_start);

    /// Nothing for one that there is none of.
    [[nodiscard]] std::optional<u32> find(u64 comm) const;
    /// How this process sees it. Precondition: find() knows it.
    [[nodiscard]] const CommunicatorView& view(u64 comm) const { return *table_.find(comm); }
    [[nodiscard]] u32 rank_in(u64 comm);

    u32 add(u64 comm);
    void remove(u64 comm);
    [[nodiscard]] u32 most() const { return most_; }  ///< numbers given out

    /// What a call of family comm_create makes; nothing if the proxy leaves it out. Call for every
    /// one in order.
    std::optional<ProxyCreation> read(const MpiCall& call);

    [[nodiscard]] const CommunicatorTable& table() const { return table_; }
    /// A definition is one communicator, so its number tells it from others made by the same call;
    /// but one of a single process may stand for several, on different processes.
    [[nodiscard]] u64 colour_of(const CommunicatorView& view) const {
        return view.self_like ? table_.id_limit() + table_.world_rank() : view.id;
    }

  private:
    const CommunicatorView* shape_of(const ProxyCreation& creation);

    const CommunicatorTable& table_;
    std::unordered_map<u64, u32> numbers_;
    std::unordered_map<u64, u32> ranks_;
    std::vector<bool> taken_;
    u32 most_ = 2;
    std::map<u64, std::size_t> nulls_;  ///< by parent: Cartesian ones made without this process
};

}  // namespace tracefold
