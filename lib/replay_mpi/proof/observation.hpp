// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/mpi_function.hpp"

#include <vector>

#include <mpi.h>

namespace tracefold {

/// One thing that a call to MPI did, taken from the arguments that MPI got and the statuses that it
/// returned.
struct ObservedPart {
    enum class Kind : u8 {
        send,
        receive,       ///< blocking: what the status says
        post_receive,  ///< the arguments
        collective,    ///< sizes as OTF2 counts them
        completion,    ///< of the request at `index` of the array
        create_comm,
        destroy_comm,
        access,    ///< to a window: peer, bytes
        transfer,  ///< from or to a file: bytes
        probe,     ///< the arguments
        release,   ///< of a request, cancelled or not, by MPI_Request_free
    };

    Kind kind{};
    MPI_Comm comm = MPI_COMM_NULL;
    int peer = MPI_PROC_NULL;  ///< or the root of a collective
    int tag = 0;
    u64 bytes = 0;  ///< or what a collective sent
    u64 received = 0;
    std::size_t index = 0;
    bool cancelled = false;
};

/// What a thread's calls to MPI were, as those of `watched` saw them, between start() and stop().
class Observation {
  public:
    Observation() = default;
    Observation(const Observation&) = delete;
    Observation& operator=(const Observation&) = delete;
    /// An error may end what is observed.
    ~Observation() { stop(); }

    void start();
    void stop();

    [[nodiscard]] const std::vector<MpiFunction>& calls() const { return calls_; }
    [[nodiscard]] const std::vector<ObservedPart>& parts() const { return parts_; }

    void add_call(MpiFunction function) { calls_.push_back(function); }
    void add(const ObservedPart& part) { parts_.push_back(part); }

    /// That of the calling thread; null if it does not observe.
    static Observation* current() { return current_; }
    /// True in the life of a HiddenCalls of the calling thread.
    static bool is_hidden(const Observation* observation) { return observation == &hidden_; }

  private:
    friend class HiddenCalls;

    static Observation hidden_;
    static inline constinit thread_local Observation* current_ = nullptr;

    std::vector<MpiFunction> calls_;
    std::vector<ObservedPart> parts_;
};

/// While one lives, Isend and Wait of this thread are neither noted nor seen by anybody else: for
/// finding out what time they take. Precondition: the thread does not observe.
class HiddenCalls {
  public:
    HiddenCalls();
    HiddenCalls(const HiddenCalls&) = delete;
    HiddenCalls& operator=(const HiddenCalls&) = delete;
    ~HiddenCalls();
};

/// Notes a call of the calling thread, if it observes.
void note_call(MpiFunction function);
/// The same with what it does to a communicator, if to any.
void note_communicator(MpiFunction function, ObservedPart::Kind kind, MPI_Comm comm);
/// The same with what it transfers from or to a file.
void note_transfer(MpiFunction function, int count, MPI_Datatype type);

/// count * size of the type.
u64 bytes_of(MPI_Count count, MPI_Datatype type);

/// Bytes that a status tells of; all bits set if it does not.
u64 bytes_of(const MPI_Status& status);

}  // namespace tracefold
