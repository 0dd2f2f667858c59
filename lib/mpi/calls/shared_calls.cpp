// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/calls/shared_calls.hpp"

#include "fold/collective_sizes.hpp"
#include "fold/field_codec.hpp"
#include "mpi/calls/action_reader.hpp"

#include <algorithm>

namespace tracefold {

namespace {

/// Records with an influence on the calls.
bool makes_calls(u8 type) {
    return type == kCompletions || is_enter(type) || is_leave(type) || is_traffic(type) ||
           type == static_cast<u8>(EventType::Metric);
}

std::optional<u32> rank_of(const DefinitionIndex& definitions, u32 location) {
    return definitions.world_rank(definitions.locations()[location]);
}

bool is_local_id(ReferenceCode code) { return (code & 1U) != 0; }

/// An element that decoding makes the same on all locations, but for peers of messages and sizes.
bool is_shareable(const Element& element) {
    if (element.type == kCompletions) return true;
    if ((is_enter(element.type) || is_leave(element.type)) && is_local_id(element.context)) {
        return false;
    }
    if (!is_traffic(element.type)) return true;
    const bool names_local =
        std::ranges::any_of(element.attributes, is_local_id, &AttributeKey::ref);
    const bool other_peers =
        peer_fields(element.type).exist() && record_kind(element.type) != RecordKind::messages;
    return !element.raw && !names_local && !other_peers;
}

bool has_peer(const Action& action) {
    switch (action.kind) {
        case Action::Kind::send:
        case Action::Kind::receive:
        case Action::Kind::probe:
        case Action::Kind::complete_receive:
            return true;
        case Action::Kind::post_receive:
            return action.known;
        default:
            return false;
    }
}

bool has_sizes(const Action& action) {
    switch (action.kind) {
        case Action::Kind::collective:
        case Action::Kind::complete_collective:
            return true;
        case Action::Kind::post_collective:
            return action.known;
        default:
            return false;
    }
}

}  // namespace

namespace {

/// Peers that are numbered absolutely, with a column for each rank: functions of the rank.
bool follows_rank(const Assignment& assignment) {
    return assignment.peers == PeerEncoding::absolute && assignment.by_participant != kNone;
}

/// Numbers that tell the content of columns; numbers of ranks less one of them.
class ContentKey {
  public:
    explicit ContentKey(const FoldedSource& source) : source_(source) {}

    void put(u64 number) { numbers_.push_back(number); }
    void put(const StructureIndex::Choice& choice, u64 rank) {
        if (choice.column != kNone) return put_column(choice.column, rank);
        put(kNone);
        put_rank(choice.value, rank);
    }
    [[nodiscard]] ContentHash hash() const { return content_hash(numbers_); }

  private:
    /// Special ranks, and requests that never complete, are the same on every rank.
    void put_rank(u64 value, u64 rank) { put(value < kSpecialRanks ? value - rank : value); }
    void put_column(u32 number, u64 rank) {
        const Column& column = source_.column(number);
        put(static_cast<u64>(column.form));
        const bool starts = column.form == Column::Form::constant ||
                            column.form == Column::Form::progression ||
                            column.form == Column::Form::differences;
        put_rank(column.start, starts ? rank : 0);
        put(column.stride);
        put(column.values.size());
        const bool has_lengths = column.form == Column::Form::runs;
        for (std::size_t i = 0; i < column.values.size(); ++i) {
            put_rank(column.values[i], has_lengths && i % 2 == 1 ? 0 : rank);
        }
        if (!column.is_folded()) return;
        put(column.pattern);
        for (const NodeCount& count : column.counts) {
            put(count.node);
            put(count.column);
        }
        put_column(column.alphabet, column.form == Column::Form::folded ? rank : 0);
    }

