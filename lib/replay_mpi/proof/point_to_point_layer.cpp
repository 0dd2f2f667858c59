// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause

// The profiling layer of point-to-point communication.
#include "replay_mpi/proof/observation.hpp"
#include "replay_mpi/proof/watched.hpp"

#include <algorithm>
#include <map>
#include <mutex>

namespace tracefold {

namespace {

using Kind = ObservedPart::Kind;

void note(MpiFunction function, const ObservedPart& part) {
    Observation* const observation = Observation::current();
    if (observation == nullptr) return;
    observation->add_call(function);
    if (part.peer != MPI_PROC_NULL) observation->add(part);
}

ObservedPart message(Kind kind, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm) {
    return {kind, comm, peer, tag, bytes_of(count, type), 0, 0, false};
}

/// Notes a call by its arguments, which cost nothing unless somebody observes.
void note_message(MpiFunction function, Kind kind, int count, MPI_Datatype type, int peer, int tag,
                  MPI_Comm comm) {
    if (Observation::current() != nullptr) [[unlikely]] {
        note(function, message(kind, count, type, peer, tag, comm));
    }
}

ObservedPart received(const MPI_Status& status, MPI_Comm comm) {
    return {Kind::receive, comm, status.MPI_SOURCE, status.MPI_TAG, bytes_of(status), 0, 0, false};
}

ObservedPart probe(int from, int tag, MPI_Comm comm) {
    return {Kind::probe, comm, from, tag, 0, 0, 0, false};
}

/// True if a request was cancelled that is not freed yet.
bool cancels_more_than_it_frees(const Observation& observation) {
    const auto releases = [](const ObservedPart& part) { return part.kind == Kind::release; };
    return std::ranges::count(observation.calls(), MpiFunction::Cancel) >
           std::ranges::count_if(observation.parts(), releases);
}

/// What persistent requests do when they are started.
class PersistentRequests {
  public:
    void add(MPI_Request request, const ObservedPart& part) {
        const std::lock_guard lock(mutex_);
        parts_[request] = part;
    }
    void remove(MPI_Request request) {
        const std::lock_guard lock(mutex_);
        parts_.erase(request);
    }
    void start(MPI_Request request, Observation& observation) {
        const std::lock_guard lock(mutex_);
        const auto found = parts_.find(request);
        if (found != parts_.end() && found->second.peer != MPI_PROC_NULL) {
            observation.add(found->second);
        }
    }

  private:
    std::mutex mutex_;
    std::map<MPI_Request, ObservedPart> parts_;
};

PersistentRequests persistent;

}  // namespace

}  // namespace tracefold

namespace tracefold::watched {

#define TRACEFOLD_SEND(name)                                                                   \
    int name(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) { \
        note_message(MpiFunction::name, Kind::send, count, type, to, tag, comm);               \
        return MPI_##name(data, count, type, to, tag, comm);                                   \
    }
TRACEFOLD_SEND(Send)
TRACEFOLD_SEND(Bsend)
TRACEFOLD_SEND(Ssend)
TRACEFOLD_SEND(Rsend)

#define TRACEFOLD_POST_SEND(name)                                                            \
    int name(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, \
             MPI_Request* request) {                                                         \
        note_message(MpiFunction::name, Kind::send, count, type, to, tag, comm);             \
        return MPI_##name(data, count, type, to, tag, comm, request);                        \
    }
TRACEFOLD_POST_SEND(Ibsend)
TRACEFOLD_POST_SEND(Issend)
TRACEFOLD_POST_SEND(Irsend)

int Isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
          MPI_Request* request) {
    if (const Observation* const observation = Observation::current(); observation != nullptr) {
        if (Observation::is_hidden(observation)) {
            return PMPI_Isend(data, count, type, to, tag, comm, request);
        }
        note(MpiFunction::Isend, message(Kind::send, count, type, to, tag, comm));
    }
    return MPI_Isend(data, count, type, to, tag, comm, request);
}

/// The request is made when it is started for the first time, in the same call of the trace.
#define TRACEFOLD_SEND_INIT(name)                                                            \
    int name(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, \
             MPI_Request* request) {                                                         \
        const int code = MPI_##name(data, count, type, to, tag, comm, request);              \
        if (Observation::current() != nullptr && code == MPI_SUCCESS) {                      \
            persistent.add(*request, message(Kind::send, count, type, to, tag, comm));       \
        }                                                                                    \
        return code;                                                                         \
    }
TRACEFOLD_SEND_INIT(Send_init)
TRACEFOLD_SEND_INIT(Bsend_init)
TRACEFOLD_SEND_INIT(Ssend_init)
TRACEFOLD_SEND_INIT(Rsend_init)

