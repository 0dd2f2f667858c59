// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/calls/action_reader.hpp"

#include "file/call_names.hpp"
#include "model/record_kinds.hpp"
#include "mpi/matching/inferred_collectives.hpp"
#include "mpi/mpi_call_reader.hpp"

#include <algorithm>

namespace tracefold {

namespace {

using Map = std::unordered_map<u64, u64>;

/// Removes an entry and returns its value; nullopt if there is none.
template <class Value>
std::optional<Value> take_from(std::unordered_map<u64, Value>& map, u64 key) {
    const auto found = map.find(key);
    if (found == map.end()) return std::nullopt;
    const Value value = found->second;
    map.erase(found);
    return value;
}

}  // namespace

std::optional<u64> MatchedMessages::Scout::take(u64 message) {
    while (!bytes_.contains(message) && !at_end_) read();
    return take_from(bytes_, message);
}

void MatchedMessages::Scout::read() {
    at_end_ = !stream_.next();
    if (at_end_) return;
    for (const RecordBatch::Head& head : stream_.records().heads()) {
        const std::span<const u64> fields = stream_.records().values(head);
        switch (static_cast<EventType>(head.type)) {
            case EventType::MpiMrecv:
                bytes_[fields[0]] = fields[1];
                break;
            case EventType::MpiImrecvRequest:
                message_[fields[1]] = fields[0];
                break;
            case EventType::MpiImrecv:
                if (const auto message = take_from(message_, fields[0])) {
                    bytes_[*message] = fields[1];
                }
                break;
            default:
                break;
        }
    }
}

/// Finds the messages that the threads of a process hand over: walks through their records, thread
/// by thread, and stores operations that begin on one thread and end on another.
class MatchedMessages::Exchange {
  public:
    explicit Exchange(MatchedMessages& all) : all_(all) {}

    void walk(TraceFile& file, u32 location) {
        probes_.clear();
        posted_.clear();
        CallReader stream(file, location, Times::skip);
        while (stream.next()) {
            for (const RecordBatch::Head& head : stream.records().heads()) {
                add(static_cast<EventType>(head.type), stream.records().values(head),
                    stream.tables());
            }
        }
        for (const auto& [message, probe] : probes_) all_.handed_over_[message].probe = probe;
        for (const auto& [request, message] : posted_) all_.posted_elsewhere_[request] = message;
    }

    void join() {
        for (const auto& [request, bytes] : completed_) {
            const auto posted = all_.posted_elsewhere_.find(request);
            if (posted != all_.posted_elsewhere_.end()) {
                all_.handed_over_[posted->second].bytes = bytes;
            }
        }
    }

  private:
    void add(EventType type, std::span<const u64> fields, const MappingTables& tables) {
        switch (type) {
            case EventType::MpiProbe:
                if (fields[3] == kNoMessage) break;
                probes_[fields[3]] = {tables.global(FieldKind::comm, fields[1]),
                                      static_cast<u32>(fields[0]), static_cast<u32>(fields[2]), 0};
                break;
            case EventType::MpiMrecv:
                receive(fields[0], fields[1]);
                break;
            case EventType::MpiImrecvRequest:
                posted_[fields[1]] = fields[0];
                break;
            case EventType::MpiImrecv:
                if (const auto message = take_from(posted_, fields[0])) {
                    receive(*message, fields[1]);
                } else {
                    completed_[fields[0]] = fields[1];
                }
                break;
            default:
                break;
        }
    }

    void receive(u64 message, u64 bytes) {
        if (probes_.erase(message) == 0) all_.handed_over_[message].bytes = bytes;
    }