    FoldedSource source_;
    std::vector<u64> numbers_;
};

}  // namespace

ContentHash SharedProgram::key(TraceFile& file, u32 location) {
    StructureIndex& index = file.index();
    const Structure& structure = file.structure();
    const u64 rank = rank_of(file.definitions(), location).value_or(0);
    const u32 script = index.script(Stream::events, location);
    ContentKey key(index.source());
    key.put(script);
    key.put(index.facts(location).has_restarts);
    if (script == kNone) return key.hash();
    const std::vector<Assignment>& counts = structure.script_counts[script];
    for (u32 node = 0; node < counts.size(); ++node) {
        if (counts[node].by_participant == kNone) continue;
        key.put(index.count_choice(script, node, location), 0);
    }
    for (const u32 symbol : structure.scripts[script].symbols) {
        const std::vector<Slot>& slots = index.slots(symbol);
        for (u32 slot = 0; slot < slots.size(); ++slot) {
            const Assignment& assignment = structure.slots[symbol][slot];
            if (assignment.by_participant == kNone) continue;
            if (!makes_calls(structure.symbols[symbol].elements[slots[slot].element].type))
                continue;
            key.put(index.slot_choice(symbol, slot, location), follows_rank(assignment) ? rank : 0);
        }
    }
    return key.hash();
}

SharedProgram::SharedProgram(TraceFile& file, u32 location)
    : definitions_(file.definitions()), rank_(rank_of(definitions_, location)) {}

/// False if a record cannot be shared, or if peers have several encodings.
bool SharedProgram::find_encoding(TraceFile& file, u32 location) {
    const Structure& structure = file.structure();
    const u32 script = file.index().script(Stream::events, location);
    if (script == kNone || !rank_) return false;
    std::optional<PeerEncoding> found;
    for (const u32 symbol : structure.scripts[script].symbols) {
        if (!std::ranges::all_of(structure.symbols[symbol].elements, is_shareable)) return false;
        const std::vector<Slot>& slots = file.index().slots(symbol);
        for (std::size_t slot = 0; slot < slots.size(); ++slot) {
            if (slots[slot].kind != FieldKind::peer) continue;
            const Assignment& assignment = structure.slots[symbol][slot];
            const bool follows = follows_rank(assignment);
            const PeerEncoding peers = follows ? PeerEncoding::relative : assignment.peers;
            follows_rank_ = follows_rank_ || follows;
            if (found.value_or(peers) != peers) return false;
            found = peers;
        }
    }
    peers_ = found.value_or(PeerEncoding::relative);
    return true;
}

std::unique_ptr<SharedProgram> SharedProgram::read(TraceFile& file, u32 location,
                                                   std::size_t most_calls, u64 most_bytes) {
    std::unique_ptr<SharedProgram> program(new SharedProgram(file, location));
    const RegionNesting::Location* const nesting = file.nesting().of(location);
    if (nesting != nullptr && nesting->is_followed) return nullptr;
    if (!program->find_encoding(file, location)) return nullptr;
    MpiCallReader reader(file, location, Times::skip);
    reader.remember_loops(most_calls);
    reader.note_ids(program->ids_);
    u64 iteration = ~u64{0};
    MpiCall call;
    while (reader.next(call)) {
        const RepeatedCall place = reader.repeated();
        if (place.iteration != iteration) {
            program->segments_.push_back({program->calls_.size(), 0, 1, 0, false});
            iteration = place.iteration;
        }
        if (!program->add(call) || program->bytes() > most_bytes) return nullptr;
        if (place.iteration == 0 || place.place + 1 < place.calls) continue;
        const RepeatedCalls& repeated = reader.repeated_calls();
        Segment& segment = program->segments_.back();
        segment.iterations += repeated.left();
        segment.request_step = repeated.request_step();
        segment.is_offered = repeated.is_outermost();
        reader.leave_out(repeated.left());
    }
    return program;
}

u64 SharedProgram::bytes() const {
    return segments_.size() * sizeof(Segment) + calls_.size() * sizeof(Call) +
           actions_.size() * (sizeof(Action) + sizeof(Code));
}

/// False if the call depends on its location in other ways.
bool SharedProgram::add(const MpiCall& call) {
    Call& added = calls_.emplace_back();
    added = {call.function, call.family, call.by_records, false,
             false,         call.region, actions_.size(), call.actions.size()};
    for (const Action& action : call.actions) {
        if (action.unrecorded || action.message != kNoMessage) return false;
        if (action.request != kNoRequest) added.has_requests = true;
        if (!encode(action, codes_.emplace_back())) return false;
        added.depends_on_rank = added.depends_on_rank || has_peer(action) || has_sizes(action);
        actions_.push_back(action);
    }
    ++segments_.back().calls;
    return true;
}

bool SharedProgram::encode(const Action& action, Code& code) {
    if (has_peer(action)) {
        const RankView view = definitions_.view(action.envelope.comm, *rank_);
        if (follows_rank_) distances_[action.envelope.comm] = view.rank - *rank_;
        if (peers_ != PeerEncoding::relative && action.envelope.peer >= view.size) return false;
        const u64 peer = encode_peer(action.envelope.peer, view.rank);
        code[0] = encode_relative_peer(peer, peers_, view.rank, view.size);
    } else if (has_sizes(action)) {
        const CollectivePart& part = action.part;
        FoldedSizes folded;
        if (!fold_sizes(static_cast<u64>(part.kind), part.root,
                        definitions_.view(part.comm, *rank_), {part.sent, part.received}, folded)) {
            return false;
        }
        code = {folded.payload, folded.residual};
    }
    return true;
}

bool SharedProgram::fits(TraceFile& file, u32 location) const {
    const std::optional<u32> rank = rank_of(definitions_, location);
    if (!rank) return false;
    for (const auto& [comm, distance] : distances_) {
        if (definitions_.view(comm, *rank).rank - *rank != distance) return false;
    }
    const MappingTables tables = file.mapping_tables(location);
    return std::ranges::all_of(ids_, [&tables](const auto& used) {
        return tables.global(used.first.first, used.first.second) == used.second;
    });
}

bool SharedCalls::next(MpiCall& call) {
    if (segment_ == program_->segments_.size()) return false;
    const SharedProgram::Segment& segment = program_->segments_[segment_];
    const SharedProgram::Call& shared = program_->calls_[segment.first + place_];
    const std::span<const Action> actions{program_->actions_.data() + shared.first_action,
                                          shared.actions};
    call = {};
    call.function = shared.function;
    call.family = shared.family;
    call.by_records = shared.by_records;
    call.region = shared.region;
    call.index = count_++;
    const u64 step = shared.has_requests ? passed_ * segment.request_step : 0;
    if (step == 0 && !shared.depends_on_rank) {
        call.actions = actions;
    } else {
        actions_.assign(actions.begin(), actions.end());
        for (std::size_t i = 0; i < actions_.size(); ++i) {
            if (actions_[i].request != kNoRequest) actions_[i].request += step;
            adapt(actions_[i], program_->codes_[shared.first_action + i]);
        }
        call.actions = actions_;
    }
    if (++place_ == segment.calls) {
        place_ = 0;
        end_iterations(1);
    }
    return true;
}

void SharedCalls::adapt(Action& action, const SharedProgram::Code& code) const {
    if (has_peer(action)) {
        const RankView view = program_->definitions_.view(action.envelope.comm, rank_);
        const u64 peer = relative_peer(code[0], program_->peers_, view.rank, view.size);
        action.envelope.peer = static_cast<u32>(decode_peer(peer, view.rank));
    } else if (has_sizes(action)) {
        CollectivePart& part = action.part;
        const CollectiveSizes sizes =
            unfold_sizes(static_cast<u64>(part.kind), part.root,
                         program_->definitions_.view(part.comm, rank_), {code[0], code[1]});
        part.sent = sizes.sent;
        part.received = sizes.received;
    }
}

void SharedCalls::end_iterations(u64 iterations) {
    passed_ += iterations;
    if (place_ != 0 || passed_ < program_->segments_[segment_].iterations) return;
    passed_ = 0;
    ++segment_;
}

ComingIterations SharedCalls::coming_iterations() const {
    if (passed_ == 0) return {};
    const SharedProgram::Segment& segment = program_->segments_[segment_];
    if (!segment.is_offered) return {};
    return {segment.iterations - passed_ - (place_ == 0 ? 0 : 1), segment.calls, place_};
}

void SharedCalls::leave_out(u64 iterations) {
    count_ += iterations * program_->segments_[segment_].calls;
    end_iterations(iterations);
}

}  // namespace tracefold
