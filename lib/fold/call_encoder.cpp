// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/call_encoder.hpp"

#include "fold/mapping_tables.hpp"
#include "fold/request_list.hpp"
#include "fold/symbol_table.hpp"
#include "model/event_table.hpp"
#include "model/mpi_function.hpp"

#include <algorithm>

namespace tracefold {

namespace {

bool is_plain(const Element& element) {
    if (element.type == kCompletions || element.raw || !element.attributes.empty()) return false;
    const RecordTraits& traits = record_traits(element.type);
    return traits.role != RecordRole::uses_request && !traits.collective;
}

ExpectedRecord expected_record(const Element& element, u32 node, const MappingTables& tables) {
    const RecordTraits& traits = record_traits(element.type);
    const RecordInfo& info = event_info(element.type);
    ExpectedRecord record;
    record.detail =
        traits.context ? tables.decode(info.fields[0].kind, element.context) : element.array_count;
    record.detail_at = traits.detail;
    record.type = element.type;
    record.has_values = !traits.context || info.field_count > 1;
    record.posts = traits.posting != nullptr;
    record.node = node;
    return record;
}

}  // namespace

ExpectedCall expected_call(const SymbolTable& table, u32 node, const MappingTables& tables) {
    ExpectedCall call;
    for (u32 at = node; at != SymbolTable::kRoot; at = table.parent(at)) {
        const Element& element = table[table.element_at(at)];
        if (!is_plain(element)) return {};
        call.push_back(expected_record(element, at, tables));
    }
    std::reverse(call.begin(), call.end());
    return call;
}

namespace {

constexpr u8 id(EventType type) { return static_cast<u8>(type); }

/// Maximum number of records of a symbol; longer calls are encoded record by record.
constexpr std::size_t kMaxElements = 16;

constexpr LateValues::Values kNever{0, kNeverCompleted, 0, 0, 0};

}  // namespace

CallEncoder::CallEncoder(const DefinitionIndex& definitions, const MappingTables& tables,
                         const LocationDefinition& location, bool timing, const PollDetector* scout)
    : definitions_(definitions),
      scout_(scout),
      codec_(definitions, tables, location),
      call_(codec_.views(), timing),
      contexts_(kEventTypes) {}

void CallEncoder::encode(const RecordBatch& records, std::span<const RecordBatch::Head> heads,
                         CallBatch& out) {
    while (!heads.empty()) {
        std::size_t taken = take_expected(records, heads, out);
        if (taken == 0) {
            record(records, heads[0], out);
            last_time_ = heads[0].time;
            taken = 1;
        }
        heads = heads.subspan(taken);
    }
}

/// Fast path: if the next records are a whole call like the last one of its region, consumes them
/// and returns their number; else 0. Equivalent to record() one by one.
std::size_t CallEncoder::take_expected(const RecordBatch& batch,
                                       std::span<const RecordBatch::Head> heads, CallBatch& out) {
    if (record_traits(heads[0].type).role != RecordRole::opens) return 0;
    const std::vector<Context>& known = contexts_[heads[0].type];
    const u64 raw = batch.values(heads[0])[0];
    if (raw >= known.size() || known[raw].expected == kNone) return 0;
    const ExpectedCall& expected = *expected_[known[raw].expected];
    if (!is_next(expected, batch, heads)) return 0;
    call_.give_separately(out);
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const RecordBatch::Head& head = heads[i];
        call_.append(expected[i].node);
        if (expected[i].has_values) {
            codec_.encode(head.type, batch.values(head), call_.values());
        }
        if (expected[i].posts) post(head.type, batch.values(head));
        call_.add_delta(head.time - last_time_);
        last_time_ = head.time;
    }
    open_ = false;
    call_.give_whole(out);
    return expected.size();
}

void CallEncoder::record(const RecordBatch& batch, const RecordBatch::Head& head, CallBatch& out) {
    switch (record_traits(head.type).role) {
        case RecordRole::plain:
            plain(batch, head, out);
            return;
        case RecordRole::opens:
            open(batch, head, out);
            return;
        case RecordRole::closes:
            close(batch, head, out);
            return;
        case RecordRole::completion:
            if (!completion(batch, head, out)) verbatim(batch, head, out);
            return;
        case RecordRole::uses_request:
            if (!request_use(batch, head, out)) verbatim(batch, head, out);
            return;
    }
}

