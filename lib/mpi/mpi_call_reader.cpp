// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/mpi_call_reader.hpp"

#include "base/error.hpp"
#include "file/record_counts.hpp"
#include "file/recording_gaps.hpp"
#include "file/region_nesting.hpp"
#include "mpi/calls/action_reader.hpp"
#include "mpi/calls/paired_requests.hpp"
#include "mpi/calls/unrecorded_requests.hpp"
#include "mpi/recorded_function.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace tracefold {

namespace {

bool is_collective_part(const Action& action) {
    return action.kind == Action::Kind::collective || action.kind == Action::Kind::post_collective;
}

/// True if windows are used, beyond creation and free.
bool uses_windows(const Structure& structure) {
    return records_any(
        structure, {EventType::RmaPut, EventType::RmaGet, EventType::RmaAtomic, EventType::RmaSync,
                    EventType::RmaGroupSync, EventType::RmaWaitChange, EventType::RmaCollectiveEnd,
                    EventType::RmaAcquireLock, EventType::RmaRequestLock});
}

/// True if the recorder records probed messages (OTF2 3.2).
bool records_probes(const Structure& structure) {
    return records_any(structure, {EventType::MpiProbe});
}

}  // namespace

/// Walks the records of a location and splits them into MPI calls.
struct MpiCallReader::State {
    using Kind = ElementRecipe::Kind;

    State(TraceFile& trace, u32 location, Times times)
        : file(trace),
          stream(trace, location, times),
          recipes(trace, stream.tables()),
          actions_of(trace, stream) {}

    bool next(MpiCall& call) {
        actions.clear();
        places.clear();
        open.clear();
        in_call = false;
        repeated_call = {};
        if (repeated && repeated->are_left()) return repeat(call);
        while (true) {
            if (record == stream.records().size()) {
                if (repeated && !in_call && repeated->at_turn()) return repeat(call);
                if (!next_symbol()) break;
            }
            if (record == 0 && recipe->is_call && !in_call && ends_in_symbol()) {
                take_call(call);
                return finish_read(call);
            }
            if (recipe->is_nothing && !stream.changes_task()) {
                record = stream.records().size();
            } else if (take_record(call)) {
                return finish_read(call);
            }
        }
        // The program ended within a call.
        if (!in_call) return false;
        judge(call);
        finish(call, actions);
        return true;
    }

    /// False at the end.
    bool next_symbol() {
        record = 0;
        if (!stream.next()) return false;
        ++symbols;
        recipe = &recipes[stream.symbol_id()];
        if (repeated) repeated->note_symbol();
        return true;
    }

    /// Turns the current record into an action.
    void read_action(const ElementRecipe& element) {
        if (element.kind == Kind::metric) return read_metric();
        const std::size_t before = actions.size();
        actions_of.append(record, element, actions);
        if (repeated && actions.size() != before) places.push_back(repeated->place_of(record));
    }

    void read_metric() {
        const u64 told = actions_of.size_told_by(record);
        if (told != kNoMetric) metric = told;
    }

    void begin_call(MpiCall& call) {
        metric = kNoMetric;
        position = symbols - 1;
        call.begin = stream.records()[record].time;
        if (repeated) extent.begin = repeated->place_of(record);
        end_call(call);
    }

    /// The call may continue.
    void end_call(MpiCall& call) {
        call.end = stream.records()[record].time;
        if (repeated) extent.end = repeated->place_of(record);
    }

    /// A symbol that is one whole call.
    void take_call(MpiCall& call) {
        const ElementRecipe& first = recipe->elements.front();
        const std::size_t last = stream.records().size() - 1;
        call.function = first.info.function;
        call.family = first.info.family;
        call.region = first.region;
        begin_call(call);
        for (record = 1; record < last; ++record) {
            const ElementRecipe& element = recipe->elements[stream.element_number(record)];
            if (element.kind != Kind::nothing) read_action(element);
        }
        end_call(call);
        ++record;
    }

    /// False if a task of the location is within an MPI call after the symbol.
    [[nodiscard]] bool ends_in_symbol() const {
        return stream.simply_nests() || !stream.in_mpi_call(stream.records().size() - 1);
    }

