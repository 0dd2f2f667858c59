// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "export/proxy/call_translator.hpp"

#include "mpi/recorded_function.hpp"

#include <algorithm>

namespace tracefold {

namespace {

constexpr u32 kWorld = 0;
constexpr u32 kSelf = 1;

}  // namespace

LocalCommunicators::LocalCommunicators(const CommunicatorTable& table,
                                       const std::vector<u64>& at_start)
    : table_(table) {
    numbers_in_use_.take();
    numbers_in_use_.take();
    if (table.self() != kNone) numbers_[table.self()] = kSelf;
    if (table.world() != kNone) numbers_[table.world()] = kWorld;
    for (const u64 comm : at_start) add(comm);
}

std::optional<u32> LocalCommunicators::find(u64 comm) const {
    const auto found = numbers_.find(comm);
    if (found == numbers_.end()) return std::nullopt;
    return found->second;
}

u32 LocalCommunicators::rank_in(u64 comm) {
    const auto known = ranks_.find(comm);
    if (known != ranks_.end()) return known->second;
    return ranks_[comm] = view(comm).rank_of(table_.world_rank());
}

u32 LocalCommunicators::add(u64 comm) {
    const auto known = numbers_.find(comm);
    if (known != numbers_.end()) return known->second;
    return numbers_[comm] = numbers_in_use_.take();
}

void LocalCommunicators::remove(u64 comm) {
    const auto known = numbers_.find(comm);
    if (known == numbers_.end() || known->second <= kSelf) return;
    numbers_in_use_.free(known->second);
    numbers_.erase(known);
}

std::optional<ProxyCreation> LocalCommunicators::read(const MpiCall& call) {
    const MpiFunction function = call.function;
    if (call.actions.empty() || function == MpiFunction::Intercomm_create ||
        function == MpiFunction::Intercomm_merge || function == MpiFunction::Comm_idup ||
        function == MpiFunction::Comm_idup_with_info) {
        return std::nullopt;
    }
    ProxyCreation creation;
    for (const Action& action : call.actions) {
        if (action.kind == Action::Kind::create_comm) creation.made = table_.find(action.part.comm);
        if (action.kind == Action::Kind::collective) creation.parent = action.part.comm;
    }
    // Some functions record the new communicator only.
    const CommunicatorView* made = creation.made;
    if (is_of_members_only(function) || (made != nullptr && made->id == creation.parent)) {
        creation.parent = made == nullptr ? kNone : made->parent;
    }
    // A group of a session has no parent.
    if (function == MpiFunction::Comm_create_from_group && creation.parent == kNone) {
        creation.parent = table_.world();
    }
    const bool is_inter = made != nullptr && made->inter;
    if (is_inter || !find(creation.parent)) return std::nullopt;
    if (is_of_members_only(function) && made == nullptr) return std::nullopt;
    if (function == MpiFunction::Cart_create) creation.shape = shape_of(creation);
    return creation;
}

/// Excluded processes take the next Cartesian shape without them, unless it has one process.
const CommunicatorView* LocalCommunicators::shape_of(const ProxyCreation& creation) {
    const CommunicatorView* view = creation.made;
    const CommunicatorView* parent = table_.find(creation.parent);
    if (view == nullptr) {
        const auto carts = table_.carts_without_me(creation.parent);
        const std::size_t next = nulls_[creation.parent]++;
        if (next < carts.size()) view = &carts[next];
    }
    if (view == nullptr || parent == nullptr || view->cart == nullptr) return nullptr;
    const bool hidden = view->self_like && parent->members.size() > 1;
    return hidden || !is_cart_order(*view, *parent) ? nullptr : view;
}

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
                               const ObjectSurvey& objects, const DefinitionIndex& definitions)
    : definitions_(definitions),
      made_at_start_(made_at_start),
      communicators_(table, made_at_start),
      sizes_(sizes),
      objects_(objects),
      fingerprint_(table, nullptr, 0) {}

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
    if (call.family == CallFamily::recorded &&
        call.patch_effect != MpiCall::PatchEffect::left_out) {
        return for_each_operation(call,
                                  [&](const MpiCall& operation) { translate(operation, sink); });
    }
    note_ids(call);
    if (call.patch_effect == MpiCall::PatchEffect::inferred &&
        call.family == CallFamily::post_receive) {
        ++inferred_[std::string(name_of(call.function))];
    }
    const bool left_out = call.patch_effect == MpiCall::PatchEffect::left_out;
    // A poll is still issued, without a message.
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
        case CallFamily::window:
            return window_call(call);
        case CallFamily::file:
            return file_call(call);
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

