// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/definition_index.hpp"
#include "model/mpi_function.hpp"
#include "mpi/mpi_call.hpp"
#include "mpi/window_transfer.hpp"
#include "replay/communicators/communicators.hpp"
#include "replay/requests/requests.hpp"

#include <map>
#include <memory>
#include <vector>

#include <mpi.h>

namespace tracefold {

/// A window of the trace.
struct Window {
    MPI_Win handle = MPI_WIN_NULL;
    u64 comm = kNone;
    MpiFunction made_by = MpiFunction::other;
    u64 extent = 0;                       ///< bytes exposed by every process
    std::unique_ptr<std::byte[]> memory;  ///< exposed, unless MPI allocates it
    std::vector<MPI_Aint> addresses;      ///< of a dynamic window: of the exposed memory, by target
    std::vector<std::unique_ptr<std::byte>> attached;  ///< by calls of the program
    PendingTransfers pending{0};
    u32 locks = 0;  ///< open passive epochs of this process

    [[nodiscard]] bool is_dynamic() const { return made_by == MpiFunction::Win_create_dynamic; }
    /// Displacement of transfers to a target.
    [[nodiscard]] MPI_Aint displacement(u32 target) const {
        return is_dynamic() ? addresses[target] : 0;
    }
};

/// The windows of a process by global id. The trace has no sizes: every process exposes as many
/// bytes as the largest transfer to any of them. It has no displacements: all transfers go to the
/// beginning. The table does not grow during the replay.
class WindowTable {
  public:
    /// Both must outlive this object.
    WindowTable(const DefinitionIndex& definitions, const Communicators& communicators)
        : definitions_(definitions), communicators_(communicators) {}

    /// Before the replay: announce a window, a transfer. Throw Error(corrupt) if it is undefined.
    void expect(u64 window, MpiFunction made_by);
    void expect_transfer(u64 window, u64 bytes);
    /// Agrees on the sizes, allocates memory. Collective over `world`, a duplicate of
    /// MPI_COMM_WORLD. Throws Error(io).
    void agree(MPI_Comm world);

    /// Make and free a window; collective over its communicator. Throw Error: io, corrupt.
    Window& create(u64 window);
    void free(u64 window);
    /// Frees all remaining windows, in the same order on all processes.
    void reset();

    /// Throws Error(corrupt) if the window does not exist now.
    [[nodiscard]] bool is_live(u64 window) const {
        const auto found = windows_.find(window);
        return found != windows_.end() && found->second.handle != MPI_WIN_NULL;
    }
    [[nodiscard]] Window& live(u64 window);
    /// Calls visit(window) for all existing windows.
    template <class Visit>
    void for_each_live(const Visit& visit) {
        for (auto& [id, window] : windows_) {
            if (window.handle != MPI_WIN_NULL) visit(window);
        }
    }

  private:
    [[nodiscard]] u64 agree_on_count(MPI_Comm world) const;
    void share_addresses(Window& window, MPI_Comm world) const;
    /// False if memory is exhausted.
    static bool allocate(Window& window);
    [[nodiscard]] Window& entry(u64 window);
    void make_handle(Window& window) const;

    const DefinitionIndex& definitions_;
    const Communicators& communicators_;
    std::map<u64, Window> windows_;
};

/// MPI_Put, MPI_Get, accumulating functions, and those with a request. Data is MPI_BYTE;
/// accumulation adds 64-bit numbers if the size allows, otherwise it uses the exclusive or. Throws
/// Error: io, corrupt, unsupported.
void issue_transfer(MpiFunction function, const WindowTransfer& transfer, const Window& window,
                    Payload& payload);

}  // namespace tracefold