    /// True at the last record of a call.
    bool take_record(MpiCall& call) {
        const ElementRecipe& element = recipe->elements[stream.element_number(record)];
        const bool was_in_call = std::exchange(in_call, is_in_call(element));
        const bool ends = was_in_call && !in_call;
        switch (element.kind) {
            case Kind::nothing:
            case Kind::leave:
                if (ends) end_call(call);
                break;
            case Kind::metric:
                if (in_call) read_metric();
                break;
            case Kind::enter:
                if (was_in_call || !in_call) break;
                call.function = element.info.function;
                call.family = element.info.family;
                call.region = element.region;
                begin_call(call);
                break;
            case Kind::traffic:
            case Kind::completions:
                if (!in_call) return take_alone(element, call);
                read_action(element);
                end_call(call);
        }
        ++record;
        return ends;
    }

    /// True if the location is within an MPI call after the record.
    bool is_in_call(const ElementRecipe& element) {
        if (!stream.simply_nests()) return stream.in_mpi_call(record);
        if (element.kind == Kind::enter && (in_call || element.is_mpi)) {
            open.enter({element.region}, element.is_mpi);
        } else if (element.kind == Kind::leave) {
            open.leave(stream.region(record).id);
        }
        return !open.empty();
    }

    /// Records outside of any MPI region: one call each, consecutive completions together. False
    /// for records of other paradigms.
    bool take_alone(const ElementRecipe& element, MpiCall& call) {
        const u32 number = stream.element_number(record);
        call.region = kNone;
        begin_call(call);
        do {
            end_call(call);
            read_action(element);
            ++record;
        } while (element.kind == Kind::completions && record < stream.records().size() &&
                 stream.element_number(record) == number);
        if (actions.empty() || only_mentions_window()) return false;
        const MpiFunctionInfo info = function_of_records(actions);
        call.function = info.function;
        call.family = info.family;
        return true;
    }

    /// TAU writes a window record on every thread. Drops the record if no window is used.
    bool only_mentions_window() {
        const EventType type = actions.front().type;
        if (type != EventType::RmaWinCreate && type != EventType::RmaWinDestroy) return false;
        if (uses_windows(file.structure())) return false;
        actions.clear();
        places.clear();
        return true;
    }

    bool repeat(MpiCall& call) {
        const RepeatedCall place = repeated->place();
        if (!patch) repeated_call = place;
        if (place.iteration != unchanged.iteration) unchanged = {place.iteration, 0, place.calls};
        const bool is_patched = patch && patch->has_more();
        repeated->next(call);
        if (patch) actions.assign(call.actions.begin(), call.actions.end());
        const bool is_unchanged = finish(call, call.actions) && !is_patched;
        unchanged.place = is_unchanged ? unchanged.place + 1 : 0;
        return true;
    }

    bool finish_read(MpiCall& call) {
        judge(call);
        if (is_collective(call.family) && std::ranges::none_of(actions, is_collective_part)) {
            add_unrecorded(call);
        }
        if (repeated) repeated->note_call(call, extent, actions, places);
        finish(call, actions);
        return true;
    }

    /// The records of a call take precedence over its function's name.
    void judge(MpiCall& call) {
        call.by_records = call.region != kNone && !explains(call.family, actions);
        if (!call.by_records) return;
        const MpiFunctionInfo info = function_of_records(actions);
        if (info.function != MpiFunction::other) call.function = info.function;
        call.family = info.family;
    }

    /// Some recorders record only the name of a collective.
    void add_unrecorded(const MpiCall& call) {
        actions.push_back(
            actions_of.unrecorded_collective({call.function, call.family}, metric, call.end));
        if (repeated) places.push_back(extent.end);
    }