/// Adds a call with these actions (null: none) to the fingerprint, as the program does.
void CallTranslator::note(const MpiCall& call, std::initializer_list<const Action*> actions) {
    noted_.clear();
    for (const Action* action : actions) {
        if (action != nullptr) noted_.push_back(*action);
    }
    note_as(call, call.function, call.inferred);
}

void CallTranslator::note_as(MpiCall call, MpiFunction function, const Envelope& inferred) {
    call.function = function;
    call.inferred = inferred;
    call.actions = noted_;
    fingerprint_.add(call);
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
    note(call, {action});
    add_message(action);
    if (call.family != CallFamily::post_send) {
        // The message has no receive: do not wait.
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
    note(call, {sent, received});
    // The side with MPI_PROC_NULL uses the communicator of the same call.
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
    note(call, {action});
    if (action != nullptr) outstanding_.push_back(action->request);
}

/// Every request takes the next id of its process; the ids of MPI_Send_init and its variants are
/// not recorded, but follow from the ids around them.
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
    noted_.clear();
    for (const Action& action : call.actions) {
        if (action.posts_request()) start_request(action);
    }
    note_as(call, call.function, {});
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
    noted_.push_back(action);
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
        noted_.assign(1, action);
        note_as(call, MpiFunction::Recv, {});
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
        note(call, {});
        return emit(of_a_run(call.function));
    }
    receive_unposted(call);
    cancel(call);
    std::vector<u64> requests;
    noted_.clear();
    for (const Action& action : call.actions) {
        const u64 request = completed_request(action);
        if (request == kNoRequest || age_of(request) == outstanding_.size()) continue;
        requests.push_back(request);
        noted_.push_back(action);
        if (action.kind == Action::Kind::record) ++records_[action.type];
    }
    note_as(call, call.function, {});
    add_list(take(requests));
    emit(call.function);
}

/// Returns the age of each among the remaining ones; skips requests that are not outstanding.
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

/// The trace does not identify the request; usually they are freed in the order of creation.
void CallTranslator::free_persistent(const MpiCall& call) {
    if (idle_.empty()) {
        ++local_[std::string(name_of(call.function))];
        return;
    }
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
                          call.patch_effect != MpiCall::PatchEffect::left_out &&
                          (call.found || !polls(call.function));
    // Only probed messages that are received count.
    const bool finds = action != nullptr ? action->known : inferred;
    if (!finds || !add_peer(envelope)) {
        if (!polls(call.function)) return leave_out(call);
        noted_.clear();
        note_as(call, call.function, {});
        return emit(takes ? ProxyFunction::Improbe_nothing : ProxyFunction::Iprobe_nothing);
    }
    note(call, {action});
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
    const bool recorded = action != nullptr && call.function == MpiFunction::Mrecv;
    noted_.assign(recorded ? 1 : 0, recorded ? *action : Action{});
    note_as(call, call.function, envelope);
    if (call.function == MpiFunction::Imrecv) return emit(ProxyFunction::Imrecv_unwatched);
    emit(recorded ? ProxyFunction::Mrecv : ProxyFunction::Mrecv_unrecorded);
}

/// Of several messages of one sender and tag, a proxy receives the oldest first.
void CallTranslator::receive_taken(const MpiCall& call, const Action& action) {
    const Envelope& wanted = action.envelope;
    const auto taken = std::ranges::find_if(taken_, [&wanted](const Envelope& other) {
        return other.comm == wanted.comm && other.peer == wanted.peer && other.tag == wanted.tag;
    });
    if (!action.known || taken == taken_.end() || !add_peer(wanted)) return leave_out(call);
    noted_.assign(1, action);
    noted_.front().envelope.bytes = taken->bytes;
    note_as(call, call.function, {});
    numbers_.push_back(taken->bytes);
    numbers_.push_back(*communicators_.find(wanted.comm));
    taken_.erase(taken);
    if (action.kind == Action::Kind::receive) return emit(ProxyFunction::Mrecv);
    emit(ProxyFunction::Imrecv);
    outstanding_.push_back(action.request);
}

