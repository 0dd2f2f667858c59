// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "replay_mpi/proof/observation.hpp"

#include <tuple>

/// Calls of MPI that are noted in one of a few ways. Each note() has the arguments of the function,
/// and calls it.
namespace tracefold {

/// By its name alone.
template <MpiFunction function, auto call>
struct PlainCall;

template <MpiFunction function, typename... Arguments, int (*call)(Arguments...)>
struct PlainCall<function, call> {
    static int note(Arguments... arguments) {
        note_call(function);
        return call(arguments...);
    }
};

/// Has made a communicator when it returns, the last argument.
template <MpiFunction function, auto call>
struct CreationCall;

template <MpiFunction function, typename... Arguments, int (*call)(Arguments...)>
struct CreationCall<function, call> {
    static int note(Arguments... arguments) {
        const int code = call(arguments...);
        const MPI_Comm* const made = std::get<sizeof...(Arguments) - 1>(std::tie(arguments...));
        note_communicator(function, ObservedPart::Kind::create_comm,
                          code == MPI_SUCCESS ? *made : MPI_COMM_NULL);
        return code;
    }
};

/// Frees a communicator.
template <MpiFunction function, auto call>
struct FreeingCall {
    static int note(MPI_Comm* comm) {
        note_communicator(function, ObservedPart::Kind::destroy_comm, *comm);
        return call(comm);
    }
};

/// A transfer from or to a file, at its pointer or at an offset; how it ends is last, if at all: a
/// status or a request.
template <MpiFunction function, auto call>
struct TransferCall;

template <MpiFunction function, typename Data, typename... Last,
          int (*call)(MPI_File, Data, int, MPI_Datatype, Last...)>
struct TransferCall<function, call> {
    static int note(MPI_File file, Data data, int count, MPI_Datatype type, Last... last) {
        note_transfer(function, count, type);
        return call(file, data, count, type, last...);
    }
};

template <MpiFunction function, typename Data, typename... Last,
          int (*call)(MPI_File, MPI_Offset, Data, int, MPI_Datatype, Last...)>
struct TransferCall<function, call> {
    static int note(MPI_File file, MPI_Offset offset, Data data, int count, MPI_Datatype type,
                    Last... last) {
        note_transfer(function, count, type);
        return call(file, offset, data, count, type, last...);
    }
};

}  // namespace tracefold