    /// True unless the call depends on calls outside its iteration.
    bool finish(MpiCall& call, std::span<const Action> own_actions) {
        const bool is_concerned = unrecorded.concerns(call, own_actions);
        if (is_concerned) {
            repeated_call = {};
            if (own_actions.data() != actions.data()) {
                actions.assign(own_actions.begin(), own_actions.end());
            }
            unrecorded.apply(call, actions);
            own_actions = actions;
        }
        call.index = count++;
        const bool is_paired = pairs && PairedRequests::concerns(call, own_actions);
        if (is_paired) pairs->apply(call, actions);  // a patch: `actions` are its own
        call.patch_effect = MpiCall::PatchEffect::as_recorded;
        call.inferred = {};
        call.found = false;
        call.unreceived = false;
        call.dropped = false;
        if (patch) patch->apply(call, actions);
        const bool is_bare = patch ? actions.empty() : own_actions.empty();
        const bool is_asked = asks_probes && call.family == CallFamily::probe && is_bare;
        if (is_asked) look(call);
        // Patches change the actions, and may leave some out.
        call.actions = patch ? std::span<const Action>(actions) : own_actions;
        return !is_concerned && !is_paired && !is_asked;
    }

    void apply(const ReplayPatch& known) {
        inferred = &known;
        patch.emplace(known);
        if (!known.pairs) return;
        auto ahead = std::make_shared<MpiCallReader>(file, stream.location(), Times::skip);
        pairs.emplace([ahead](MpiCall& call) { return ahead->next(call); }, known.drops);
    }

    /// A probe without a record. Few programs have any, so the detector is created on demand.
    void look(MpiCall& probe) {
        repeated_call = {};
        if (!probes_are_recorded) probes_are_recorded = records_probes(file.structure());
        // A probe without a record then found no message.
        if (*probes_are_recorded) return;
        if (!scout) {
            auto ahead = std::make_shared<MpiCallReader>(file, stream.location(), Times::skip);
            if (inferred != nullptr) ahead->state_->patch.emplace(*inferred);
            scout.emplace([ahead](MpiCall& call) { return ahead->next(call); });
        }
        const bool outside = probe.patch_effect == MpiCall::PatchEffect::outside;
        scout->look(probe);
        if (outside) probe.patch_effect = MpiCall::PatchEffect::outside;
    }

    void read_pace(MpiCall& call) {
        MpiCall same;
        paced->next(same);
        call.paced_begin = same.begin;
        call.paced_end = same.end;
    }

    TraceFile& file;
    CallReader stream;
    CallRecipes recipes;
    ActionReader actions_of;
    const CallRecipe* recipe = nullptr;
    std::size_t record = 0;        ///< index in the stream's symbol
    bool in_call = false;          ///< a call has begun and not ended
    RegionStack<OpenRegion> open;  ///< its open regions if the location simply nests
    std::vector<Action> actions;
    u64 symbols = 0;   ///< read so far
    u64 position = 0;  ///< first symbol of the current call
    std::optional<RepeatedCalls> repeated;
    RepeatedCall repeated_call;    ///< place of the last call
    RepeatedCall unchanged;        ///< consecutive unchanged calls of the current loop
    std::vector<u64> places;       ///< of the actions, for `repeated`
    RepeatedCalls::Extent extent;  ///< of the call, for `repeated`
    u64 metric = kNoMetric;        ///< size metric of the current call
    UnrecordedRequests unrecorded;
    std::optional<PairedRequests> pairs;
    u64 count = 0;
    std::optional<PatchCursor> patch;
    const ReplayPatch* inferred = nullptr;
    bool asks_probes = false;
    std::optional<bool> probes_are_recorded;  ///< in the trace; set on first use
    std::optional<ProbeDetector> scout;
    std::unique_ptr<MpiCallReader> paced;  ///< the same calls at other times
};

MpiCallReader::MpiCallReader(TraceFile& file, u32 location, Times times)
    : state_(std::make_unique<State>(file, location, times)) {}
MpiCallReader::~MpiCallReader() = default;
MpiCallReader::MpiCallReader(MpiCallReader&&) noexcept = default;
MpiCallReader& MpiCallReader::operator=(MpiCallReader&&) noexcept = default;

void MpiCallReader::infer(const ReplayPatch* patch) {
    state_->asks_probes = true;
    if (patch == nullptr) return;
    state_->apply(*patch);
}

void MpiCallReader::recall(const ReplayPatch& patch) { state_->apply(patch); }

