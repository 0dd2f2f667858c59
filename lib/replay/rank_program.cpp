// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/rank_program.hpp"

#include "replay/action_reader.hpp"
#include "replay/call_recipes.hpp"
#include "replay/probe_scout.hpp"

#include <algorithm>
#include <optional>

namespace tracefold {

namespace {

constexpr MpiFunction kCollectives[] = {MpiFunction::Barrier,
                                        MpiFunction::Bcast,
                                        MpiFunction::Gather,
                                        MpiFunction::Gatherv,
                                        MpiFunction::Scatter,
                                        MpiFunction::Scatterv,
                                        MpiFunction::Allgather,
                                        MpiFunction::Allgatherv,
                                        MpiFunction::Alltoall,
                                        MpiFunction::Alltoallv,
                                        MpiFunction::Alltoallw,
                                        MpiFunction::Allreduce,
                                        MpiFunction::Reduce,
                                        MpiFunction::Reduce_scatter,
                                        MpiFunction::Scan,
                                        MpiFunction::Exscan,
                                        MpiFunction::Reduce_scatter_block};

/// The call that an action belongs to where no region tells.
MpiFunctionInfo caller_of(const Action& action) {
    switch (action.kind) {
        case Action::Kind::send:
            if (action.request == kNoRequest) return {MpiFunction::Send, CallFamily::send};
            return {MpiFunction::Isend, CallFamily::post_send};
        case Action::Kind::receive:
            return {MpiFunction::Recv, CallFamily::receive};
        case Action::Kind::post_receive:
            return {MpiFunction::Irecv, CallFamily::post_receive};
        case Action::Kind::complete_send:
        case Action::Kind::complete_receive:
        case Action::Kind::complete_collective:
        case Action::Kind::cancelled:
            return {MpiFunction::Waitall, CallFamily::completion};
        case Action::Kind::tested:
            return {MpiFunction::Test, CallFamily::completion};
        case Action::Kind::collective:
            if (action.part.operation < std::size(kCollectives)) {
                return {kCollectives[action.part.operation], CallFamily::collective};
            }
            break;
        default:
            break;
    }
    return {MpiFunction::other, CallFamily::unsupported};
}

}  // namespace

/// Walks the records of a location and cuts them into MPI calls.
struct RankProgram::State {
    using Kind = ElementRecipe::Kind;

    State(TraceFile& trace, u32 location, Times times)
        : file(trace),
          stream(trace, location, times),
          recipes(trace, stream.tables()),
          actions_of(trace, stream) {}

    bool next(Operation& operation) {
        actions.clear();
        open.clear();
        while (record < stream.records().size() || next_symbol()) {
            if (record == 0 && recipe->is_call && open.empty()) {
                take_call(operation);
                return finish(operation);
            }
            if (take_record(operation)) return finish(operation);
        }
        // A program that ended within a call.
        return !open.empty() && finish(operation);
    }

    /// Goes on to a symbol that matters; false at the end.
    bool next_symbol() {
        do {
            record = 0;
            if (!stream.next()) return false;
            recipe = &recipes[stream.symbol_id()];
        } while (recipe->is_nothing);
        return true;
    }

    /// A symbol that is one call, from its first record to its last one.
    void take_call(Operation& operation) {
        loop = stream.loop();
        const RecordBatch& records = stream.records();
        const ElementRecipe& first = recipe->elements.front();
        const std::size_t last = records.size() - 1;
        operation.function = first.info.function;
        operation.family = first.info.family;
        operation.region = first.region;
        operation.begin = records[0].time;
        operation.end = records[last].time;
        for (record = 1; record < last; ++record) {
            const ElementRecipe& element = recipe->elements[stream.element_number(record)];
            if (element.kind != Kind::nothing) actions_of.append(record, element, actions);
        }
        record = last + 1;
    }

