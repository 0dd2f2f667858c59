// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi_calls/call_encoder.hpp"

#include "model/event_table.hpp"
#include "mpi_calls/completion_kinds.hpp"

#include <algorithm>
#include <string_view>

namespace tracefold {

namespace {

constexpr u8 id(EventType type) { return static_cast<u8>(type); }

/// Calls with more records than this are written record by record.
constexpr std::size_t kMaxParts = 16;
/// Regions with larger local ids are looked up by content each time.
constexpr u64 kCachedIds = 65536;

constexpr LateValues::Values kNever{0, kNeverCompleted, 0, 0, 0};

bool opens(u8 type) {
    return type == id(EventType::Enter) || type == id(EventType::CallingContextEnter);
}
bool closes(u8 type) {
    return type == id(EventType::Leave) || type == id(EventType::CallingContextLeave);
}

/// Records of which a call has one per request, RMA or I/O operation.
bool is_operation(u8 type) {
    if (type == kCompletions) return false;
    const RecordInfo& info = event_info(type);
    if (info.field_count == 0) return false;
    const FieldKind last = info.fields[info.field_count - 1U].kind;
    return last == FieldKind::request_new || last == FieldKind::matching_id;
}

bool starts_with(std::string_view text, std::string_view prefix) {
    return text.substr(0, prefix.size()) == prefix;
}

/// Calls that complete requests, none included: their symbol must not tell a failed test from a
/// successful one.
bool is_completing_call(std::string_view region) {
    return starts_with(region, "MPI_Wait") || starts_with(region, "MPI_Request_get_status") ||
           (starts_with(region, "MPI_Test") && !starts_with(region, "MPI_Test_cancelled"));
}

}  // namespace

CallEncoder::CallEncoder(const DefinitionIndex& definitions, const MappingTables& tables,
                         const LocationDefinition& location, bool timing)
    : definitions_(definitions),
      codec_(definitions, tables, location),
      table_(Stream::events),
      timing_(timing),
      completions_element_(table_.element({kCompletions, false, 0, 0, {}})),
      plain_elements_(kEventTypes, kNone),
      context_elements_(kEventTypes),
      completing_(kEventTypes) {}

void CallEncoder::encode(const RecordBatch& records, CallBatch& out) {
    for (const RecordBatch::Head& head : records.heads()) record(records, head, out);
}

void CallEncoder::record(const RecordBatch& batch, const RecordBatch::Head& head, CallBatch& out) {
    if (opens(head.type)) {
        open(batch, head, out);
    } else if (closes(head.type)) {
        close(batch, head, out);
    } else if (const CompletionKind* kind = completion_kind(head.type); kind != nullptr) {
        if (!completion(batch, head, out)) verbatim(batch, head, out);
    } else if (uses_request(head.type)) {
        if (!request_use(batch, head, out)) verbatim(batch, head, out);
    } else {
        plain(batch, head, out);
    }
    last_time_ = head.time;
}

void CallEncoder::open(const RecordBatch& batch, const RecordBatch::Head& head, CallBatch& out) {
    emit_separately(out);
    open_ = true;
    open_type_ = head.type;
    open_context_ = batch.values(head)[0];
    begin_part(context_element(batch, head), out);
    for (const Attribute& attribute : batch.attributes(head)) values_.push_back(attribute.value);
    codec_.encode(head.type, batch.values(head), event_info(head.type).field_count, values_);
    deltas_.push_back({0, head.time - last_time_});
    if (completes_requests(head.type, open_context_)) begin_part(completions_element_, out);
}

/// A Leave ends the open call if it is its own; sampled contexts may be left by another context of
/// the same region, so there any leave will do.
void CallEncoder::close(const RecordBatch& batch, const RecordBatch::Head& head, CallBatch& out) {
    const bool own =
        open_ && ((open_type_ == id(EventType::Enter) && head.type == id(EventType::Leave) &&
                   open_context_ == batch.values(head)[0]) ||
                  (open_type_ == id(EventType::CallingContextEnter) &&
                   head.type == id(EventType::CallingContextLeave)));
    const u32 element = context_element(batch, head);
    if (!own) {
        emit_separately(out);
        open_ = false;
    }
    begin_part(element, out);
    for (const Attribute& attribute : batch.attributes(head)) values_.push_back(attribute.value);
    codec_.encode(head.type, batch.values(head), event_info(head.type).field_count, values_);
    deltas_.push_back({static_cast<u32>(parts_.size() - 1), head.time - last_time_});
    if (open_) {
        u32 node = SymbolTable::kRoot;
        for (const Part& part : parts_) node = table_.step(node, part.element);
        std::size_t delta = 0;
        emit(table_.symbol_at(node), 0, parts_.size(), delta, out);
        clear_pending();
    }
    end_part(out);
}

/// A completion joins the run of completions at hand; its data go to the posting call.
bool CallEncoder::completion(const RecordBatch& batch, const RecordBatch::Head& head,
                             CallBatch& out) {
    const CompletionKind& kind = *completion_kind(head.type);
    const auto fields = batch.values(head);
    i64 distance = 0;
    u32 node = kNone;
    const bool found = requests_.find(
        fields.back(), [&kind](RequestKind k) { return k == kind.request; }, distance, node);
    if (!found) {
        ++raw_.unknown_request;
        return false;
    }
    LateValues::Values late{};
    scratch_.clear();
    const u8 late_count = static_cast<u8>(event_info(head.type).field_count - 1);
    if (head.attribute_count != 0 || !codec_.encode(head.type, fields, late_count, scratch_)) {
        ++raw_.inexpressible;
        return false;
    }
    std::copy(scratch_.begin(), scratch_.end(), late.begin());
    if (!open_ || parts_.back().element != completions_element_) {
        begin_part(completions_element_, out);
    }
    values_.push_back(static_cast<u64>(distance));
    deltas_.push_back({static_cast<u32>(parts_.size() - 1), head.time - last_time_});
    end_request(node, late, out);
    end_part(out);
    return true;
}

void CallEncoder::end_request(u32 node, const LateValues::Values& values, CallBatch& out) {
    const u32 late = requests_[node].payload;
    if (late != kNone) {
        const bool receive = requests_[node].kind == RequestKind::receive;
        const std::size_t first = out.values.size();
        late_.resolve(late, values, out);
        if (receive) note_late_peers(first, out);
    }
    requests_.remove(node);
}

/// The values from `first_value` on are those of receives, four each: sender, communicator, ...
void CallEncoder::note_late_peers(std::size_t first_value, const CallBatch& out) {
    for (std::size_t i = first_value; i + 3 < out.values.size(); i += 4) {
        const u64 communicator = out.values[i + 1].value;
        if (communicator == kNeverCompleted) continue;
        peers_.note(out.values[i].column, out.values[i].value,
                    codec_.views().of_communicator(communicator));
    }
}

/// MpiRequestTest and MpiRequestCancelled: named by distance like completions.
bool CallEncoder::request_use(const RecordBatch& batch, const RecordBatch::Head& head,
                              CallBatch& out) {
    i64 distance = 0;
    u32 node = kNone;
    if (!requests_.find(
            batch.values(head)[0], [](RequestKind) { return true; }, distance, node)) {
        ++raw_.unknown_request;
        return false;
    }
    begin_part(element_of(batch, head, false), out);
    for (const Attribute& attribute : batch.attributes(head)) values_.push_back(attribute.value);
    values_.push_back(static_cast<u64>(distance));
    deltas_.push_back({static_cast<u32>(parts_.size() - 1), head.time - last_time_});
    if (head.type == id(EventType::MpiRequestCancelled)) end_request(node, kNever, out);
    end_part(out);
    return true;
}

void CallEncoder::plain(const RecordBatch& batch, const RecordBatch::Head& head, CallBatch& out) {
    const auto fields = batch.values(head);
    const u8 field_count = event_info(head.type).field_count;
    scratch_.clear();
    if (!codec_.encode(head.type, fields, field_count, scratch_)) {
        ++raw_.inexpressible;
        verbatim(batch, head, out);
        return;
    }
    begin_part(element_of(batch, head, false), out);
    for (const Attribute& attribute : batch.attributes(head)) values_.push_back(attribute.value);
    values_.insert(values_.end(), scratch_.begin(), scratch_.end());
    deltas_.push_back({static_cast<u32>(parts_.size() - 1), head.time - last_time_});
    post(head.type, fields.empty() ? 0 : fields.back());
    end_part(out);
}

void CallEncoder::verbatim(const RecordBatch& batch, const RecordBatch::Head& head,
                           CallBatch& out) {
    const auto fields = batch.values(head);
    begin_part(element_of(batch, head, true), out);
    for (const Attribute& attribute : batch.attributes(head)) values_.push_back(attribute.value);
    values_.insert(values_.end(), fields.begin(), fields.end());
    deltas_.push_back({static_cast<u32>(parts_.size() - 1), head.time - last_time_});
    end_part(out);
}

/// Registers the request that a record creates, if it does.
void CallEncoder::post(u8 type, u64 request) {
    const PostingKind* kind = posting_kind(type);
    if (kind == nullptr) return;
    u32& late = parts_.back().late;
    if (kind->late_values != 0) late = late_.add(kind->late_values);
    requests_.add(request, kind->request, late);
}

u32 CallEncoder::element_of(const RecordBatch& batch, const RecordBatch::Head& head, bool raw) {
    const bool arrays = event_info(head.type).has_arrays();
    u32& cached = plain_elements_[head.type];
    const bool cacheable = !raw && !arrays && head.attribute_count == 0;
    if (cacheable && cached != kNone) return cached;
    Element element{head.type, raw, 0, 0, {}};
    if (arrays) element.array_count = static_cast<u32>(batch.values(head)[1]);
    for (const Attribute& attribute : batch.attributes(head)) {
        element.attributes.push_back(
            {codec_.tables().encode(FieldKind::attribute, attribute.ref), attribute.type});
    }
    const u32 number = table_.element(element);
    if (cacheable) cached = number;
    return number;
}

u32 CallEncoder::context_element(const RecordBatch& batch, const RecordBatch::Head& head) {
    const u64 raw = batch.values(head)[0];
    std::vector<u32>& cache = context_elements_[head.type];
    const bool cacheable = raw < kCachedIds && head.attribute_count == 0;
    if (cacheable && raw < cache.size() && cache[raw] != kNone) return cache[raw];
    const FieldKind kind = event_info(head.type).fields[0].kind;
    Element element{head.type, false, 0, codec_.tables().encode(kind, raw), {}};
    for (const Attribute& attribute : batch.attributes(head)) {
        element.attributes.push_back(
            {codec_.tables().encode(FieldKind::attribute, attribute.ref), attribute.type});
    }
    const u32 number = table_.element(element);
    if (cacheable) {
        if (raw >= cache.size()) {
            cache.resize(raw + 1, kNone);
            completing_[head.type].resize(raw + 1, false);
        }
        cache[raw] = number;
        u64 region = codec_.tables().global(kind, raw);
        if (kind == FieldKind::calling_context) region = definitions_.region_of_context(region);
        completing_[head.type][raw] = is_completing_call(definitions_.region_name(region));
    }
    return number;
}

bool CallEncoder::completes_requests(u8 type, u64 raw_context) const {
    const std::vector<bool>& known = completing_[type];
    return raw_context < known.size() && known[raw_context];
}

/// Starts a part. A call with as many records as it has operations at hand (Startall, the RMA
/// completions of a fence) or with very many is written record by record, so that their number is a
/// count of the script and not part of a symbol.
void CallEncoder::begin_part(u32 element, CallBatch& out) {
    const bool repeats = !parts_.empty() && is_operation(table_[element].type) &&
                         is_operation(table_[parts_.back().element].type);
    if (open_ && (repeats || parts_.size() >= kMaxParts)) {
        emit_separately(out);
        open_ = false;
    }
    parts_.push_back({element, static_cast<u32>(values_.size()), kNone});
}

void CallEncoder::end_part(CallBatch& out) {
    if (!open_) emit_separately(out);
}

void CallEncoder::clear_pending() {
    parts_.clear();
    values_.clear();
    deltas_.clear();
    open_ = false;
}

void CallEncoder::note_peer(const Part& part, u32 first_column) {
    const Element& element = table_[part.element];
    const PeerFields& fields = peer_fields(element.type);
    if (!fields.exist() || element.raw) return;
    const u32 skip = static_cast<u32>(element.attributes.size());
    const u64* values = values_.data() + part.first_value + skip;
    peers_.note(first_column + skip + fields.peer, values[fields.peer],
                codec_.views().of_scope(fields, values[fields.scope]));
}

/// Gives parts [begin, end) out as one symbol.
void CallEncoder::emit(u32 symbol, std::size_t begin, std::size_t end, std::size_t& delta,
                       CallBatch& out) {
    const SymbolTable::Entry& entry = table_.entry(symbol);
    out.symbols.push_back(symbol);
    for (std::size_t i = begin; i < end; ++i) {
        const Part& part = parts_[i];
        const SymbolTable::ElementColumns& columns = entry.elements[i - begin];
        const std::size_t last = i + 1 < parts_.size() ? parts_[i + 1].first_value : values_.size();
        if (part.element == completions_element_) {
            out.values.push_back({columns.first, last - part.first_value});
            for (std::size_t v = part.first_value; v < last; ++v) {
                out.values.push_back({columns.first + 1, values_[v]});
            }
        } else {
            u32 column = columns.first;
            for (std::size_t v = part.first_value; v < last; ++v) {
                out.values.push_back({column++, values_[v]});
            }
            note_peer(part, columns.first);
            if (part.late != kNone) {
                const std::size_t first = out.values.size();
                late_.post(part.late, columns.late, out);
                if (table_[part.element].type == id(EventType::MpiIrecvRequest)) {
                    note_late_peers(first, out);
                }
            }
        }
    }
    for (; delta < deltas_.size() && deltas_[delta].part < end; ++delta) {
        if (!timing_) continue;
        const u32 group = entry.first_group + static_cast<u32>(deltas_[delta].part - begin);
        out.deltas.push_back({group, deltas_[delta].ticks});
    }
}

/// Gives every part out as a symbol of its own.
void CallEncoder::emit_separately(CallBatch& out) {
    std::size_t delta = 0;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
        const std::size_t last = i + 1 < parts_.size() ? parts_[i + 1].first_value : values_.size();
        const bool empty_run =
            parts_[i].element == completions_element_ && last == parts_[i].first_value;
        if (empty_run) continue;
        const u32 node = table_.step(SymbolTable::kRoot, parts_[i].element);
        emit(table_.symbol_at(node), i, i + 1, delta, out);
    }
    clear_pending();
}

void CallEncoder::finish(CallBatch& out) {
    emit_separately(out);
    while (requests_.oldest() != kNone) end_request(requests_.oldest(), kNever, out);
}

}  // namespace tracefold