void MpiCallReader::remember_loops(std::size_t most_calls) {
    // What a Leave ends may differ from iteration to iteration.
    if (state_->stream.simply_nests()) state_->repeated.emplace(state_->stream, most_calls);
}

void MpiCallReader::pace(Times times) {
    if (times == Times::read || times == Times::skip) return;
    state_->paced = std::make_unique<MpiCallReader>(state_->file, location(), times);
}

void MpiCallReader::note_ids(UsedIds& ids) { state_->actions_of.note_ids(ids); }

bool MpiCallReader::next(MpiCall& call) {
    if (!state_->next(call)) return false;
    call.paced_begin = call.begin;
    call.paced_end = call.end;
    if (state_->paced) state_->read_pace(call);
    return true;
}

u64 MpiCallReader::position() const { return state_->position; }

RepeatedCall MpiCallReader::repeated() const { return state_->repeated_call; }

const RepeatedCalls& MpiCallReader::repeated_calls() const { return *state_->repeated; }

RepeatedCall MpiCallReader::coming() const {
    if (!state_->repeated || state_->patch || !state_->repeated->are_left()) return {};
    const RepeatedCall place = state_->repeated->place();
    return place.place == 0 ? place : RepeatedCall{};
}

RepeatedCalls::Iteration MpiCallReader::next_iteration() {
    const RepeatedCalls::Iteration iteration = state_->repeated->next_iteration();
    state_->count += iteration.calls.size();
    return iteration;
}

ComingIterations MpiCallReader::coming_iterations() const {
    if (!state_->repeated || !state_->repeated->are_left() || !state_->repeated->is_outermost())
        return {};
    const RepeatedCall next = state_->repeated->place();
    const RepeatedCall& last = state_->unchanged;
    if (next.iteration != last.iteration || last.place < last.calls) return {};
    return {state_->repeated->left() - (next.place == 0 ? 0 : 1), next.calls, next.place};
}

u64 MpiCallReader::calls() const { return state_->count; }

void MpiCallReader::leave_out(u64 iterations) {
    state_->count += iterations * state_->repeated->place().calls;
    state_->repeated->leave_out(iterations);
}

void MpiCallReader::read_extents(u64* times) { state_->repeated->read_extents(times); }

u32 MpiCallReader::location() const { return state_->stream.location(); }

void require_ranks(TraceFile& file, std::string_view purpose) {
    if (file.definitions().world_size() != 0) return;
    throw Error(ErrorKind::unsupported, "the trace has no MPI ranks, and " + std::string(purpose) +
                                            " covers only MPI ranks");
}

void require_all_ranks(TraceFile& file, std::string_view purpose) {
    require_ranks(file, purpose);
    const std::string silent = silent_ranks(recording_gaps(file));
    if (silent.empty()) return;
    throw Error(ErrorKind::unsupported, "{}, and {} needs those of all", silent, purpose);
}