namespace {

const Action* find_part(const MpiCall& call) {
    for (const Action& action : call.actions) {
        if (action.kind == Action::Kind::collective) return &action;
        if (action.kind == Action::Kind::post_collective && action.known) return &action;
    }
    return nullptr;
}

/// Whether a function has the arguments that a recorded operation gives: an archive may name
/// another function than the operation's.
bool fits(std::string_view arguments, CollectiveKind kind) {
    if (!is_vector_collective(kind)) return arguments.find('l') == std::string_view::npos;
    if (kind == CollectiveKind::gatherv || kind == CollectiveKind::scatterv)
        return arguments == "blrc";
    const bool is_all = kind == CollectiveKind::alltoallv || kind == CollectiveKind::alltoallw;
    return arguments == (is_all ? "llc" : "lic");
}

}  // namespace

void CallTranslator::collective(const MpiCall& call) {
    const Action* const action = find_part(call);
    const std::string_view arguments = proxy_function_info(proxy_function(call.function)).arguments;
    if (action == nullptr || !is_supported(*action) || !fits(arguments, action->part.kind))
        return leave_out(call);
    const bool is_rooted = arguments.find('r') != std::string_view::npos;
    noted_.assign(1, *action);
    CollectivePart& issued = noted_.front().part;
    if (!is_rooted) issued.root = kNone;
    if (is_vector_collective(action->part.kind)) {
        vector_collective(call.function, action->part);
    } else {
        uniform_collective(call.function, action->part, issued);
    }
    const bool same = issued.sent == action->part.sent && issued.received == action->part.received;
    if (!same) ++inferred_[std::string(name_of(call.function))];
    note_as(call, call.function, {});
    if (action->kind == Action::Kind::post_collective) outstanding_.push_back(action->request);
}

namespace {

/// The sizes as OTF2 counts them, as the program counts what it moves.
void count_sizes(const UniformArguments& arguments, const CollectiveScope& scope,
                 CollectivePart& part) {
    const u64 bytes = arguments.receive;
    const u64 others = u64{scope.size} - (arguments.in_place ? 1 : 0);
    const u64 own = arguments.in_place ? 0 : bytes;
    const u64 at_root = part.root == scope.rank ? others * bytes : 0;
    switch (part.kind) {
        case CollectiveKind::barrier:
            part.sent = part.received = 0;
            return;
        case CollectiveKind::bcast:
            part.sent = at_root;
            part.received = bytes;
            return;
        case CollectiveKind::gather:
        case CollectiveKind::reduce:
            part.sent = own;
            part.received = at_root;
            return;
        case CollectiveKind::scatter:
            part.sent = at_root;
            part.received = own;
            return;
        case CollectiveKind::scan:
            part.sent = (others - scope.rank) * bytes;
            part.received = (others + scope.rank + 1 - scope.size) * bytes;
            return;
        case CollectiveKind::exscan:
            part.sent = (u64{scope.size} - scope.rank - 1) * bytes;
            part.received = scope.rank * bytes;
            return;
        default:
            part.sent = part.received = others * bytes;
            return;
    }
}

}  // namespace

void CallTranslator::uniform_collective(MpiFunction function, const CollectivePart& part,
                                        CollectivePart& issued) {
    const auto size = static_cast<u32>(communicators_.view(part.comm).members.size());
    const CollectiveScope scope{communicators_.rank_in(part.comm), size, size, false};
    const UniformArguments arguments = uniform_arguments(part, scope);
    count_sizes(arguments, scope, issued);
    const ProxyFunction known = proxy_function(function);
    for (const char letter : proxy_function_info(known).arguments) {
        if (letter == 'b') numbers_.push_back(arguments.receive);
        if (letter == 'r') numbers_.push_back(part.root);
        if (letter == 'i') numbers_.push_back(arguments.in_place ? 1 : 0);
    }
    numbers_.push_back(*communicators_.find(part.comm));
    emit(known);
}

void CallTranslator::vector_collective(MpiFunction function, const CollectivePart& part) {
    const CommunicatorView& view = communicators_.view(part.comm);
    const auto size = static_cast<u32>(view.members.size());
    const CollectiveScope scope{communicators_.rank_in(part.comm), size, size, false};
    const auto kind = part.kind;
    const bool rooted = kind == CollectiveKind::gatherv || kind == CollectiveKind::scatterv;
    std::span<const Contribution> group;
    if (rooted && part.root != scope.rank) {
        sizes_.skip(part.comm);
    } else {
        group = sizes_.next(part.comm, view.members);
    }
    vector_arguments(part, scope, group, group, vector_arguments_);
    if (rooted) {
        numbers_.push_back(vector_arguments_.own);
        add_list(kind == CollectiveKind::gatherv ? vector_arguments_.receive
                                                 : vector_arguments_.send);
        numbers_.push_back(part.root);
    } else if (kind == CollectiveKind::alltoallv || kind == CollectiveKind::alltoallw) {
        add_list(vector_arguments_.send);
        add_list(vector_arguments_.receive);
    } else {
        add_list(vector_arguments_.receive);
        numbers_.push_back(vector_arguments_.in_place ? 1 : 0);
    }
    numbers_.push_back(*communicators_.find(part.comm));
    emit(function);
}

