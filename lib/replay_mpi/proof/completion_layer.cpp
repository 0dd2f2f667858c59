// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause

// The profiling layer of calls that complete requests.
#include "replay_mpi/proof/observation.hpp"
#include "replay_mpi/proof/watched.hpp"

#include <algorithm>

namespace tracefold {

namespace {

/// A call on an array of requests, whose statuses are looked at even if the caller ignores them.
class CompletionCall {
  public:
    CompletionCall(Observation& observation, MpiFunction function, int count,
                   const MPI_Request* requests)
        : observation_(observation), statuses_(static_cast<std::size_t>(count)) {
        observation.add_call(function);
        for (int i = 0; i < count; ++i) active_.push_back(requests[i] != MPI_REQUEST_NULL);
    }

    MPI_Status* statuses() { return statuses_.data(); }

    /// The request at `index` is complete; its status is number `status`.
    void complete(std::size_t index, std::size_t status) {
        if (!active_[index]) return;
        const MPI_Status& own = statuses_[status];
        int cancelled = 0;
        PMPI_Test_cancelled(&own, &cancelled);
        observation_.add({ObservedPart::Kind::completion, MPI_COMM_NULL, own.MPI_SOURCE,
                          own.MPI_TAG, bytes_of(own), 0, index, cancelled != 0});
    }
    void complete_all() {
        for (std::size_t i = 0; i < statuses_.size(); ++i) complete(i, i);
    }
    void complete_some(int done, const int* indices) {
        for (int i = 0; done != MPI_UNDEFINED && i < done; ++i) {
            complete(static_cast<std::size_t>(indices[i]), static_cast<std::size_t>(i));
        }
    }
    void complete_one(bool done, int index) {
        if (done && index != MPI_UNDEFINED) complete(static_cast<std::size_t>(index), 0);
    }

    void hand_on(MPI_Status* caller) const {
        if (caller == MPI_STATUSES_IGNORE || caller == MPI_STATUS_IGNORE) return;
        std::copy(statuses_.begin(), statuses_.end(), caller);
    }

  private:
    Observation& observation_;
    std::vector<MPI_Status> statuses_;
    std::vector<bool> active_;
};

}  // namespace

}  // namespace tracefold

namespace tracefold::watched {

int Wait(MPI_Request* request, MPI_Status* status) {
    Observation* const observation = Observation::current();
    if (observation == nullptr) return MPI_Wait(request, status);
    if (Observation::is_hidden(observation)) return PMPI_Wait(request, status);
    CompletionCall call(*observation, MpiFunction::Wait, 1, request);
    const int code = MPI_Wait(request, call.statuses());
    call.complete_all();
    call.hand_on(status);
    return code;
}

int Waitall(int count, MPI_Request requests[], MPI_Status* statuses) {
    Observation* const observation = Observation::current();
    if (observation == nullptr) return MPI_Waitall(count, requests, statuses);
    CompletionCall call(*observation, MpiFunction::Waitall, count, requests);
    const int code = MPI_Waitall(count, requests, call.statuses());
    call.complete_all();
    call.hand_on(statuses);
    return code;
}

int Waitany(int count, MPI_Request requests[], int* index, MPI_Status* status) {
    Observation* const observation = Observation::current();
    if (observation == nullptr) return MPI_Waitany(count, requests, index, status);
    CompletionCall call(*observation, MpiFunction::Waitany, count, requests);
    const int code = MPI_Waitany(count, requests, index, call.statuses());
    call.complete_one(true, *index);
    if (status != MPI_STATUS_IGNORE) *status = *call.statuses();
    return code;
}

int Waitsome(int count, MPI_Request requests[], int* done, int indices[], MPI_Status statuses[]) {
    Observation* const observation = Observation::current();
    if (observation == nullptr) return MPI_Waitsome(count, requests, done, indices, statuses);
    CompletionCall call(*observation, MpiFunction::Waitsome, count, requests);
    const int code = MPI_Waitsome(count, requests, done, indices, call.statuses());
    call.complete_some(*done, indices);
    call.hand_on(statuses);
    return code;
}

int Test(MPI_Request* request, int* flag, MPI_Status* status) {
    Observation* const observation = Observation::current();
    if (observation == nullptr) return MPI_Test(request, flag, status);
    CompletionCall call(*observation, MpiFunction::Test, 1, request);
    const int code = MPI_Test(request, flag, call.statuses());
    call.complete_one(*flag != 0, 0);
    call.hand_on(status);
    return code;
}

int Testall(int count, MPI_Request requests[], int* flag, MPI_Status statuses[]) {
    Observation* const observation = Observation::current();
    if (observation == nullptr) return MPI_Testall(count, requests, flag, statuses);
    CompletionCall call(*observation, MpiFunction::Testall, count, requests);
    const int code = MPI_Testall(count, requests, flag, call.statuses());
    if (*flag != 0) call.complete_all();
    call.hand_on(statuses);
    return code;
}

int Testany(int count, MPI_Request requests[], int* index, int* flag, MPI_Status* status) {
    Observation* const observation = Observation::current();
    if (observation == nullptr) return MPI_Testany(count, requests, index, flag, status);
    CompletionCall call(*observation, MpiFunction::Testany, count, requests);
    const int code = MPI_Testany(count, requests, index, flag, call.statuses());
    call.complete_one(*flag != 0, *index);
    if (status != MPI_STATUS_IGNORE) *status = *call.statuses();
    return code;
}

int Testsome(int count, MPI_Request requests[], int* done, int indices[], MPI_Status statuses[]) {
    Observation* const observation = Observation::current();
    if (observation == nullptr) return MPI_Testsome(count, requests, done, indices, statuses);
    CompletionCall call(*observation, MpiFunction::Testsome, count, requests);
    const int code = MPI_Testsome(count, requests, done, indices, call.statuses());
    call.complete_some(*done, indices);
    call.hand_on(statuses);
    return code;
}

}  // namespace tracefold::watched
