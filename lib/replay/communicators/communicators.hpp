// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "mpi/communicator_table.hpp"
#include "mpi/inferences.hpp"
#include "mpi/mpi_call.hpp"
#include "replay/communicators/communicator_maker.hpp"
#include "replay/requests/requests.hpp"

#include <atomic>
#include <deque>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include <mpi.h>

namespace tracefold {

/// The communicators of the trace, by global id, recreated by the calls that made them with the
/// recorded members in the recorded order, which is checked at the first creation. MPI errors on
/// them are returned, not fatal.
///
/// Several threads may call handle(); calls that make or free a communicator must be ordered with
/// those that use it, as in the program.
class Communicators {
  public:
    /// Both must outlive this object. Precondition: MPI runs with as many processes as the trace.
    Communicators(const CommunicatorTable& table, Inferences& inferences);
    Communicators(const Communicators&) = delete;
    Communicators& operator=(const Communicators&) = delete;

    /// Throws Error(corrupt) if the communicator does not exist now. Cost: one look-up.
    [[nodiscard]] MPI_Comm handle(u64 comm) const {
        const MPI_Comm handle = find(comm);
        if (handle == MPI_COMM_NULL) [[unlikely]]
            fail_without(comm);
        return handle;
    }
    /// MPI_COMM_NULL if it does not exist now. Creation by another thread is visible atomically.
    [[nodiscard]] MPI_Comm find(u64 comm) const {
        const Slot* slot = find_slot(comm);
        return slot == nullptr ? MPI_COMM_NULL : slot->handle.load(std::memory_order_acquire);
    }

    /// Throw Error(corrupt) if this process is not a member.
    [[nodiscard]] bool is_inter(u64 comm) const { return view(comm).inter; }
    [[nodiscard]] u32 local_size(u64 comm) const {
        return static_cast<u32>(view(comm).members.size());
    }
    [[nodiscard]] const CommunicatorTable& table() const { return table_; }

    /// Before the first call, makes communicators that the program uses although no call makes
    /// them. Collective over their members, which pass them in the same order. Throws Error(io).
    void make_early(std::span<const u64> comms);
    /// A call of the family comm_create. Throws Error: io; corrupt if the recorded result is wrong.
    void create(const MpiCall& call, Requests& requests);
    /// Call after a call that completed requests: publishes communicators of MPI_Comm_idup.
    void complete(const MpiCall& call);
    /// A call of the family comm_free.
    void destroy(const MpiCall& call);

    /// Before the program starts again: frees all remaining ones, in the same order everywhere.
    void reset();

  private:
    /// All threads read the handle; only the creating thread uses the rest.
    struct Slot {
        std::atomic<MPI_Comm> handle{MPI_COMM_NULL};
        const CommunicatorView* view = nullptr;
        bool checked = false;
    };
    /// A pending communicator of MPI_Comm_idup.
    struct Duplicate {
        u64 request;
        MPI_Comm* place;
    };

    [[nodiscard]] const Slot* find_slot(u64 comm) const {
        if (comm < near_.size()) [[likely]]
            return near_[comm];
        const auto found = slots_.find(comm);
        return found == slots_.end() ? nullptr : &found->second;
    }
    [[nodiscard]] Slot* find_slot(u64 comm) {
        return const_cast<Slot*>(std::as_const(*this).find_slot(comm));
    }
    [[noreturn]] static void fail_without(u64 comm);
    [[nodiscard]] const CommunicatorView& view(u64 comm) const;
    [[nodiscard]] Creation read(const MpiCall& call) const;
    void duplicate_later(const MpiCall& call, Requests& requests);
    [[nodiscard]] MPI_Comm take_duplicate(u64 request);
    void adopt(u64 comm, MPI_Comm handle);

    const CommunicatorTable& table_;
    Inferences& inferences_;
    CommunicatorMaker maker_;
    std::unordered_map<u64, Slot> slots_;  ///< of all own communicators; never grows
    std::vector<Slot*> near_;              ///< slots of small ids by id; null if there is none
    std::mutex mutex_;                     ///< guards the following members
    std::deque<MPI_Comm> places_;          ///< targets of pending MPI_Comm_idup calls
    std::vector<MPI_Comm*> free_places_;
    std::vector<Duplicate> duplicates_;
};

}  // namespace tracefold
