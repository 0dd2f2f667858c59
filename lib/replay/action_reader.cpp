// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/action_reader.hpp"

#include "model/record_kinds.hpp"
#include "replay/unrecorded_collective.hpp"

namespace tracefold {

namespace {

/// Copied, since compilers set a large object to zero with an instruction that takes long to start.
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

/// True unless the record is about a file that another layer than MPI opened, or a window that
/// another paradigm created, such as that of copies to an accelerator.
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
    // A number of metrics n, n types and n values follow.
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
    if (!messages_) messages_.emplace(file_, stream_.location());
    return *messages_;
}

void ActionReader::probe(std::span<const u64> fields, Action& action) {
    action.kind = Action::Kind::probe;
    action.message = fields[3];
    action.envelope = {global(FieldKind::comm, fields[1]), static_cast<u32>(fields[0]),
                       static_cast<u32>(fields[2]), 0};
    if (action.message != kNoMessage) messages().take(action);
}

/// The receive of a message that a probe took. False if the trace does not have the probe.
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
