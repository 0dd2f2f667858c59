// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/mpi_function.hpp"

#include <tuple>
#include <vector>

#include <mpi.h>

namespace tracefold {

/// One effect of an MPI call, derived from its arguments and statuses.
struct ObservedPart {
    enum class Kind : u8 {
        send,
        receive,       ///< blocking: from the status
        post_receive,  ///< from the arguments
        collective,    ///< sizes as OTF2 counts them
        completion,    ///< of the request at `index` of the array
        create_comm,
        destroy_comm,
        access,    ///< to a window: peer, bytes
        transfer,  ///< from or to a file: bytes
        probe,     ///< from the arguments
        release,   ///< of a request, cancelled or not, by MPI_Request_free
    };

    Kind kind{};
    MPI_Comm comm = MPI_COMM_NULL;
    int peer = MPI_PROC_NULL;  ///< or the root of a collective
    int tag = 0;
    u64 bytes = 0;  ///< of a collective: bytes sent
    u64 received = 0;
    std::size_t index = 0;
    bool cancelled = false;
};

/// Records the watched MPI calls of a thread between start() and stop().
class Observation {
  public:
    Observation() = default;
    Observation(const Observation&) = delete;
    Observation& operator=(const Observation&) = delete;
    /// Stops after an error.
    ~Observation() { stop(); }

    void start();
    void stop();

    [[nodiscard]] const std::vector<MpiFunction>& calls() const { return calls_; }
    [[nodiscard]] const std::vector<ObservedPart>& parts() const { return parts_; }

    void add_call(MpiFunction function) { calls_.push_back(function); }
    void add(const ObservedPart& part) { parts_.push_back(part); }

    /// The observation of the calling thread, or null, for a watched call that is issued.
    static Observation* of_call() {
        ++issued_;
        return current_;
    }
    /// The same, for a call of the replay's own.
    static Observation* current() { return current_; }
    /// Grows with every watched call of the calling thread.
    static u64 issued() { return issued_; }
    /// True while the calling thread has a HiddenCalls.
    static bool is_hidden(const Observation* observation) { return observation == &hidden_; }

  private:
    friend class HiddenCalls;

    static Observation hidden_;
    static inline constinit thread_local Observation* current_ = nullptr;
    static inline constinit thread_local u64 issued_ = 0;

    std::vector<MpiFunction> calls_;
    std::vector<ObservedPart> parts_;
};

/// Hides Isend and Wait of this thread from observation and profiling tools during its lifetime, to
/// measure their time. Precondition: the thread does not observe.
class HiddenCalls {
  public:
    HiddenCalls();
    HiddenCalls(const HiddenCalls&) = delete;
    HiddenCalls& operator=(const HiddenCalls&) = delete;
    ~HiddenCalls();
};

/// Records a call of the calling thread, if it observes.
void note_call(MpiFunction function);
/// Records a call with its effect on a communicator, if any.
void note_communicator(MpiFunction function, ObservedPart::Kind kind, MPI_Comm comm);
/// Records a call with its file transfer.
void note_transfer(MpiFunction function, int count, MPI_Datatype type);

/// count * size of the type.
u64 bytes_of(MPI_Count count, MPI_Datatype type);

/// Bytes in a status; all bits set if undefined.
u64 bytes_of(const MPI_Status& status);

/// Templates for MPI calls with common records. Each note() has the function's arguments.

/// Records the name only.
template <MpiFunction function, auto call>
struct PlainCall;

template <MpiFunction function, typename... Arguments, int (*call)(Arguments...)>
struct PlainCall<function, call> {
    static int note(Arguments... arguments) {
        note_call(function);
        return call(arguments...);
    }
};

/// Records the communicator made, the last argument.
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

/// Records the freed communicator.
template <MpiFunction function, auto call>
struct FreeingCall {
    static int note(MPI_Comm* comm) {
        note_communicator(function, ObservedPart::Kind::destroy_comm, *comm);
        return call(comm);
    }
};

/// Records a file transfer, at the pointer or at an offset; may end with a status or a request.
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