    /// True if the record was the last of a call.
    bool take_record(Operation& operation) {
        const ElementRecipe& element = recipe->elements[stream.element_number(record)];
        const u64 time = stream.records()[record].time;
        switch (element.kind) {
            case Kind::nothing:
                break;
            case Kind::enter:
                enter(element, time, operation);
                break;
            case Kind::leave:
                if (leave(element)) {
                    operation.end = time;
                    ++record;
                    return true;
                }
                break;
            case Kind::traffic:
            case Kind::completions:
                if (open.empty()) return take_alone(element, operation);
                actions_of.append(record, element, actions);
                operation.end = time;
        }
        ++record;
        return false;
    }

    void enter(const ElementRecipe& element, u64 time, Operation& operation) {
        if (open.empty()) {
            if (!element.is_mpi) return;
            loop = stream.loop();
            operation.function = element.info.function;
            operation.family = element.info.family;
            operation.region = element.region;
            operation.begin = time;
            operation.end = time;
        }
        open.push_back(element.region);
    }

    /// True if this leaves the call. A region that was left without a record does no harm.
    bool leave(const ElementRecipe& element) {
        const auto found = std::find(open.rbegin(), open.rend(), element.region);
        if (found != open.rend()) open.erase(std::next(found).base(), open.end());
        return found != open.rend() && open.empty();
    }

    /// Records outside of any MPI region: one call each, completions in a row together. False if
    /// they are not MPI's.
    bool take_alone(const ElementRecipe& element, Operation& operation) {
        const u32 number = stream.element_number(record);
        loop = stream.loop();
        operation.region = kNone;
        operation.begin = stream.records()[record].time;
        do {
            operation.end = stream.records()[record].time;
            actions_of.append(record++, element, actions);
        } while (element.kind == Kind::completions && record < stream.records().size() &&
                 stream.element_number(record) == number);
        if (actions.empty()) return false;
        const MpiFunctionInfo caller = caller_of(actions.front());
        operation.function = caller.function;
        operation.family = caller.family;
        return true;
    }

    bool finish(Operation& operation) {
        operation.index = count++;
        operation.treatment = Operation::Treatment::as_recorded;
        operation.inferred = {};
        operation.found = false;
        operation.unreceived = false;
        operation.dropped = false;
        if (inference) inference->apply(operation, actions);
        if (asks_probes && operation.family == CallFamily::probe) look(operation);
        operation.actions = actions;
        return true;
    }

    /// Few programs probe, so the scout is sent out when it is needed.
    void look(Operation& probe) {
        if (!scout) {
            auto ahead = std::make_shared<RankProgram>(file, stream.location(), Times::skip);
            if (inference) ahead->state_->inference = first_inference;
            scout.emplace([ahead](Operation& operation) { return ahead->next(operation); });
        }
        const bool outside = probe.treatment == Operation::Treatment::outside;
        scout->look(probe);
        if (outside) probe.treatment = Operation::Treatment::outside;
    }

    TraceFile& file;
    CallStream stream;
    CallRecipes recipes;
    ActionReader actions_of;
    const CallRecipe* recipe = nullptr;
    std::size_t record = 0;  ///< the next one of the stream's symbol
    std::vector<u32> open;   ///< regions that the call at hand is in, itself first
    std::vector<Action> actions;
    OutermostLoop loop;  ///< that the call at hand began in
    u64 count = 0;
    std::optional<InferenceCursor> inference;
    std::optional<InferenceCursor> first_inference;  ///< as it was at the start
    bool asks_probes = false;
    std::optional<ProbeScout> scout;
};

RankProgram::RankProgram(TraceFile& file, u32 location, Times times)
    : state_(std::make_unique<State>(file, location, times)) {}
RankProgram::~RankProgram() = default;
RankProgram::RankProgram(RankProgram&&) noexcept = default;
RankProgram& RankProgram::operator=(RankProgram&&) noexcept = default;

void RankProgram::infer(const LocationInference* inference) {
    state_->asks_probes = true;
    if (inference == nullptr) return;
    state_->inference.emplace(*inference);
    state_->first_inference = state_->inference;
}

bool RankProgram::next(Operation& operation) { return state_->next(operation); }

OutermostLoop RankProgram::loop() const { return state_->loop; }

u32 RankProgram::location() const { return state_->stream.location(); }

}  // namespace tracefold