namespace {

/// Summary of the calls of MPI in a location's script.
struct Calls {
    bool any = false;
    bool init = false;
    bool matched_receive = false;
    bool lacks_collective = false;
    bool finalize = false;
    bool bare_creation = false;  ///< creation of a communicator without a record
    bool bare_request = false;   ///< a non-blocking message without a request
};

bool is_part(const Element& element) {
    return element.type == static_cast<u8>(EventType::MpiCollectiveEnd) ||
           element.type == static_cast<u8>(EventType::NonBlockingCollectiveRequest);
}

bool is_blocking(const Element& element) {
    return element.type == static_cast<u8>(EventType::MpiSend) ||
           element.type == static_cast<u8>(EventType::MpiRecv);
}

bool enters_collective(const ElementRecipe& element) {
    return element.kind == ElementRecipe::Kind::enter && is_collective(element.info.family);
}

/// Adds the calls of one symbol. A call may span several symbols, which is harmless.
void add_symbol(const Symbol& symbol, const CallRecipe& recipe, Calls& calls) {
    const bool has_part = std::ranges::any_of(symbol.elements, is_part);
    bool creates = false;
    bool records = false;
    bool posts_or_waits = false;
    for (const ElementRecipe& element : recipe.elements) {
        calls.lacks_collective =
            calls.lacks_collective || (!has_part && enters_collective(element));
        records = records || element.kind == ElementRecipe::Kind::traffic;
        calls.any = calls.any || element.is_mpi;
        if (!element.is_mpi) continue;
        const CallFamily family = element.info.family;
        calls.init = calls.init || family == CallFamily::init;
        calls.finalize = calls.finalize || family == CallFamily::finalize;
        calls.matched_receive = calls.matched_receive || family == CallFamily::matched_receive;
        creates = creates || family == CallFamily::comm_create;
        posts_or_waits =
            posts_or_waits || family == CallFamily::post_send || family == CallFamily::completion;
    }
    calls.bare_creation = calls.bare_creation || (creates && !records);
    calls.bare_request =
        calls.bare_request || (posts_or_waits && std::ranges::any_of(symbol.elements, is_blocking));
}

/// Odd: an id known to its location only.
bool names_global_regions(const Symbol& symbol) {
    return std::ranges::none_of(symbol.elements, [](const Element& element) {
        return (is_enter(element.type) || is_leave(element.type)) && (element.context & 1U) != 0;
    });
}

/// `known`: the symbols that need not be looked at, or null; adds those that name global regions.
Calls calls_of(TraceFile& file, u32 location, std::vector<bool>* known = nullptr) {
    Calls calls;
    const u32 script = file.index().script(Stream::events, location);
    if (script == kNone) return calls;
    std::optional<MappingTables> tables;
    std::optional<CallRecipes> recipes;
    for (const u32 symbol : file.structure().scripts[script].symbols) {
        const Symbol& content = file.structure().symbols[symbol];
        if (known != nullptr) {
            if ((*known)[symbol]) continue;
            (*known)[symbol] = names_global_regions(content);
        }
        if (!recipes) recipes.emplace(file, tables.emplace(file.mapping_tables(location)));
        add_symbol(content, (*recipes)[symbol], calls);
    }
    return calls;
}

bool any_location_has(TraceFile& file, bool Calls::*what) {
    std::vector<bool> known(file.structure().symbols.size());
    for (u32 location = 0; location < file.location_count(); ++location) {
        if (calls_of(file, location, &known).*what) return true;
    }
    return false;
}

}  // namespace

std::vector<u32> mpi_locations(TraceFile& file, u32 world_rank) {
    const DefinitionIndex& definitions = file.definitions();
    const std::span<const u32> all = definitions.locations_of_rank(world_rank);
    if (all.empty()) {
        throw Error(
            ErrorKind::corrupt,
            "MPI rank " + std::to_string(world_rank) + " is " +
                definitions.definition_of_rank(world_rank) +
                ", for which the trace defines no location: the calls of this rank are unknown");
    }
    if (all.size() == 1) return {all.front()};
    std::vector<u32> found;
    std::vector<u32> others;
    for (const u32 location : all) {
        const Calls calls = calls_of(file, location);
        const bool stands = location == all.front() && !definitions.ranks_are_groups();
        if (calls.init || stands) {
            found.insert(calls.init ? found.begin() : found.end(), location);
        } else if (calls.any) {
            others.push_back(location);
        }
    }
    found.insert(found.end(), others.begin(), others.end());
    if (found.empty()) found.push_back(all.front());
    return found;
}

bool has_matched_receives(TraceFile& file) {
    return any_location_has(file, &Calls::matched_receive);
}

bool may_lack_collectives(TraceFile& file) {
    return any_location_has(file, &Calls::lacks_collective);
}

bool misses_creations(TraceFile& file) { return any_location_has(file, &Calls::bare_creation); }

bool misses_requests(TraceFile& file) { return any_location_has(file, &Calls::bare_request); }

RunEnds run_ends(TraceFile& file, u32 location) {
    const Calls calls = calls_of(file, location);
    return {calls.init, calls.finalize};
}

bool calls_mpi_from_threads(TraceFile& file) {
    for (u32 rank = 0; rank < file.definitions().world_size(); ++rank) {
        if (file.definitions().locations_of_rank(rank).empty()) continue;
        if (mpi_locations(file, rank).size() > 1) return true;
    }
    return false;
}

}  // namespace tracefold
