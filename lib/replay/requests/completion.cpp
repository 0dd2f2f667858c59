// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/requests/completion.hpp"

#include "base/error.hpp"
#include "base/mpi.hpp"
#include "replay/proof/watched.hpp"

#include <chrono>
#include <numeric>
#include <thread>

namespace tracefold {

namespace {

constexpr int kSilentTag = 0;

void return_errors(MPI_Comm comm) {
    check_mpi(PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
}

}  // namespace

SilentRequests::SilentRequests() {
    check_mpi(PMPI_Comm_dup(MPI_COMM_SELF, &hidden_), "MPI_Comm_dup");
    return_errors(hidden_);
    check_mpi(PMPI_Irecv(nullptr, 0, MPI_BYTE, 0, kSilentTag, hidden_, &pending_), "MPI_Irecv");
}

SilentRequests::~SilentRequests() {
    PMPI_Cancel(&pending_);
    PMPI_Wait(&pending_, MPI_STATUS_IGNORE);
    PMPI_Comm_free(&hidden_);
    if (watched_ != MPI_COMM_NULL) watched::Comm_free(&watched_);
}

void SilentRequests::open() {
    if (!expected_ || watched_ != MPI_COMM_NULL) return;
    check_mpi(watched::Comm_dup(MPI_COMM_SELF, &watched_), "MPI_Comm_dup");
    return_errors(watched_);
}

void SilentRequests::make_progress() const {
    int found = 0;
    check_mpi(PMPI_Iprobe(MPI_ANY_SOURCE, kSilentTag + 1, hidden_, &found, MPI_STATUS_IGNORE),
              "MPI_Iprobe");
    std::this_thread::yield();
}

MPI_Request SilentRequests::post(u64 id) {
    posted_.insert(id);
    MPI_Request request = MPI_REQUEST_NULL;
    check_mpi(watched::Irecv(nullptr, 0, MPI_BYTE, 0, kSilentTag, communicator(), &request),
              "MPI_Irecv");
    return request;
}

Message SilentRequests::message() const { return {communicator(), 0, kSilentTag + 1, {}}; }

void Completion::prepare(const MpiCall& call) {
    if (call.family == CallFamily::request_free && call.actions.empty()) {
        inferences_.count(Inference::free_unknown);
    }
    if (call.family != CallFamily::completion) return;
    bool any = false;
    for (const Action& action : call.actions) {
        any = any || completed_request(action) != kNoRequest;
        if (action.kind == Action::Kind::cancelled) inferences_.count(Inference::cancel_late);
        if (action.kind == Action::Kind::receive) inferences_.count(Inference::receive_late);
    }
    if (!any && is_poll(call.function)) inferences_.count(Inference::test_failed);
}

bool Completion::collect(const MpiCall& call, Requests& requests) {
    handles_.clear();
    has_files_ = false;
    bool others = false;
    for (const Action& action : call.actions) {
        others = others || (action.kind != Action::Kind::complete_send &&
                            action.kind != Action::Kind::complete_receive);
        const u64 id = completed_request(action);
        if (id == kNoRequest) continue;
        std::optional<MPI_Request> request = requests.take_posted(id);
        if (!request) {
            // One-sided operations without a request also have such ids.
            if (action.kind != Action::Kind::record) {
                inferences_.count(Inference::request_unknown);
            }
            continue;
        }
        if (action.kind == Action::Kind::cancelled) {
            check_mpi(watched::Cancel(&*request), "MPI_Cancel");
            silent_.forget(action.request);
        }
        handles_.push_back(*request);
        has_files_ = has_files_ || action.type == EventType::IoOperationComplete;
    }
    return others;
}

bool Completion::execute(const MpiCall& call, Requests& requests) {
    const bool others = collect(call, requests);
    if (call.family == CallFamily::request_free) {
        free_cancelled();
    } else if (is_poll(call.function)) {
        test(call.function);
    } else {
        wait(call.function);
    }
    return others;
}

/// The records do not show whether cancelled requests were waited for: MPI completes them.
void Completion::free_cancelled() {
    for (MPI_Request& request : handles_) {
        check_mpi(watched::Request_free(&request), "MPI_Request_free");
    }
}

void Completion::wait_for_all() {
    check_mpi(
        watched::Waitall(static_cast<int>(handles_.size()), handles_.data(), MPI_STATUSES_IGNORE),
        "MPI_Waitall");
}

/// A call that found its requests complete in the trace must find them complete again. The probe
/// makes progress for requests of windows. MPICH makes none for requests of files: these get some
/// time, and are finished after the call if it was too short.
void Completion::wait_until_complete() {
    constexpr auto kTimeOfFiles = std::chrono::milliseconds(1);
    if (has_files_) return std::this_thread::sleep_for(kTimeOfFiles);
    for (const MPI_Request request : handles_) {
        for (int done = 0; done == 0;) {
            check_mpi(PMPI_Request_get_status(request, &done, MPI_STATUS_IGNORE),
                      "MPI_Request_get_status");
            if (done == 0) silent_.make_progress();
        }
    }
}

/// Completes what the call has left, without a further call that tools would see. The first `done`
/// of `indices_` are complete; a persistent request keeps its handle.
void Completion::finish_others(int done) {
    for (int i = 0; done != MPI_UNDEFINED && i < done; ++i) {
        handles_[static_cast<std::size_t>(indices_[i])] = MPI_REQUEST_NULL;
    }
    for (MPI_Request& request : handles_) {
        if (request != MPI_REQUEST_NULL) check_mpi(watched::finish(&request), "MPI_Wait");
    }
}

void Completion::wait(MpiFunction function) {
    const int count = static_cast<int>(handles_.size());
    if (function == MpiFunction::Wait && count <= 1) {
        MPI_Request none = MPI_REQUEST_NULL;
        check_mpi(watched::Wait(count == 0 ? &none : handles_.data(), MPI_STATUS_IGNORE),
                  "MPI_Wait");
    } else if (function == MpiFunction::Waitany && count <= 1) {
        int index = 0;
        MPI_Request none = MPI_REQUEST_NULL;
        check_mpi(
            watched::Waitany(1, count == 0 ? &none : handles_.data(), &index, MPI_STATUS_IGNORE),
            "MPI_Waitany");
    } else if (function == MpiFunction::Waitsome) {
        wait_until_complete();
        int done = 0;
        indices_.resize(handles_.size());
        check_mpi(
            watched::Waitsome(count, handles_.data(), &done, indices_.data(), MPI_STATUSES_IGNORE),
            "MPI_Waitsome");
        finish_others(done);
    } else {
        wait_for_all();
    }
}

void Completion::test(MpiFunction function) {
    const bool failed = handles_.empty();
    if (failed) {
        handles_.push_back(silent_.pending());
    } else {
        wait_until_complete();
    }
    const int count = static_cast<int>(handles_.size());
    int done = 0;
    indices_.resize(handles_.size());
    switch (function) {
        case MpiFunction::Test:
            check_mpi(watched::Test(handles_.data(), &done, MPI_STATUS_IGNORE), "MPI_Test");
            indices_[0] = 0;
            break;
        case MpiFunction::Testany:
            check_mpi(
                watched::Testany(count, handles_.data(), indices_.data(), &done, MPI_STATUS_IGNORE),
                "MPI_Testany");
            break;
        case MpiFunction::Testall:
            check_mpi(watched::Testall(count, handles_.data(), &done, MPI_STATUSES_IGNORE),
                      "MPI_Testall");
            std::iota(indices_.begin(), indices_.end(), 0);
            done *= count;
            break;
        case MpiFunction::Testsome:
            check_mpi(watched::Testsome(count, handles_.data(), &done, indices_.data(),
                                        MPI_STATUSES_IGNORE),
                      "MPI_Testsome");
            break;
        default:
            // The call that completes the request has no record.
            check_mpi(watched::Request_get_status(handles_[0], &done, MPI_STATUS_IGNORE),
                      "MPI_Request_get_status");
            done = 0;
            break;
    }
    if (!failed) finish_others(done);
}

}  // namespace tracefold
