// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "proxy/call_translator.hpp"

#include "replay/recorded_function.hpp"

#include <algorithm>

namespace tracefold {

namespace {

ProxyFunction of_a_run(MpiFunction function) {
    switch (function) {
        case MpiFunction::Waitany:
            return ProxyFunction::Waitany_of;
        case MpiFunction::Waitsome:
            return ProxyFunction::Waitsome_of;
        case MpiFunction::Testany:
            return ProxyFunction::Testany_of;
        default:
            return ProxyFunction::Testsome_of;
    }
}

bool polls(MpiFunction function) {
    return function == MpiFunction::Iprobe || function == MpiFunction::Improbe;
}

}  // namespace

CallTranslator::CallTranslator(const CommunicatorTable& table,
                               const std::vector<u64>& made_at_start, const VectorSizes& sizes,
                               const DefinitionIndex& definitions)
    : definitions_(definitions),
      made_at_start_(made_at_start),
      communicators_(table, made_at_start),
      sizes_(sizes) {}

void CallTranslator::start(const Sink& sink) {
    sink_ = &sink;
    for (const u64 comm : made_at_start_) {
        const CommunicatorView& view = communicators_.view(comm);
        numbers_ = {*communicators_.find(comm), communicators_.colour_of(view)};
        add_members(&view);
        emit(ProxyFunction::make_communicator);
    }
}

void CallTranslator::translate(const MpiCall& call, const Sink& sink) {
    sink_ = &sink;
    if (call.family == CallFamily::recorded && call.treatment != MpiCall::Treatment::left_out) {
        return for_each_operation(call,
                                  [&](const MpiCall& operation) { translate(operation, sink); });
    }
    note_ids(call);
    if (call.treatment == MpiCall::Treatment::inferred && call.family == CallFamily::post_receive) {
        ++inferred_[std::string(name_of(call.function))];
    }
    const bool left_out = call.treatment == MpiCall::Treatment::left_out;
    // A poll is made nevertheless, for nothing.
    if (left_out && !polls(call.function)) return leave_out(call);
    switch (call.family) {
        case CallFamily::init:
        case CallFamily::finalize:
        case CallFamily::persistent_init:
        case CallFamily::cancel:
            return;
        case CallFamily::send:
        case CallFamily::receive:
        case CallFamily::post_send:
            return message(call);
        case CallFamily::send_receive:
            return send_receive(call);
        case CallFamily::post_receive:
            return post_receive(call);
        case CallFamily::start:
            return start_requests(call);
        case CallFamily::completion:
        case CallFamily::request_free:
            return complete(call);
        case CallFamily::probe:
            return probe(call);
        case CallFamily::matched_receive:
            return receive_matched(call);
        case CallFamily::collective:
        case CallFamily::post_collective:
            return collective(call);
        case CallFamily::comm_create:
            return create(call);
        case CallFamily::comm_free:
            return destroy(call);
        default:
            return leave_out(call);
    }
}

void CallTranslator::emit(ProxyFunction function) {
    (*sink_)({function, numbers_, views_});
    numbers_.clear();
    views_.clear();
}

void CallTranslator::emit(MpiFunction function) { emit(proxy_function(function)); }

void CallTranslator::leave_out(const MpiCall& call) {
    numbers_.clear();
    views_.clear();
    CallCounts& calls = call.family == CallFamily::local ? local_ : left_out_;
    ++calls[std::string(name_of(call, definitions_))];
}

bool CallTranslator::is_supported(const Action& action) const {
    const u64 comm = action.envelope.comm != kNone ? action.envelope.comm : action.part.comm;
    return communicators_.find(comm).has_value();
}

bool CallTranslator::add_peer(const Envelope& envelope) {
    const auto comm = communicators_.find(envelope.comm);
    if (!comm) return false;
    const auto size = static_cast<u32>(communicators_.view(envelope.comm).members.size());
    numbers_.push_back(envelope.peer);
    views_.push_back({communicators_.rank_in(envelope.comm), size, true});
    numbers_.push_back(envelope.tag);
    return true;
}

void CallTranslator::add_nobody(u32 comm) {
    numbers_.insert(numbers_.end(), {kProxyNobody, 0, 0, comm});
    views_.push_back({0, 1, true});
}

/// Without a record the peer was MPI_PROC_NULL.
void CallTranslator::add_message(const Action* action) {
    if (action == nullptr) return add_nobody(0);
    add_peer(action->envelope);
    numbers_.push_back(action->envelope.bytes);
    numbers_.push_back(*communicators_.find(action->envelope.comm));
}

void CallTranslator::message(const MpiCall& call) {
    const bool receives = call.family == CallFamily::receive;
    const Action* action = find_action(call, receives ? Action::Kind::receive : Action::Kind::send);
    if (action != nullptr && !is_supported(*action)) return leave_out(call);
    add_message(action);
    if (call.family != CallFamily::post_send) {
        // Nobody receives it: not to be waited for.
        if (call.unreceived) return emit(ProxyFunction::Send_to_nobody);
        return emit(call.function);
    }
    if (action != nullptr && action->request == kNoRequest) {
        return emit(ProxyFunction::Isend_unwatched);
    }
    emit(call.function);
    if (action != nullptr) outstanding_.push_back(action->request);
}

void CallTranslator::send_receive(const MpiCall& call) {
    const Action* const sent = find_action(call, Action::Kind::send);
    const Action* const received = find_action(call, Action::Kind::receive);
    if ((sent != nullptr && !is_supported(*sent)) ||
        (received != nullptr && !is_supported(*received))) {
        return leave_out(call);
    }
    // The side that goes nowhere is of the same call.
    const Action* const any = sent != nullptr ? sent : received;
    const u32 comm = any == nullptr ? 0 : *communicators_.find(any->envelope.comm);
    for (const Action* const action : {sent, received}) {
        if (action == nullptr) {
            add_nobody(comm);
        } else {
            add_message(action);
        }
    }
    emit(call.function);
}

void CallTranslator::post_receive(const MpiCall& call) {
    const Action* const action = find_action(call, Action::Kind::post_receive);
    if (action != nullptr && !action->known) {
        emit(ProxyFunction::Irecv_nothing);
    } else {
        if (action != nullptr && !is_supported(*action)) return leave_out(call);
        add_message(action);
        emit(ProxyFunction::Irecv);
    }
    if (action != nullptr) outstanding_.push_back(action->request);
}

/// Every request takes the next id of its process; those of MPI_Send_init and its like show in no
/// record, but the ids around them do.
void CallTranslator::note_ids(const MpiCall& call) {
    if (call.family == CallFamily::persistent_init) {
        modes_[next_request_++] = call.function;
    } else if (call.family != CallFamily::start) {
        for (const Action& action : call.actions) {
            if (action.posts_request()) next_request_ = std::max(next_request_, action.request + 1);
        }
    }
}

void CallTranslator::start_requests(const MpiCall& call) {
    for (const Action& action : call.actions) {
        if (action.posts_request()) start_request(action);
    }
    emit(call.function);
}

void CallTranslator::start_request(const Action& action) {
    if (action.known && !is_supported(action)) return;
    const u64 number =
        persistent_numbers_.try_emplace(action.request, persistent_numbers_.size()).first->second;
    idle_.erase(number);
    numbers_.push_back(number);
    add_message(action.known ? &action : nullptr);
    MpiFunction mode = MpiFunction::Recv_init;
    if (action.kind == Action::Kind::send) {
        const auto known = modes_.find(action.request);
        const bool fits = known != modes_.end() && known->second != MpiFunction::Recv_init;
        mode = fits ? known->second : MpiFunction::Send_init;
    }
    emit(mode);
    outstanding_.push_back(action.request);
}

std::size_t CallTranslator::age_of(u64 request) const {
    const auto place = std::find(outstanding_.begin(), outstanding_.end(), request);
    return static_cast<std::size_t>(place - outstanding_.begin());
}

void CallTranslator::receive_unposted(const MpiCall& call) {
    for (const Action& action : call.actions) {
        if (action.kind != Action::Kind::receive || !is_supported(action)) continue;
        add_message(&action);
        ++inferred_["MPI_Recv"];
        emit(ProxyFunction::Recv);
    }
}

void CallTranslator::cancel(const MpiCall& call) {
    for (const Action& action : call.actions) {
        const std::size_t age = age_of(action.request);
        if (action.kind != Action::Kind::cancelled || age == outstanding_.size()) continue;
        numbers_ = {age};
        emit(ProxyFunction::Cancel);
    }
}

void CallTranslator::complete(const MpiCall& call) {
    if (call.family == CallFamily::request_free && call.actions.empty()) {
        return free_persistent(call);
    }
    if (run_left_ != 0) {
        --run_left_;
        return emit(of_a_run(call.function));
    }
    receive_unposted(call);
    cancel(call);
    std::vector<u64> requests;
    for (const Action& action : call.actions) {
        if (action.ends_request()) requests.push_back(action.request);
    }
    add_list(take(requests));
    emit(call.function);
}

/// The age of each among those that are left. Those that are not outstanding have none.
std::vector<u64> CallTranslator::take(const std::vector<u64>& requests) {
    std::vector<u64> ages;
    for (const u64 request : requests) {
        const std::size_t age = age_of(request);
        if (age == outstanding_.size()) continue;
        outstanding_.erase(outstanding_.begin() + static_cast<std::ptrdiff_t>(age));
        ages.push_back(age);
        const auto persistent = persistent_numbers_.find(request);
        if (persistent != persistent_numbers_.end()) idle_.insert(persistent->second);
    }
    return ages;
}

/// The trace does not say which, but in general they are freed in the order in which they were
/// made.
void CallTranslator::free_persistent(const MpiCall& call) {
    if (idle_.empty()) return leave_out(call);
    numbers_ = {*idle_.begin()};
    idle_.erase(idle_.begin());
    emit(ProxyFunction::free_persistent);
}

void CallTranslator::begin_run(const CompletionRun& run, const Sink& sink) {
    sink_ = &sink;
    std::vector<u64> requests;
    std::ranges::copy_if(outstanding_, std::back_inserter(requests), [&](u64 request) {
        return std::ranges::find(run.requests, request) != run.requests.end();
    });
    if (requests.empty()) return;
    run_left_ = run.calls;
    numbers_ = {run.calls};
    add_list(take(requests));
    emit(ProxyFunction::any_of);
}

void CallTranslator::add_list(const std::vector<u64>& values) {
    numbers_.push_back(values.size());
    numbers_.insert(numbers_.end(), values.begin(), values.end());
}

void CallTranslator::probe(const MpiCall& call) {
    const bool takes =
        call.function == MpiFunction::Mprobe || call.function == MpiFunction::Improbe;
    const Action* const action = find_action(call, Action::Kind::probe);
    const Envelope& envelope = action != nullptr ? action->envelope : call.inferred;
    const bool inferred = envelope.comm != kNone &&
                          call.treatment != MpiCall::Treatment::left_out &&
                          (call.found || !polls(call.function));
    // Of the messages that a probe takes, those that are received.
    const bool finds = action != nullptr ? action->known : inferred;
    if (!finds || !add_peer(envelope)) {
        if (!polls(call.function)) return leave_out(call);
        return emit(takes ? ProxyFunction::Improbe_nothing : ProxyFunction::Iprobe_nothing);
    }
    if (action != nullptr && takes) taken_.push_back(envelope);
    numbers_.push_back(*communicators_.find(envelope.comm));
    emit(call.function);
}

void CallTranslator::receive_matched(const MpiCall& call) {
    if (!call.actions.empty() && call.actions.front().message != kNoMessage) {
        return receive_taken(call, call.actions.front());
    }
    const Action* const action = find_action(call, Action::Kind::receive);
    const Envelope& envelope = action != nullptr ? action->envelope : call.inferred;
    if (envelope.comm == kNone || !add_peer(envelope)) return leave_out(call);
    numbers_.push_back(envelope.bytes);
    numbers_.push_back(*communicators_.find(envelope.comm));
    if (call.function == MpiFunction::Imrecv) return emit(ProxyFunction::Imrecv_unwatched);
    emit(call.function);
}

/// Of several messages of one sender and tag, a proxy receives the oldest first.
void CallTranslator::receive_taken(const MpiCall& call, const Action& action) {
    const Envelope& wanted = action.envelope;
    const auto taken = std::ranges::find_if(taken_, [&wanted](const Envelope& other) {
        return other.comm == wanted.comm && other.peer == wanted.peer && other.tag == wanted.tag;
    });
    if (!action.known || taken == taken_.end() || !add_peer(wanted)) return leave_out(call);
    numbers_.push_back(taken->bytes);
    numbers_.push_back(*communicators_.find(wanted.comm));
    taken_.erase(taken);
    if (action.kind == Action::Kind::receive) return emit(ProxyFunction::Mrecv);
    emit(ProxyFunction::Imrecv);
    outstanding_.push_back(action.request);
}

}  // namespace tracefold
