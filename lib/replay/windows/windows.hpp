// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "mpi/inferences.hpp"
#include "mpi/mpi_call.hpp"
#include "replay/communicators/groups.hpp"
#include "replay/requests/requests.hpp"
#include "replay/windows/window_transfers.hpp"

#include <mutex>
#include <unordered_map>
#include <vector>

namespace tracefold {

/// The one-sided communication of a process: calls of the family window.
class Windows {
  public:
    /// All must outlive this object.
    Windows(const DefinitionIndex& definitions, const Communicators& communicators,
            Inferences& inferences)
        : communicators_(communicators),
          inferences_(inferences),
          table_(definitions, communicators) {}

    /// Call before the replay, for every call in order. Throws Error(corrupt).
    void prepare(const MpiCall& call, const Amounts& amounts, Buffers& buffers);
    /// Call after prepare(); collective over `world`, all ranks. Throws Error(io).
    void agree(MPI_Comm world) { table_.agree(world); }

    /// Throws Error: io, corrupt, unsupported.
    void execute(const MpiCall& call, Payload payload);
    /// Before a part of the program: true if a call has to be issued now. Transfers are complete by
    /// then; lock_open() takes locks that are still held.
    bool set_up(const MpiCall& call);
    /// Takes the locks that set_up() did not release. Throws Error(io).
    void lock_open();
    /// True if a window exists now.
    [[nodiscard]] bool has_any();
    /// Frees all remaining windows before the program starts again. Collective.
    void reset();

  private:
    /// A passive epoch.
    struct Lock {
        u64 window = kNone;
        int target = kAllTargets;
        int type = MPI_LOCK_SHARED;
    };
    static constexpr int kAllTargets = -1;

    void take(const Lock& lock);
    /// Removes it from locks_. Precondition: exclusive access.
    void drop(const Lock& lock);
    void release(const Lock& lock);
    static Lock lock_of(const MpiCall& call, const Action& record);
    void transfer(const MpiCall& call, Payload& payload);
    void lock(const MpiCall& call);
    void unlock(const MpiCall& call);
    void flush(const MpiCall& call);
    void group_sync(const MpiCall& call);
    void test(Window& window, bool succeeded);
    void forget(const Window& window);
    void collective(const MpiCall& call);
    void bare(const MpiCall& call);
    void attach(MpiFunction function);
    [[nodiscard]] int flushed_target(const Window& window, const MpiCall& call);
    [[nodiscard]] Window* guess(MpiFunction function);
    [[nodiscard]] MPI_Group group(u64 id);
    void leave_out() { inferences_.count(Inference::window_call_left_out); }

    const Communicators& communicators_;
    Inferences& inferences_;
    WindowTable table_;
    std::mutex mutex_;                       ///< guards the rest and the windows' state
    std::unordered_map<u64, Group> groups_;  ///< by definition id
    std::vector<Lock> locks_;                ///< held by this process, or to be taken
    Window* recent_ = nullptr;               ///< used last; null: none, or freed
};

}  // namespace tracefold