void CallEncoder::open(const RecordBatch& batch, const RecordBatch::Head& head, CallBatch& out) {
    call_.give_separately(out);
    const Context& context = context_of(batch, head);
    begin_alone(batch, head, context);
    if (head.value_count > 1) codec_.encode(head.type, batch.values(head), call_.values());
    call_.add_delta(head.time - last_time_);
    open_ = true;
    open_type_ = head.type;
    open_context_ = batch.values(head)[0];
    if (context.completes) call_.begin_completions();
}

/// A Leave ends the open call if the regions match; for sampled contexts any Leave does, since they
/// may be left by another context of the same region.
void CallEncoder::close(const RecordBatch& batch, const RecordBatch::Head& head, CallBatch& out) {
    const bool own =
        open_ && ((open_type_ == id(EventType::Enter) && head.type == id(EventType::Leave) &&
                   open_context_ == batch.values(head)[0]) ||
                  (open_type_ == id(EventType::CallingContextEnter) &&
                   head.type == id(EventType::CallingContextLeave)));
    if (own) {
        begin(batch, head, false, out);
    } else {
        call_.give_separately(out);
        begin_alone(batch, head, context_of(batch, head));
        open_ = false;
    }
    call_.add_delta(head.time - last_time_);
    if (open_) {
        expect_again(call_.node());
        call_.give_whole(out);
        open_ = false;
    } else {
        call_.give_separately(out);
    }
}

/// Registers the expected next call of the open region.
void CallEncoder::expect_again(u32 node) {
    const u32 symbol = call_.table().symbol_at(node);
    if (symbol >= expected_.size()) expected_.resize(symbol + 1);
    std::optional<ExpectedCall>& expected = expected_[symbol];
    if (!expected) expected = expected_call(call_.table(), node, codec_.tables());
    std::vector<Context>& known = contexts_[open_type_];
    if (!expected->empty() && open_context_ < known.size()) known[open_context_].expected = symbol;
}

/// Adds a completion to the current run of completions; its data go to the posting call.
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
    late_fields_.clear();
    if (head.attribute_count != 0 || !codec_.encode(head.type, fields, late_fields_)) {
        ++raw_.inexpressible;
        return false;
    }
    LateValues::Values late{};
    std::copy(late_fields_.begin(), late_fields_.end(), late.begin());
    if (!open_ || call_.last_type() != kCompletions) {
        make_room(kCompletions, out);
        call_.begin_completions();
    }
    call_.add_completion(static_cast<u64>(distance));
    end_request(node, late, out);
    end(head.time, out);
    return true;
}

void CallEncoder::end_request(u32 node, const LateValues::Values& values, CallBatch& out) {
    const RequestList::Request& request = requests_[node];
    if (request.payload != kNone) {
        call_.resolve(request.payload, request.kind == RequestKind::receive, values, out);
    }
    codec_.end_request(request.id);
    requests_.remove(node);
}

/// Encodes tests, cancellations and completions of matched receives by distance, like completions.
bool CallEncoder::request_use(const RecordBatch& batch, const RecordBatch::Head& head,
                              CallBatch& out) {
    i64 distance = 0;
    u32 node = kNone;
    if (!requests_.find(
            batch.values(head)[0], [](RequestKind) { return true; }, distance, node)) {
        ++raw_.unknown_request;
        return false;
    }
    begin(batch, head, false, out);
    call_.values().push_back(static_cast<u64>(distance));
    call_.values().append(batch.values(head).subspan(1));
    if (ends_request(head.type)) end_request(node, kNever, out);
    end(head.time, out);
    return true;
}

void CallEncoder::plain(const RecordBatch& batch, const RecordBatch::Head& head, CallBatch& out) {
    const auto fields = batch.values(head);
    begin(batch, head, false, out);
    if (codec_.encode(head.type, fields, call_.values())) {
        post(head.type, fields);
    } else {
        ++raw_.inexpressible;
        call_.replace_last(element_of(batch, head, true));
        call_.values().append(fields);
    }
    end(head.time, out);
}

void CallEncoder::verbatim(const RecordBatch& batch, const RecordBatch::Head& head,
                           CallBatch& out) {
    begin(batch, head, true, out);
    call_.values().append(batch.values(head));
    end(head.time, out);
}

