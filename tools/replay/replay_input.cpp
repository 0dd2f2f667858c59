// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/replay_input.hpp"

#include "archives/archive_outline.hpp"
#include "archives/input_kind.hpp"
#include "replay/mpi_call_reader.hpp"

namespace tracefold {

ReplayInput::ReplayInput(const TraceInput& input, Console& console) : input_(input) {
    try {
        look(console);
        if (ranks_ != 0) return;
        failure_ = Error(ErrorKind::unsupported, input.path + " holds no MPI program");
    } catch (const Error& error) {
        failure_ = error;
    }
}

void ReplayInput::look(Console& console) {
    refuse_foreign_input(input_.path);
    if (is_archive(input_.path)) {
        const ArchiveOutline outline = outline_archive(input_.path, {input_.drop_unknown});
        ranks_ = outline.ranks;
        threads_ = outline.has_threads;
        return;
    }
    opened_ = input_.open(console);
    ranks_ = opened_->file().definitions().world_size();
    threads_ = calls_mpi_from_threads(opened_->file());
}

void ReplayInput::check() const {
    if (failure_) throw *failure_;
}

TraceFile& ReplayInput::open(Communicator& comm, Console& console) {
    if (!opened_) opened_ = input_.open(comm, console);
    return opened_->file();
}

}  // namespace tracefold