int Recv_init(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request* request) {
    const int code = MPI_Recv_init(data, count, type, from, tag, comm, request);
    if (Observation::current() != nullptr && code == MPI_SUCCESS) {
        persistent.add(*request, message(Kind::post_receive, count, type, from, tag, comm));
    }
    return code;
}

int Start(MPI_Request* request) {
    if (Observation* const observation = Observation::current(); observation != nullptr) {
        observation->add_call(MpiFunction::Start);
        persistent.start(*request, *observation);
    }
    return MPI_Start(request);
}

int Startall(int count, MPI_Request requests[]) {
    if (Observation* const observation = Observation::current(); observation != nullptr) {
        observation->add_call(MpiFunction::Startall);
        for (int i = 0; i < count; ++i) persistent.start(requests[i], *observation);
    }
    return MPI_Startall(count, requests);
}

int Request_free(MPI_Request* request) {
    if (Observation* const observation = Observation::current(); observation != nullptr) {
        observation->add_call(MpiFunction::Request_free);
        ObservedPart part;
        part.kind = Kind::release;
        part.cancelled = cancels_more_than_it_frees(*observation);
        observation->add(part);
    }
    persistent.remove(*request);
    return MPI_Request_free(request);
}

int Irecv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
          MPI_Request* request) {
    note_message(MpiFunction::Irecv, Kind::post_receive, count, type, from, tag, comm);
    return MPI_Irecv(data, count, type, from, tag, comm, request);
}

int Recv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
         MPI_Status* status) {
    if (Observation::current() == nullptr) {
        return MPI_Recv(data, count, type, from, tag, comm, status);
    }
    MPI_Status own;
    const int code = MPI_Recv(data, count, type, from, tag, comm, &own);
    note(MpiFunction::Recv, received(own, comm));
    if (status != MPI_STATUS_IGNORE) *status = own;
    return code;
}

int Sendrecv(const void* out, int out_count, MPI_Datatype out_type, int to, int out_tag, void* in,
             int in_count, MPI_Datatype in_type, int from, int in_tag, MPI_Comm comm,
             MPI_Status* status) {
    if (Observation::current() == nullptr) {
        return MPI_Sendrecv(out, out_count, out_type, to, out_tag, in, in_count, in_type, from,
                            in_tag, comm, status);
    }
    MPI_Status own;
    note(MpiFunction::Sendrecv, message(Kind::send, out_count, out_type, to, out_tag, comm));
    const int code = MPI_Sendrecv(out, out_count, out_type, to, out_tag, in, in_count, in_type,
                                  from, in_tag, comm, &own);
    if (from != MPI_PROC_NULL) Observation::current()->add(received(own, comm));
    if (status != MPI_STATUS_IGNORE) *status = own;
    return code;
}

int Sendrecv_replace(void* data, int count, MPI_Datatype type, int to, int out_tag, int from,
                     int in_tag, MPI_Comm comm, MPI_Status* status) {
    if (Observation::current() == nullptr) {
        return MPI_Sendrecv_replace(data, count, type, to, out_tag, from, in_tag, comm, status);
    }
    MPI_Status own;
    note(MpiFunction::Sendrecv_replace, message(Kind::send, count, type, to, out_tag, comm));
    const int code = MPI_Sendrecv_replace(data, count, type, to, out_tag, from, in_tag, comm, &own);
    if (from != MPI_PROC_NULL) Observation::current()->add(received(own, comm));
    if (status != MPI_STATUS_IGNORE) *status = own;
    return code;
}

int Probe(int from, int tag, MPI_Comm comm, MPI_Status* status) {
    note(MpiFunction::Probe, probe(from, tag, comm));
    return MPI_Probe(from, tag, comm, status);
}

int Iprobe(int from, int tag, MPI_Comm comm, int* flag, MPI_Status* status) {
    note(MpiFunction::Iprobe, probe(from, tag, comm));
    return MPI_Iprobe(from, tag, comm, flag, status);
}

int Mprobe(int from, int tag, MPI_Comm comm, MPI_Message* message, MPI_Status* status) {
    note(MpiFunction::Mprobe, probe(from, tag, comm));
    return MPI_Mprobe(from, tag, comm, message, status);
}

int Improbe(int from, int tag, MPI_Comm comm, int* flag, MPI_Message* message, MPI_Status* status) {
    note(MpiFunction::Improbe, probe(from, tag, comm));
    return MPI_Improbe(from, tag, comm, flag, message, status);
}

/// The communicator is that of the probe.
int Mrecv(void* data, int count, MPI_Datatype type, MPI_Message* message, MPI_Status* status) {
    MPI_Status own;
    const int code = MPI_Mrecv(data, count, type, message, &own);
    note(MpiFunction::Mrecv, received(own, MPI_COMM_NULL));
    if (status != MPI_STATUS_IGNORE) *status = own;
    return code;
}

}  // namespace tracefold::watched