void CallTranslator::add_members(const CommunicatorView* view) {
    if (view == nullptr) return add_list({});
    add_list({view->members.begin(), view->members.end()});
}

void CallTranslator::create(const MpiCall& call) {
    const auto creation = communicators_.read(call);
    if (!creation) return leave_out(call);
    const u32 parent = *communicators_.find(creation->parent);
    const CommunicatorView* const made = creation->made;
    const bool is_copy =
        call.function == MpiFunction::Comm_dup || call.function == MpiFunction::Comm_dup_with_info;
    if (is_copy && made == nullptr) return leave_out(call);
    note_creation(call, made);
    switch (call.function) {
        case MpiFunction::Comm_dup:
        case MpiFunction::Comm_dup_with_info:
            numbers_ = {parent, communicators_.add(made->id)};
            return emit(call.function);
        case MpiFunction::Comm_create:
            numbers_ = {parent, made == nullptr ? ~u64{0} : communicators_.add(made->id)};
            add_members(made);
            return emit(call.function);
        case MpiFunction::Comm_create_group:
        case MpiFunction::Comm_create_from_group:
            numbers_ = {parent, communicators_.add(made->id), communicators_.colour_of(*made)};
            add_members(made);
            return emit(ProxyFunction::Comm_create_group);
        case MpiFunction::Cart_create:
            if (creation->shape != nullptr) return create_cart(*creation, parent);
            return split(ProxyFunction::Cart_as_split, *creation, parent);
        default:
            return split(proxy_function(call.function), *creation, parent);
    }
}

/// Adds the making or freeing of a communicator to a call.
void CallTranslator::note_handle(Action::Kind kind, u64 comm) {
    Action& action = noted_.emplace_back();
    action.kind = kind;
    action.part.kind = CollectiveKind::create_handle;
    action.part.comm = comm;
}

/// The program notes the new communicator, then the collective operation of all calls but
/// MPI_Comm_create_group.
void CallTranslator::note_creation(const MpiCall& call, const CommunicatorView* made) {
    const bool by_group = call.function == MpiFunction::Comm_create_group ||
                          call.function == MpiFunction::Comm_create_from_group;
    noted_.clear();
    if (made != nullptr) note_handle(Action::Kind::create_comm, made->id);
    if (!by_group) note_handle(Action::Kind::collective, kNone);
    note_as(call, by_group ? MpiFunction::Comm_create_group : call.function, {});
}

void CallTranslator::create_cart(const ProxyCreation& creation, u32 parent) {
    const CartShape& shape = *creation.shape->cart;
    const CommunicatorView* const made = creation.made;
    numbers_ = {parent, made == nullptr ? ~u64{0} : communicators_.add(made->id)};
    add_list({shape.sizes.begin(), shape.sizes.end()});
    add_list({shape.periodic.begin(), shape.periodic.end()});
    emit(ProxyFunction::Cart_create);
}

/// Processes without a new communicator have no colour.
void CallTranslator::split(ProxyFunction function, const ProxyCreation& creation, u32 parent) {
    const CommunicatorView* const made = creation.made;
    if (made == nullptr) {
        numbers_ = {parent, ~u64{0}, ~u64{0}, 0};
    } else {
        numbers_ = {parent, communicators_.add(made->id), communicators_.colour_of(*made)};
        numbers_.push_back(communicators_.rank_in(made->id));
    }
    emit(function);
}

void CallTranslator::destroy(const MpiCall& call) {
    bool any = false;
    for (const Action& action : call.actions) {
        if (action.kind != Action::Kind::destroy_comm) continue;
        const auto number = communicators_.find(action.part.comm);
        if (!number || *number <= 1) continue;
        any = true;
        noted_.clear();
        note_handle(Action::Kind::collective, kNone);
        note_as(call, call.function, {});
        communicators_.remove(action.part.comm);
        numbers_ = {*number};
        emit(call.function);
    }
    if (!any) leave_out(call);
}

}  // namespace tracefold