    MatchedMessages& all_;
    std::unordered_map<u64, Envelope> probes_;  ///< of the thread, messages not yet received
    Map posted_;                                ///< message by request, of the thread
    Map completed_;                             ///< bytes by request, posted by other threads
};

MatchedMessages::MatchedMessages(TraceFile& file, u32 location) : ahead_(file, location) {
    const DefinitionIndex& definitions = file.definitions();
    const std::optional<u32> rank = definitions.world_rank(definitions.locations()[location]);
    if (!rank) return;
    const std::vector<u32> threads = mpi_locations(file, *rank);
    if (threads.size() < 2) return;
    Exchange exchange(*this);
    for (const u32 thread : threads) exchange.walk(file, thread);
    exchange.join();
}

/// If several threads handle the message, another one may know its size.
std::optional<u64> MatchedMessages::bytes_of(u64 message) {
    if (const auto own = ahead_.take(message)) return own;
    const auto found = handed_over_.find(message);
    return found == handed_over_.end() ? std::nullopt : found->second.bytes;
}

void MatchedMessages::take(Action& probe) {
    const std::optional<u64> bytes = bytes_of(probe.message);
    probe.known = bytes.has_value();
    probe.envelope.bytes = bytes.value_or(0);
    taken_[probe.message] = {probe.envelope, bytes};
}

MatchedMessages::Message MatchedMessages::take_message(u64 message) {
    if (const auto own = take_from(taken_, message)) return *own;
    const auto found = handed_over_.find(message);
    return found == handed_over_.end() ? Message{} : found->second;
}

bool MatchedMessages::receive(Action& receive) {
    const Message message = take_message(receive.message);
    if (!message.probe) return false;
    const u64 bytes = receive.envelope.bytes;
    receive.envelope = *message.probe;
    receive.envelope.bytes = bytes;
    return true;
}

bool MatchedMessages::post(Action& post) {
    // The probe has found the size, unless it is of another thread.
    const bool own = taken_.contains(post.message);
    Message message = take_message(post.message);
    if (!message.probe) return false;
    if (!own) message.bytes = bytes_of(post.message);
    post.known = message.bytes.has_value();
    post.envelope = *message.probe;
    post.envelope.bytes = message.bytes.value_or(0);
    posted_[post.request] = post.envelope;
    return true;
}

bool MatchedMessages::complete(Action& completion) {
    const u64 bytes = completion.envelope.bytes;
    std::optional<Envelope> envelope = take_from(posted_, completion.request);
    if (!envelope) {
        const auto posted = posted_elsewhere_.find(completion.request);
        if (posted != posted_elsewhere_.end()) envelope = take_message(posted->second).probe;
    }
    if (!envelope) return false;
    completion.envelope = *envelope;
    completion.envelope.bytes = bytes;
    return true;
}

bool is_traffic(u8 type) {
    if (type == static_cast<u8>(EventType::MpiCollectiveBegin)) return false;
    if (type == static_cast<u8>(EventType::RmaCollectiveBegin)) return false;
    switch (record_kind(type)) {
        case RecordKind::messages:
        case RecordKind::collectives:
        case RecordKind::communicators:
        case RecordKind::rma:
        case RecordKind::io:
            return true;
        default:
            return false;
    }
}

namespace {

/// Precondition: the first element is an Enter and the last one a Leave.
bool is_whole_call(const std::vector<ElementRecipe>& elements) {
    using Kind = ElementRecipe::Kind;
    const bool nested = std::any_of(
        elements.begin() + 1, elements.end() - 1,
        [](const auto& inner) { return inner.kind == Kind::enter || inner.kind == Kind::leave; });
    return elements.front().is_mpi && elements.front().region == elements.back().region && !nested;
}

}  // namespace

CallRecipes::CallRecipes(TraceFile& file, const MappingTables& tables)
    : file_(file),
      tables_(tables),
      recipes_(file.structure().symbols.size()),
      known_(file.structure().symbols.size(), false) {}

const CallRecipe& CallRecipes::work_out(u32 symbol) {
    CallRecipe& recipe = recipes_[symbol];
    for (const Element& element : file_.structure().symbols[symbol].elements) {
        recipe.elements.push_back(of_element(element));
        recipe.is_nothing =
            recipe.is_nothing && recipe.elements.back().kind == ElementRecipe::Kind::nothing;
    }
    recipe.is_call = call_kind(file_.structure().symbols[symbol]) == CallKind::call &&
                     is_whole_call(recipe.elements);
    known_[symbol] = true;
    return recipe;
}

ElementRecipe CallRecipes::of_element(const Element& element) const {
    ElementRecipe recipe;
    if (element.type == kCompletions) {
        recipe.kind = ElementRecipe::Kind::completions;
    } else if (is_enter(element.type) || is_leave(element.type)) {
        recipe.kind =
            is_enter(element.type) ? ElementRecipe::Kind::enter : ElementRecipe::Kind::leave;
        add_region(element, recipe);
    } else if (element.type == static_cast<u8>(EventType::Metric)) {
        if (file_.definitions().has_collective_sizes()) recipe.kind = ElementRecipe::Kind::metric;
    } else if (is_traffic(element.type)) {
        recipe.kind = ElementRecipe::Kind::traffic;
        const DefinitionIndex& names = file_.definitions();
        for (u32 i = 0; i < element.attributes.size(); ++i) {
            const u64 ref = tables_.global_of_code(FieldKind::attribute, element.attributes[i].ref);
            if (names.attribute_name(ref) == "Offset") recipe.offset = i;
        }
    }
    return recipe;
}

void CallRecipes::add_region(const Element& element, ElementRecipe& recipe) const {
    const DefinitionIndex& names = file_.definitions();
    const FieldKind kind = event_info(element.type).fields[0].kind;
    const u64 region = names.region_of(kind, tables_.global_of_code(kind, element.context));
    recipe.region = static_cast<u32>(region);
    if (!names.is_mpi_region(region)) return;
    const auto function = find_mpi_function(names.region_name(region), names.region_role(region));
    if (!function) return;
    recipe.is_mpi = true;
    recipe.info = *function;
}

namespace {

/// Copied: compilers zero a large object with an instruction of long start-up time.
constexpr Action kBlank;

bool is_file_record(EventType type) {
    return type >= EventType::IoCreateHandle && type <= EventType::IoTryLock;
}

bool is_of_mpi_window(const DefinitionIndex& definitions, const Action& action) {
    const RecordInfo& info = event_info(static_cast<u8>(action.type));
    for (std::size_t i = 0; i < info.field_count; ++i) {
        if (info.fields[i].kind != FieldKind::rma_win) continue;
        return definitions.is_mpi_window(action.fields[i]);
    }
    return true;
}

/// False for files of another layer than MPI, and windows of another paradigm (accelerator copies).
bool is_of_mpi(const DefinitionIndex& definitions, const Action& action) {
    if (record_kind(action.type) == RecordKind::rma) return is_of_mpi_window(definitions, action);
    if (action.type == EventType::IoDeleteFile) return definitions.is_mpi_io(action.fields[0]);
    return !is_file_record(action.type) || definitions.is_mpi_file(action.fields[0]);
}

}  // namespace

ActionReader::ActionReader(TraceFile& file, const CallReader& stream)
    : file_(file),
      definitions_(file.definitions()),
      stream_(stream),
      rank_(definitions_.world_rank(definitions_.locations()[stream.location()]).value_or(0)) {}

void ActionReader::append(std::size_t record, const ElementRecipe& recipe,
                          std::vector<Action>& actions) {
    using Kind = Action::Kind;
    const RecordBatch::Head& head = stream_.records()[record];
    const std::span<const u64> fields = stream_.records().values(head);
    Action& action = actions.emplace_back(kBlank);
    action.type = static_cast<EventType>(head.type);
    action.time = head.time;
    switch (action.type) {
        case EventType::MpiSend:
            action.kind = Kind::send;
            action.envelope = envelope(fields);
            break;
        case EventType::MpiIsend:
            action.kind = Kind::send;
            action.envelope = envelope(fields);
            action.request = fields[4];
            break;
        case EventType::MpiRecv:
            action.kind = Kind::receive;
            action.envelope = envelope(fields);
            break;
        case EventType::MpiIrecv:
            action.kind = Kind::complete_receive;
            action.envelope = envelope(fields);
            action.request = fields[4];
            break;
        case EventType::MpiIrecvRequest: {
            const CallReader::Posted* data = posted(record);
            action.kind = Kind::post_receive;
            action.request = fields[0];
            action.known = data != nullptr && data->completes;
            if (action.known) action.envelope = envelope(data->fields);
            break;
        }
        case EventType::MpiIsendComplete:
            action.kind = Kind::complete_send;
            action.request = fields[0];
            break;
        case EventType::MpiRequestTest:
            action.kind = Kind::tested;
            action.request = fields[0];
            break;
        case EventType::MpiRequestCancelled:
            action.kind = Kind::cancelled;
            action.request = fields[0];
            break;
        case EventType::MpiCollectiveEnd:
            action.kind = Kind::collective;
            action.part = part(fields);
            break;
        case EventType::NonBlockingCollectiveRequest: {
            const CallReader::Posted* data = posted(record);
            action.kind = Kind::post_collective;
            action.request = fields[0];
            action.known = data != nullptr && data->completes;
            if (action.known) action.part = part(data->fields);
            break;
        }
        case EventType::NonBlockingCollectiveComplete:
            action.kind = Kind::complete_collective;
            action.part = part(fields);
            action.request = fields[5];
            break;
        case EventType::CommCreate:
        case EventType::CommDestroy:
            action.kind =
                action.type == EventType::CommCreate ? Kind::create_comm : Kind::destroy_comm;
            action.part.comm = global(FieldKind::comm, fields[0]);
            if (!definitions_.is_mpi_communicator(action.part.comm)) actions.pop_back();
            break;
        case EventType::MpiProbe:
            probe(fields, action);
            break;
        case EventType::MpiMrecv:
        case EventType::MpiImrecvRequest:
        case EventType::MpiImrecv:
            if (!matched(fields, action)) actions.pop_back();
            break;
        default:
            other(recipe, head, action);
            if (!is_of_mpi(definitions_, action)) actions.pop_back();
    }
}

u64 ActionReader::size_told_by(std::size_t record) const {
    const std::span<const u64> fields = stream_.records().values(stream_.records()[record]);
    if (!definitions_.tells_collective_size(global(FieldKind::metric, fields[0]))) return kNoMetric;
    // The record holds a number of metrics n, then n types and n values.
    return fields[1] == 0 ? kNoMetric : fields[2 + fields[1]];
}

Action ActionReader::unrecorded_collective(MpiFunctionInfo caller, u64 metric, u64 time) const {
    const u64 comm = definitions_.only_communicator();
    const RankView view = definitions_.view(comm, rank_);
    const ExplainedCollective known = explain_collective({caller.function, metric}, view);
    const Contribution sizes = known.of_member(view.rank);
    Action action;
    const bool blocks = caller.family == CallFamily::collective;
    action.kind = blocks ? Action::Kind::collective : Action::Kind::post_collective;
    action.type = blocks ? EventType::MpiCollectiveEnd : EventType::NonBlockingCollectiveRequest;
    action.unrecorded = true;
    action.has_size = known.has_size;
    action.has_root = known.has_root;
    action.time = time;
    action.part = {comm, known.kind, known.root, sizes.sent, sizes.received};
    action.fields[0] = metric;
    return action;
}

MatchedMessages& ActionReader::messages() {
    if (!messages_) messages_ = std::make_unique<MatchedMessages>(file_, stream_.location());
    return *messages_;
}

void ActionReader::probe(std::span<const u64> fields, Action& action) {
    action.kind = Action::Kind::probe;
    action.message = fields[3];
    action.envelope = {global(FieldKind::comm, fields[1]), static_cast<u32>(fields[0]),
                       static_cast<u32>(fields[2]), 0};
    if (action.message != kNoMessage) messages().take(action);
}

/// The receive of a probed message. False if the trace lacks the probe.
bool ActionReader::matched(std::span<const u64> fields, Action& action) {
    switch (action.type) {
        case EventType::MpiMrecv:
            action.kind = Action::Kind::receive;
            action.message = fields[0];
            action.envelope.bytes = fields[1];
            return messages().receive(action);
        case EventType::MpiImrecvRequest:
            action.kind = Action::Kind::post_receive;
            action.message = fields[0];
            action.request = fields[1];
            return messages().post(action);
        default:
            action.kind = Action::Kind::complete_receive;
            action.request = fields[0];
            action.envelope.bytes = fields[1];
            return messages().complete(action);
    }
}

const CallReader::Posted* ActionReader::posted(std::size_t record) const {
    for (const CallReader::Posted& data : stream_.posted()) {
        if (data.record == record) return &data;
    }
    return nullptr;
}

Envelope ActionReader::envelope(std::span<const u64> fields) const {
    return {global(FieldKind::comm, fields[1]), static_cast<u32>(fields[0]),
            static_cast<u32>(fields[2]), fields[3]};
}

CollectivePart ActionReader::part(std::span<const u64> fields) const {
    return {global(FieldKind::comm, fields[1]), collective_kind(fields[0]),
            static_cast<u32>(fields[2]), fields[3], fields[4]};
}

void ActionReader::other(const ElementRecipe& recipe, const RecordBatch::Head& head,
                         Action& action) const {
    const RecordInfo& info = event_info(head.type);
    const std::span<const u64> fields = stream_.records().values(head);
    for (std::size_t i = 0; i < fields.size() && i < action.fields.size(); ++i) {
        const FieldKind kind = info.fields[i].kind;
        action.fields[i] = is_mapped(kind) ? global(kind, fields[i]) : fields[i];
    }
    if (recipe.offset != kNone) {
        action.offset = stream_.records().attributes(head)[recipe.offset].value;
    }
}

}  // namespace tracefold