/// Registers the request that a record creates, if any.
void CallEncoder::post(u8 type, std::span<const u64> fields) {
    const PostingKind* const kind = record_traits(type).posting;
    if (kind == nullptr) return;
    const u32 late = kind->late_values == 0 ? kNone : call_.post_late(kind->late_values);
    requests_.add(fields.back(), kind->request, late);
}

u32 CallEncoder::element_of(const RecordBatch& batch, const RecordBatch::Head& head, bool raw) {
    const RecordTraits& traits = record_traits(head.type);
    const MappingTables& tables = codec_.tables();
    const auto fields = batch.values(head);
    Element element{head.type, raw, 0, 0, {}};
    if (traits.arrays) element.array_count = static_cast<u32>(fields[1]);
    if (traits.context) {
        element.context = tables.encode(event_info(head.type).fields[0].kind, fields[0]);
    }
    for (const Attribute& attribute : batch.attributes(head)) {
        element.attributes.push_back(
            {tables.encode(FieldKind::attribute, attribute.ref), attribute.type});
    }
    return call_.table().element(element);
}

const CallEncoder::Context& CallEncoder::context_of(const RecordBatch& batch,
                                                    const RecordBatch::Head& head) {
    const u64 raw = batch.values(head)[0];
    std::vector<Context>& known = contexts_[head.type];
    if (raw < known.size() && known[raw].single != kNone) return known[raw];
    if (raw >= kCachedIds) return far_context_ = learn_context(batch, head);
    if (raw >= known.size()) known.resize(raw + 1);
    return known[raw] = learn_context(batch, head);
}

CallEncoder::Context CallEncoder::learn_context(const RecordBatch& batch,
                                                const RecordBatch::Head& head) {
    const u64 raw = batch.values(head)[0];
    const FieldKind kind = event_info(head.type).fields[0].kind;
    SymbolTable& table = call_.table();
    const u32 element = table.element({head.type, false, 0, codec_.tables().encode(kind, raw), {}});
    const u64 region = definitions_.region_of(kind, codec_.tables().global(kind, raw));
    // Failed and successful tests share a symbol unless the region polls.
    const bool polls = scout_ != nullptr && head.type == id(EventType::Enter) && scout_->polls(raw);
    return {table.step(SymbolTable::kRoot, element),
            !polls && completes_requests(definitions_.region_name(region))};
}

/// Begins the element of a record in the pending call, with the values of its attributes.
void CallEncoder::begin(const RecordBatch& batch, const RecordBatch::Head& head, bool raw,
                        CallBatch& out) {
    make_room(head.type, out);
    SymbolTable& table = call_.table();
    const RecordKey key = raw ? kNoKey : key_of(batch, head);
    u32 node = table.follow(call_.node(), key);
    if (node == kNone) node = table.step(call_.node(), element_of(batch, head, raw), key);
    call_.append(node);
    for (const Attribute& attribute : batch.attributes(head)) {
        call_.values().push_back(attribute.value);
    }
}

/// As begin(), for an enter or leave record without a pending call.
void CallEncoder::begin_alone(const RecordBatch& batch, const RecordBatch::Head& head,
                              const Context& context) {
    if (head.attribute_count == 0) {
        call_.append(context.single);
        return;
    }
    call_.append(call_.table().step(SymbolTable::kRoot, element_of(batch, head, false)));
    for (const Attribute& attribute : batch.attributes(head)) {
        call_.values().push_back(attribute.value);
    }
}

/// Splits the pending call before another operation (Startall, the RMA completions of a fence) or
/// at the maximum size: their number becomes a count of the script, not part of a symbol.
void CallEncoder::make_room(u8 type, CallBatch& out) {
    const bool repeats =
        record_traits(type).operation && record_traits(call_.last_type()).operation;
    if (open_ && (repeats || call_.size() >= kMaxElements)) {
        call_.give_separately(out);
        open_ = false;
    }
}

/// Ends the current element, whose record has this time.
void CallEncoder::end(u64 time, CallBatch& out) {
    call_.add_delta(time - last_time_);
    if (!open_) call_.give_separately(out);
}

void CallEncoder::finish(CallBatch& out) {
    call_.give_separately(out);
    while (requests_.oldest() != kNone) end_request(requests_.oldest(), kNever, out);
}

}  // namespace tracefold
