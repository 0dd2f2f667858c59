// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/paced_program.hpp"

namespace tracefold {

PacedProgram::PacedProgram(TraceFile& file, u32 location, const ReplayPatch* patch, Times paced,
                           bool recorded)
    : program_(file, location, recorded ? Times(Times::read) : paced) {
    program_.infer(patch);
    program_.remember_loops();
    if (recorded && paced != Times::read && paced != Times::skip) {
        paced_.emplace(file, location, paced);
    }
}

bool PacedProgram::next(PacedCall& call) {
    if (!program_.next(call.mpi_call)) return false;
    call.begin = call.mpi_call.begin;
    call.end = call.mpi_call.end;
    if (!paced_) return true;
    MpiCall paced;
    paced_->next(paced);
    call.begin = paced.begin;
    call.end = paced.end;
    return true;
}

}  // namespace tracefold
