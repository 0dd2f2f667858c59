// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay_mpi/windows/window_table.hpp"

#include "comm/mpi_error.hpp"
#include "core/error.hpp"
#include "replay_mpi/proof/watched.hpp"

#include <algorithm>
#include <new>
#include <string>

namespace tracefold {

namespace {

/// More windows than any program has; beyond, the numbers in the file are wrong.
constexpr u64 kMostWindows = u64{1} << 24U;

}  // namespace

Window& WindowTable::entry(u64 window) {
    const u32 comm = definitions_.window_communicator(window);
    if (comm == kNone || window >= kMostWindows) {
        throw Error(ErrorKind::corrupt, "window " + std::to_string(window) + " is not defined");
    }
    Window& entry = windows_[window];
    entry.comm = comm;
    return entry;
}

void WindowTable::expect(u64 window, MpiFunction made_by) { entry(window).made_by = made_by; }

void WindowTable::expect_transfer(u64 window, u64 bytes) {
    Window& wanted = entry(window);
    wanted.extent = std::max(wanted.extent, bytes);
}

u64 WindowTable::agree_on_count(MPI_Comm world) const {
    u64 count = windows_.empty() ? 0 : windows_.rbegin()->first + 1;
    check_mpi(PMPI_Allreduce(MPI_IN_PLACE, &count, 1, MPI_UINT64_T, MPI_MAX, world),
              "MPI_Allreduce");
    return count;
}

/// By window: the extent, and whether it is dynamic anywhere.
void WindowTable::agree(MPI_Comm world) {
    std::vector<u64> facts(2 * agree_on_count(world), 0);
    for (const auto& [id, window] : windows_) {
        facts[2 * id] = window.extent;
        facts[2 * id + 1] = window.is_dynamic() ? 1 : 0;
    }
    check_mpi(PMPI_Allreduce(MPI_IN_PLACE, facts.data(), static_cast<int>(facts.size()),
                             MPI_UINT64_T, MPI_MAX, world),
              "MPI_Allreduce");
    Window stranger;
    u64 lacking = 0;
    for (u64 id = 0; 2 * id < facts.size(); ++id) {
        const auto found = windows_.find(id);
        Window& window = found == windows_.end() ? stranger : found->second;
        window.extent = facts[2 * id];
        if (found != windows_.end() && !allocate(window)) lacking = window.extent;
        if (facts[2 * id + 1] != 0) share_addresses(window, world);
    }
    // Not before all have taken part in everything.
    if (lacking != 0) {
        throw Error(ErrorKind::io, "no memory for a window of " + std::to_string(lacking) +
                                       " bytes; make it smaller with --bytes-scale");
    }
}

bool WindowTable::allocate(Window& window) {
    const bool own = window.made_by == MpiFunction::Win_create || window.is_dynamic();
    if (!own) return true;
    window.memory.reset(new (std::nothrow) std::byte[window.extent]());
    return window.memory != nullptr;
}

void WindowTable::share_addresses(Window& window, MPI_Comm world) const {
    MPI_Aint own = 0;
    if (window.memory != nullptr) {
        check_mpi(PMPI_Get_address(window.memory.get(), &own), "MPI_Get_address");
    }
    std::vector<MPI_Aint> all(communicators_.table().world_size());
    check_mpi(PMPI_Allgather(&own, 1, MPI_AINT, all.data(), 1, MPI_AINT, world), "MPI_Allgather");
    const CommunicatorView* view = communicators_.table().find(window.comm);
    window.addresses.clear();
    if (view == nullptr) return;
    for (const u64 rank : view->members) window.addresses.push_back(all[rank]);
}

Window& WindowTable::create(u64 window) {
    const auto found = windows_.find(window);
    if (found == windows_.end() || found->second.handle != MPI_WIN_NULL) {
        throw Error(ErrorKind::corrupt,
                    "window " + std::to_string(window) + " is made where there is one already");
    }
    Window& entry = found->second;
    entry.pending = PendingTransfers(communicators_.local_size(entry.comm));
    entry.locks = 0;
    make_handle(entry);
    check_mpi(PMPI_Win_set_errhandler(entry.handle, MPI_ERRORS_RETURN), "MPI_Win_set_errhandler");
    return entry;
}

void WindowTable::make_handle(Window& window) const {
    const MPI_Comm comm = communicators_.handle(window.comm);
    const auto size = static_cast<MPI_Aint>(window.extent);
    void* base = nullptr;
    switch (window.made_by) {
        case MpiFunction::Win_create:
            check_mpi(watched::Win_create(window.memory.get(), size, 1, MPI_INFO_NULL, comm,
                                          &window.handle),
                      "MPI_Win_create");
            break;
        case MpiFunction::Win_create_dynamic:
            check_mpi(watched::Win_create_dynamic(MPI_INFO_NULL, comm, &window.handle),
                      "MPI_Win_create_dynamic");
            if (size == 0) break;
            check_mpi(PMPI_Win_attach(window.handle, window.memory.get(), size), "MPI_Win_attach");
            break;
        case MpiFunction::Win_allocate_shared:
            check_mpi(watched::Win_allocate_shared(size, 1, MPI_INFO_NULL, comm,
                                                   static_cast<void*>(&base), &window.handle),
                      "MPI_Win_allocate_shared");
            break;
        default:
            check_mpi(watched::Win_allocate(size, 1, MPI_INFO_NULL, comm, static_cast<void*>(&base),
                                            &window.handle),
                      "MPI_Win_allocate");
            break;
    }
}

Window& WindowTable::live(u64 window) {
    const auto found = windows_.find(window);
    if (found == windows_.end() || found->second.handle == MPI_WIN_NULL) [[unlikely]] {
        throw Error(ErrorKind::corrupt,
                    "window " + std::to_string(window) + " is used where there is none");
    }
    return found->second;
}

void WindowTable::free(u64 window) {
    check_mpi(watched::Win_free(&live(window).handle), "MPI_Win_free");
}

void WindowTable::reset() {
    for_each_live(
        [](Window& window) { check_mpi(watched::Win_free(&window.handle), "MPI_Win_free"); });
}

std::optional<u32> PendingTransfers::target_of(u64 id) const {
    if (id == 0) return std::nullopt;
    for (const Ids& ids : ids_) {
        if (last_ < ids.size() && ids[last_] == id) return last_;
    }
    for (const Ids& ids : ids_) {
        const auto found = std::find(ids.begin(), ids.end(), id);
        if (found != ids.end()) return static_cast<u32>(found - ids.begin());
    }
    return std::nullopt;
}

}  // namespace tracefold
