// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/proof/observation.hpp"

namespace tracefold {

void Observation::start() {
    calls_.clear();
    parts_.clear();
    current_ = this;
}

void Observation::stop() { current_ = nullptr; }

Observation Observation::hidden_;

HiddenCalls::HiddenCalls() { Observation::hidden_.start(); }

HiddenCalls::~HiddenCalls() { Observation::hidden_.stop(); }

void note_call(MpiFunction function) {
    Observation* const observation = Observation::of_call();
    if (observation != nullptr) observation->add_call(function);
}

void note_communicator(MpiFunction function, ObservedPart::Kind kind, MPI_Comm comm) {
    Observation* const observation = Observation::of_call();
    if (observation == nullptr) return;
    observation->add_call(function);
    if (comm != MPI_COMM_NULL) observation->add({.kind = kind, .comm = comm});
}

void note_transfer(MpiFunction function, int count, MPI_Datatype type) {
    Observation* const observation = Observation::of_call();
    if (observation == nullptr) return;
    observation->add_call(function);
    observation->add({.kind = ObservedPart::Kind::transfer, .bytes = bytes_of(count, type)});
}

u64 bytes_of(MPI_Count count, MPI_Datatype type) {
    MPI_Count size = 0;
    PMPI_Type_size_x(type, &size);
    return static_cast<u64>(count) * static_cast<u64>(size);
}

u64 bytes_of(const MPI_Status& status) {
    MPI_Count count = 0;
    const int code = PMPI_Get_elements_x(&status, MPI_BYTE, &count);
    return code == MPI_SUCCESS && count != MPI_UNDEFINED ? static_cast<u64>(count) : ~u64{0};
}

}  // namespace tracefold
