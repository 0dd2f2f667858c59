// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/program_steps.hpp"

#include "base/parallel.hpp"
#include "file/call_reader.hpp"
#include "file/location_blocks.hpp"
#include "file/region_stack.hpp"
#include "fold/structure_index.hpp"
#include "model/record_kinds.hpp"
#include "mpi/mpi_call_reader.hpp"
#include "mpi/step_computation.hpp"
#include "mpi/steps/loop_steps.hpp"
#include "mpi/steps/step_messages.hpp"
#include "mpi/steps/step_search.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <vector>

#include <fmt/core.h>

namespace tracefold {

void LocationSteps::begin(u64 call) {
    const u64 step = count_++;
    if (!runs_.empty() && runs_.back().end == kOpen) {
        Run& last = runs_.back();
        const u64 calls = call - (last.first + (last.count - 1) * last.calls);
        if (last.count == 1) last.calls = calls;
        if (last.calls == calls) {
            ++last.count;
            return;
        }
    }
    runs_.push_back({step, call});
}

LocationSteps::Calls LocationSteps::calls(u64 step) const {
    const auto behind = std::upper_bound(runs_.begin(), runs_.end(), step,
                                         [](u64 one, const Run& run) { return one < run.step; });
    const Run& run = behind[-1];
    const u64 first = run.first + (step - run.step) * run.calls;
    return {first, step + 1 < run.step + run.count ? first + run.calls : end_of(run)};
}

u64 LocationSteps::step_from(u64 call) const {
    const auto behind = std::upper_bound(runs_.begin(), runs_.end(), call,
                                         [](u64 one, const Run& run) { return one < run.first; });
    if (behind == runs_.begin()) return 0;
    const Run& run = behind[-1];
    if (call >= end_of(run)) return run.step + run.count;
    const u64 more = run.calls == 0 ? run.count - 1 : (call - run.first) / run.calls;
    return run.step + std::min(more, run.count - 1);
}

std::optional<u64> LocationSteps::step_of(u64 call) const {
    const u64 step = step_from(call);
    if (step >= count_ || call < calls(step).first) return {};
    return step;
}

StepCounter::StepCounter(const LocationSteps* steps)
    : steps_(steps), change_(steps == nullptr || steps->count() == 0 ? ~u64{0} : 0) {}

void StepCounter::find() {
    const u64 step = steps_->step_from(call_);
    if (step == steps_->count()) {
        step_.reset();
        change_ = ~u64{0};
        return;
    }
    const LocationSteps::Calls calls = steps_->calls(step);
    const bool within = call_ >= calls.first;
    step_ = within ? std::optional(step) : std::nullopt;
    change_ = within ? calls.end : calls.first;
}

namespace {

constexpr OperationLimits kMost = {64'000'000, 16'000'000};

/// The border between two operations of a rank.
StepBorder border_at(const Operations::Rank& rank, u32 place) {
    const u64 behind = place == 0 ? 0 : u64{rank.operations[place - 1].call} + 1;
    const bool last = place == rank.operations.size();
    return {behind, last ? rank.calls : rank.operations[place].call, false};
}

std::vector<StepBorder> borders_of(const Operations::Rank& own, const std::vector<Cut>& cuts,
                                   u32 rank) {
    std::vector<StepBorder> borders;
    for (const Cut& cut : cuts) borders.push_back(border_at(own, cut[rank]));
    borders.back().ends = true;
    return borders;
}

/// False if most ranks have no operation in the steps.
bool place(TraceFile& file, const Operations& all, const std::vector<Cut>& cuts, u32 threads,
           ProgramSteps& found) {
    found.locations.resize(file.location_count());
    std::vector<u32> busy;
    for (u32 rank = 0; rank < all.ranks.size(); ++rank) {
        const bool idle =
            all.ranks[rank].location == kNone || cuts.front()[rank] == cuts.back()[rank];
        if (!idle) busy.push_back(rank);
    }
    run_each(threads, busy.size(), [&](u32 i) {
        const Operations::Rank& rank = all.ranks[busy[i]];
        found.locations[rank.location] =
            place_steps(file, rank.location, borders_of(rank, cuts, busy[i]));
    });
    return busy.size() * 2 > all.ranks.size();
}

std::optional<StepIterations> iterations_within(TraceFile& file, const StepSearch& search,
                                                const RepeatedSteps& steps) {
    const auto all = search.find_within(steps);
    if (!all) return std::nullopt;
    const Operations::Rank& rank = search.operations().ranks[search.reference()];
    StepIterations found;
    found.location = rank.location;
    found.steps = all->size();
    found.fewest = all->front().begins.size();
    std::vector<StepBorder> borders;
    for (const RepeatedSteps& within : *all) {
        found.fewest = std::min<u64>(found.fewest, within.begins.size());
        found.most = std::max<u64>(found.most, within.begins.size());
        for (const u32 begin : within.begins) {
            borders.push_back(border_at(rank, search.place(begin)));
        }
        borders.push_back(border_at(rank, search.place(within.end)));
        borders.back().ends = true;
    }
    found.iterations = place_steps(file, found.location, borders);
    return found;
}

/// Of steps that come in groups of so many: the usual number of the first, second, ... in a group,
/// the most of these divided by the least.
double spread_of(const std::vector<u64>& all, u64 every) {
    std::vector<std::vector<u64>> outside(every);  // by step after an exchange
    for (std::size_t step = 0; step < all.size(); ++step)
        outside[step % every].push_back(all[step]);
    u64 least = ~u64{0};
    u64 most = 0;
    for (std::vector<u64>& of_steps : outside) {
        if (of_steps.empty()) continue;
        const u64 usual = UsualNumber(std::move(of_steps)).median();
        least = std::min(least, usual);
        most = std::max(most, usual);
    }
    return static_cast<double>(most) / static_cast<double>(std::max<u64>(least, 1));
}

/// Whether a region of the program is entered once in each step.
bool have_region(TraceFile& file, const ProgramSteps& steps) {
    const auto region = find_step_region(file, steps);
    return region && region->is_step;
}

/// Takes the steps of equal groups of collectives instead, or notes their number.
void consider_groups(TraceFile& file, StepSearch& search, const RepeatedSteps& steps, u32 threads,
                     ProgramSteps& found) {
    constexpr u64 kLeastGroups = 3;
    constexpr double kAlike = 1.5;
    constexpr double kMaybeAlike = 3;
    const std::optional<RepeatedSteps> groups = search.groups_in(steps);
    ProgramSteps finer;
    if (!groups || !place(file, search.operations(), search.cuts(*groups), threads, finer)) return;
    finer.count = groups->begins.size();
    finer.exchange_every = (finer.count + found.count - 1) / found.count;
    finer.otherwise = found.count;
    if (have_region(file, found)) return;
    const u32 location = search.operations().ranks[search.reference()].location;
    const bool named = have_region(file, finer);
    if (named) finer.otherwise = 0;
    std::optional<double> spread;
    if (file.summary().timing != TimingLevel::none) {
        spread = spread_of(computation_by_step(file, location, finer.locations[location]),
                           finer.exchange_every);
    }
    if (!spread || *spread <= kMaybeAlike) found.otherwise = finer.count;
    const bool alike = finer.exchange_every >= kLeastGroups && spread && *spread <= kAlike;
    if (!named && !alike) return;
    finer.phases = std::move(found.phases);
    finer.rounds = std::move(found.rounds);
    finer.messages_grow = found.messages_grow;
    found = std::move(finer);
}

/// Whether a location enters regions that are no MPI functions. Cost: its symbols.
bool has_program_regions(TraceFile& file, u32 location) {
    const u32 script = file.index().script(Stream::events, location);
    if (script == kNone) return false;
    const DefinitionIndex& definitions = file.definitions();
    const MappingTables tables = file.mapping_tables(location);
    return std::ranges::any_of(file.structure().scripts[script].symbols, [&](u32 symbol) {
        const auto& elements = file.structure().symbols[symbol].elements;
        return std::ranges::any_of(elements, [&](const Element& element) {
            if (!is_enter(element.type)) return false;
            const FieldKind kind = event_info(element.type).fields[0].kind;
            const u64 id = tables.global_of_code(kind, element.context);
            return !definitions.is_mpi_region(definitions.region_of(kind, id));
        });
    });
}

/// Finds the outermost region of whose visits each contains whole steps, and every step is in one.
class StepVisits {
  public:
    /// `calls`: by step, its first and its last call that communicates.
    StepVisits(TraceFile& file, u32 location, std::vector<std::pair<u64, u64>> calls)
        : calls_(std::move(calls)), reader_(file, location, Times::skip) {}

    /// The steps that are the first ones in a visit; empty if there is no such region. `least`,
    /// `most`: visits.
    std::vector<u32> run(u64 least, u64 most) {
        for (u64 call = 0; step_ < calls_.size() && reader_.next(); ++call) {
            if (call == calls_[step_].first) begin();
            if (call == calls_[step_].second) {
                end();
                ++step_;
            }
            for (std::size_t i = 0; i < reader_.records().size(); ++i) take(i);
        }
        for (const Candidate& it : candidates_) {
            const bool fits = it.firsts.size() >= least && it.firsts.size() <= most;
            if (fits && it.holds && step_ == calls_.size()) return it.firsts;
        }
        return {};
    }

  private:
    struct Candidate {
        u64 region = 0;
        u64 visit = 0;
        bool holds = true;
        std::vector<u32> firsts;
    };
    struct Frame {
        u64 region = 0;
        u64 visit = 0;
    };

    /// Regions of the first step, outermost first, are the candidates.
    void begin() {
        const bool is_first = step_ == 0;
        for (const Frame& frame : open_.open()) {
            if (is_first && find(frame.region) == nullptr) {
                candidates_.push_back({.region = frame.region, .firsts = {}});
            }
        }
        for (Candidate& it : candidates_) {
            const Frame* const own = visit_of(it.region);
            it.holds = it.holds && own != nullptr;
            if (!it.holds || (!is_first && own->visit == it.visit)) continue;
            it.visit = own->visit;
            it.firsts.push_back(step_);
        }
    }
    void end() {
        for (Candidate& it : candidates_) {
            const Frame* const own = visit_of(it.region);
            it.holds = it.holds && own != nullptr && own->visit == it.visit;
        }
    }
    void take(std::size_t record) {
        const u8 type = reader_.records()[record].type;
        if (is_enter(type)) {
            const CallReader::Region region = reader_.region(record);
            open_.enter({region.id, visits_++}, region.is_mpi);
        } else if (is_leave(type)) {
            open_.leave(reader_.region(record).id);
        } else if (const TaskChange* const change = reader_.task_change(record)) {
            change_task(open_, *change, [this](const OpenVisit& visit) {
                open_.enter({visit.region, visits_++}, visit.is_mpi);
            });
        }
    }
    [[nodiscard]] const Candidate* find(u64 region) const {
        const auto found = std::ranges::find(candidates_, region, &Candidate::region);
        return found == candidates_.end() ? nullptr : &*found;
    }
    [[nodiscard]] const Frame* visit_of(u64 region) const {
        const auto found = std::ranges::find(open_.open(), region, &Frame::region);
        return found == open_.open().end() ? nullptr : &*found;
    }

    std::vector<std::pair<u64, u64>> calls_;
    CallReader reader_;
    RegionStack<Frame> open_;
    u64 visits_ = 0;
    u32 step_ = 0;
    std::vector<Candidate> candidates_;
};

/// The steps of a region around several of these steps each; nullopt if there is none, or if a
/// region is entered in each of these.
std::optional<RepeatedSteps> steps_of_region(TraceFile& file, const StepSearch& search,
                                             const RepeatedSteps& steps,
                                             const ProgramSteps& found) {
    constexpr u64 kLeastVisits = 3;
    const Operations::Rank& rank = search.operations().ranks[search.reference()];
    if (!has_program_regions(file, rank.location)) return std::nullopt;
    const auto own = find_step_region(file, rank.location, found.locations[rank.location]);
    if (own && own->is_step) return std::nullopt;
    std::vector<std::pair<u64, u64>> calls;
    for (std::size_t i = 0; i < steps.begins.size(); ++i) {
        const u32 first = search.place(steps.begins[i]);
        const u32 end = search.place(steps.end_of(i));
        if (first >= end) return std::nullopt;
        calls.emplace_back(rank.operations[first].call, rank.operations[end - 1].call);
    }
    const std::vector<u32> firsts = StepVisits(file, rank.location, std::move(calls))
                                        .run(kLeastVisits, steps.begins.size() - 1);
    if (firsts.empty()) return std::nullopt;
    RepeatedSteps coarse{{}, steps.end, steps.occurrences};
    for (const u32 step : firsts) coarse.begins.push_back(steps.begins[step]);
    return coarse;
}

}  // namespace

std::vector<u64> computation_by_step(TraceFile& file, u32 location, const LocationSteps& steps) {
    std::vector<u64> outside(steps.count());
    MpiCallReader calls(file, location);
    std::optional<u64> last;
    for (MpiCall call; calls.next(call); last = call.end) {
        const auto step = steps.step_of(calls.position());
        if (step && last && call.begin > *last) outside[*step] += call.begin - *last;
    }
    return outside;
}

std::string phases_text(const std::vector<u64>& phases) {
    std::string text;
    for (std::size_t i = 0; i < phases.size(); ++i) {
        text += i == 0 ? "" : i + 1 == phases.size() ? " and " : ", ";
        text += std::to_string(phases[i]);
    }
    return text;
}

std::string no_steps_text(const StepsMissing& none) {
    constexpr std::array<std::string_view, 7> kTexts = {
        "no ranks communicate",
        "no message or collective operation is recorded",
        "",  // too_large
        "several threads of a rank communicate",
        "no sequence of equal messages, or of collective operations five times, repeats in half of "
        "the run",
        "messages repeat on one rank, but not on the others",
        "half of the ranks or more take no part in the repetition, or repeat apart from the "
        "others"};
    if (none.why == NoSteps::several_phases) {
        return "phases of " + phases_text(none.phases) +
               " steps follow each other, none with half of the messages";
    }
    if (none.why == NoSteps::too_large) {
        constexpr u64 kMillion = 1'000'000;
        return fmt::format(
            "steps and stencils are not searched in more than {} million events or {} million "
            "operations",
            kMost.events / kMillion, kMost.operations / kMillion);
    }
    return std::string(kTexts[static_cast<std::size_t>(none.why)]);
}

namespace {

/// The least of the largest numbers that are nearly all of the sum.
u64 least_of_most(std::vector<u64> numbers, u64 sum) {
    std::ranges::sort(numbers, std::greater());
    u64 above = 0;
    for (const u64 number : numbers) {
        above += number;
        if (is_nearly_all(above, sum)) return number;
    }
    return 0;
}

/// Steps of a few operations between most of which next to nothing is computed are parts of longer
/// ones: a row of reductions, or of questions and answers. Nullopt if these are not equal.
std::optional<RepeatedSteps> between_computation(TraceFile& file, const StepSearch& search,
                                                 const RepeatedSteps& steps,
                                                 const ProgramSteps& found) {
    constexpr u32 kFewOperations = 16;
    constexpr u64 kLeastSteps = 3;
    constexpr u64 kMostSpread = 4;  // of the long computations: the greatest over the least
    constexpr u64 kMuchLonger = 4;  // than the median
    const u32 operations = search.place(steps.end) - search.place(steps.begins.front());
    const bool are_short = operations <= kFewOperations * steps.begins.size();
    if (!are_short || file.summary().timing == TimingLevel::none) return std::nullopt;
    const u32 location = search.operations().ranks[search.reference()].location;
    const std::vector<u64> computed =
        computation_by_step(file, location, found.locations[location]);
    const u64 all = std::accumulate(computed.begin(), computed.end(), u64{0});
    const u64 least = least_of_most(computed, all) / kMostSpread;
    std::vector<std::size_t> longer;
    for (std::size_t step = 1; step < computed.size(); ++step) {
        // What precedes the first step may be the program's set-up.
        if (computed[step] >= least) longer.push_back(step);
    }
    if (least <= kMuchLonger * UsualNumber(computed).median()) return std::nullopt;
    if (longer.size() + 1 < kLeastSteps) return std::nullopt;
    const std::size_t period = longer.front();
    if (period < 2 || steps.begins.size() != period * (longer.size() + 1)) return std::nullopt;
    RepeatedSteps groups{{}, steps.end, steps.occurrences};
    for (std::size_t i = 0; i <= longer.size(); ++i) {
        if (i != 0 && longer[i - 1] != i * period) return std::nullopt;
        groups.begins.push_back(steps.begins[i * period]);
    }
    return groups;
}

/// Steps by repetition on the rank that sends most. `is_certain`: they are regular on all ranks, or
/// named by a region; or there are several phases.
std::optional<ProgramSteps> steps_of_repetition(TraceFile& file, StepSearch& search,
                                                StepLevels levels, u32 threads,
                                                StepsMissing& missing, bool& is_certain) {
    NoSteps& reason = missing.why;
    std::optional<RepeatedSteps> steps = search.find();
    if (!steps) {
        reason = search.repeats() ? NoSteps::other_ranks : NoSteps::no_repetition;
        is_certain = !search.phases().empty();
        if (is_certain) reason = NoSteps::several_phases;
        missing.phases = search.phases();
        return std::nullopt;
    }
    reason = NoSteps::few_ranks;
    ProgramSteps found;
    std::vector<Cut> cuts;
    const auto is_placed = [&] {
        cuts = search.cuts(*steps);
        found.count = steps->begins.size();
        return place(file, search.operations(), cuts, threads, found);
    };
    found.phases = search.phases();
    if (!is_placed()) return std::nullopt;
    auto longer = steps_of_region(file, search, *steps, found);
    const bool is_of_region = longer.has_value();
    if (!longer) longer = between_computation(file, search, *steps, found);
    if (longer) {
        steps = std::move(longer);
        if (!is_placed()) return std::nullopt;
    }
    is_certain = is_of_region || are_regular(search.operations(), cuts) || have_region(file, found);
    found.rounds = exchange_rounds(search.operations(), cuts);
    found.messages_grow = messages_grow(search.operations(), cuts, search.reference());
    if (levels == StepLevels::two) found.within = iterations_within(file, search, *steps);
    consider_groups(file, search, *steps, threads, found);
    return found;
}

/// The iterations of the main loops on which all ranks agree, if there is nothing better: `other`
/// may be null. Nullopt for a benchmark of message sizes.
std::optional<ProgramSteps> steps_of_loops(TraceFile& file, const StepSearch& search,
                                           StepLevels levels, u32 threads) {
    std::optional<LoopSteps> loops = find_loop_steps(file, search, threads);
    if (!loops || !are_regular(search.operations(), loops->cuts)) return std::nullopt;
    ProgramSteps found;
    found.count = loops->cuts.size() - 1;
    found.messages_grow = messages_grow(search.operations(), loops->cuts, search.reference());
    if (found.messages_grow) return std::nullopt;
    found.rounds = exchange_rounds(search.operations(), loops->cuts);
    found.locations = std::move(loops->locations);
    if (levels == StepLevels::two) {
        found.within = iterations_within(file, search, search.steps_between(loops->cuts));
    }
    return found;
}

/// Computation of all ranks by step.
std::vector<u64> computation_of_ranks(TraceFile& file, const ProgramSteps& steps) {
    std::vector<u64> sums(steps.count);
    for (u32 location = 0; location < steps.locations.size(); ++location) {
        if (steps.of(location) == nullptr) continue;
        const std::vector<u64> own = computation_by_step(file, location, steps.locations[location]);
        std::ranges::transform(sums, own, sums.begin(), std::plus());
    }
    return sums;
}

/// Takes steps between which ranks change their roles in place of those, or of none, in which every
/// rank had each role. All take about the same computation; otherwise they are parts of a step.
void consider_roles(TraceFile& file, const StepSearch& search, u32 threads,
                    std::optional<ProgramSteps>& found) {
    constexpr double kAlike = 1.5;
    constexpr u64 kLeastRoles = 3;
    const Operations& all = search.operations();
    // Of two ranks, a message there and one back are one step.
    if (all.ranks.size() < kLeastRoles || file.summary().timing == TimingLevel::none) return;
    const std::vector<Cut> cuts = search.cuts_by_role();
    if (cuts.empty() || messages_grow(all, cuts, search.reference())) return;
    ProgramSteps finer;
    finer.count = cuts.size() - 1;
    const u64 turns = found ? (finer.count + found->count / 2) / found->count : kLeastRoles;
    if (turns < kLeastRoles || (found && have_region(file, *found))) return;
    if (found && finer.count + turns < turns * found->count) return;
    if (!place(file, all, cuts, threads, finer)) return;
    if (spread_of(computation_of_ranks(file, finer), turns) > kAlike) return;
    finer.rounds = exchange_rounds(all, cuts);
    found = std::move(finer);
}

}  // namespace

std::optional<ProgramSteps> find_program_steps(TraceFile& file, StepLevels levels, u32 threads,
                                               StepsMissing* none) {
    StepsMissing ignored;
    StepsMissing& missing = none == nullptr ? ignored : *none;
    auto operations = read_operations(file, kMost, threads, missing.why);
    if (!operations) return std::nullopt;
    const u32 useful = useful_threads(file.definitions().locations(), threads);
    StepSearch search(std::move(*operations), useful);
    bool is_certain = false;
    auto found = steps_of_repetition(file, search, levels, useful, missing, is_certain);
    if (!is_certain) {
        auto of_loops = steps_of_loops(file, search, levels, useful);
        if (of_loops) found = std::move(of_loops);
    }
    if (missing.phases.empty()) consider_roles(file, search, useful, found);
    return found;
}

namespace {

/// Calls examined at either end of longer gaps.
constexpr u64 kMostCalls = 4096;

using Symbols = std::vector<u32>;

/// Reads the symbols of a location's calls, without their arguments.
class SymbolReader {
  public:
    SymbolReader(TraceFile& file, u32 location) {
        const u32 script = file.index().script(Stream::events, location);
        if (script == kNone) return;
        symbols_ = &file.structure().scripts[script].symbols;
        cursor_.emplace(script_cursor(file.index(), script, location));
    }

    /// Calls `begin` to `end` - 1. Precondition: not before the previous calls.
    Symbols read(u64 begin, u64 end) {
        Symbols symbols;
        while (number_ < end && has_more()) {
            if (number_ < begin) {
                pass(begin - number_);
            } else {
                symbols.insert(symbols.end(), pass(end - number_), (*symbols_)[run_.leaf]);
            }
        }
        return symbols;
    }

  private:
    bool has_more() { return run_.count != 0 || (cursor_ && cursor_->next_whole(run_)); }

    /// Skips calls of the current run; returns their number.
    u64 pass(u64 most) {
        const u64 calls = std::min(most, run_.count);
        run_.count -= calls;
        number_ += calls;
        return calls;
    }

    const std::vector<u32>* symbols_ = nullptr;
    std::optional<PatternCursor> cursor_;
    PatternCursor::Run run_{0, 0};
    u64 number_ = 0;
};

u64 common_suffix(const Symbols& a, const Symbols& b) {
    const auto differ = std::mismatch(a.rbegin(), a.rend(), b.rbegin(), b.rend());
    return static_cast<u64>(differ.first - a.rbegin());
}

u64 common_prefix(const Symbols& a, const Symbols& b) {
    return static_cast<u64>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first -
                            a.begin());
}

}  // namespace

LocationSteps steps_of_loop(TraceFile& file, u32 location, u32 loop) {
    const u32 script = file.index().script(Stream::events, location);
    if (script == kNone) return {};
    PatternCursor cursor = script_cursor(file.index(), script, location);
    cursor.follow(loop);
    LocationSteps steps;
    std::optional<u64> last;
    u64 call = 0;
    for (PatternCursor::Run run{0, 0}; cursor.next(run); call += run.count) {
        const std::optional<u64> iteration = cursor.iteration();
        if (iteration == last) continue;
        if (iteration) {
            steps.begin(call);
        } else {
            steps.end(call);
        }
        last = iteration;
    }
    if (last) steps.end(call);
    return steps;
}

LocationSteps place_steps(TraceFile& file, u32 location, const std::vector<StepBorder>& borders) {
    SymbolReader reader(file, location);
    std::vector<Symbols> gaps;
    for (const StepBorder& border : borders) {
        const u64 most = std::min(border.before - border.behind, kMostCalls);
        gaps.push_back(border.ends ? reader.read(border.behind, border.behind + most)
                                   : reader.read(border.before - most, border.before));
    }
    LocationSteps steps;
    const bool several = gaps.size() > 2 && !borders[1].ends;
    const Symbols& typical = gaps[several ? 1 : 0];
    const u64 lead = several ? common_suffix(gaps.front(), typical) : 0;
    for (std::size_t i = 0; i < borders.size(); ++i) {
        if (!borders[i].ends) {
            steps.begin(borders[i].before - std::min(lead, common_suffix(gaps[i], typical)));
            continue;
        }
        const u64 rest = std::min<u64>(common_prefix(gaps[i], typical), typical.size() - lead);
        steps.end(std::max(borders[i].behind + rest, steps.calls(steps.count() - 1).first));
    }
    return steps;
}

namespace {

constexpr u64 kNoStep = ~u64{0};

class RegionFinder {
  public:
    RegionFinder(TraceFile& file, u32 location, const LocationSteps& steps)
        : definitions_(file.definitions()),
          count_(steps.count()),
          calls_(file, location, Times::skip),
          steps_(&steps) {}

    std::optional<StepRegion> run() {
        while (calls_.next()) {
            steps_.next();
            step_ = steps_.step().value_or(kNoStep);
            if (step_ != kNoStep && !begun_) begin();
            for (std::size_t i = 0; i < calls_.records().size(); ++i) take(i);
            if (step_ != kNoStep) least_ = std::min(least_, around_);
        }
        if (const Candidate* const best = best_candidate()) {
            return StepRegion{definitions_.region_name(best->region), true};
        }
        // The outermost region, such as main, encloses everything.
        if (!begun_ || least_ < 2) return std::nullopt;
        return StepRegion{definitions_.region_name(first_open_[least_ - 1]), false};
    }

  private:
    struct Candidate {
        u64 region = 0;
        u64 last = kNoStep;  ///< last step that enters it
        u64 steps = 0;
        u64 mpi_calls = 0;  ///< inside the region
        bool twice = false;
        std::size_t depth = 0;
    };
    struct Frame {
        u64 region = 0;
        u32 candidate = kNone;
    };

    void begin() {
        begun_ = true;
        for (const Frame& frame : open_.with_suspended()) first_open_.push_back(frame.region);
        around_ = least_ = first_open_.size();
    }

    void take(std::size_t record) {
        const u8 type = calls_.records()[record].type;
        if (is_enter(type)) {
            enter(calls_.region(record));
        } else if (is_leave(type)) {
            open_.leave(calls_.region(record).id);
            around_ = std::min(around_, open_.with_suspended().size());
        } else if (const TaskChange* const change = calls_.task_change(record)) {
            change_task(open_, *change, [this](const OpenVisit& visit) {
                const auto known = numbers_.find(visit.region);
                open_.enter({visit.region, known == numbers_.end() ? kNone : known->second},
                            visit.is_mpi);
            });
            const std::size_t of_task = open_.in_task() ? open_.open().size() : 0;
            around_ = std::min(around_, open_.with_suspended().size() - of_task);
        }
    }

    void enter(const CallReader::Region& region) {
        const bool calls_mpi = region.is_mpi && !open_.in_mpi_call();
        if (calls_mpi && step_ != kNoStep) count_mpi_call();
        const bool counts = !region.is_mpi && !open_.in_mpi_call() && step_ != kNoStep;
        open_.enter({region.id, counts ? note(region.id) : kNone}, region.is_mpi);
    }

    void count_mpi_call() {
        ++mpi_calls_;
        for (const Frame& frame : open_.with_suspended()) {
            if (frame.candidate != kNone) ++candidates_[frame.candidate].mpi_calls;
        }
    }

    u32 note(u64 region) {
        const auto [found, fresh] =
            numbers_.try_emplace(region, static_cast<u32>(candidates_.size()));
        if (fresh) candidates_.push_back({.region = region, .depth = open_.open().size()});
        Candidate& it = candidates_[found->second];
        it.twice = it.twice || it.last == step_;
        it.steps += it.last == step_ ? 0 : 1;
        it.last = step_;
        return found->second;
    }

    [[nodiscard]] const Candidate* best_candidate() const {
        const Candidate* best = nullptr;
        for (const Candidate& it : candidates_) {
            const bool once = !it.twice && it.steps + 1 >= count_;
            if (!once || it.mpi_calls * 2 < mpi_calls_) continue;
            const bool better = best == nullptr || it.mpi_calls > best->mpi_calls ||
                                (it.mpi_calls == best->mpi_calls && it.depth < best->depth);
            if (better) best = &it;
        }
        return best;
    }

    const DefinitionIndex& definitions_;
    u64 count_;
    CallReader calls_;
    StepCounter steps_;
    RegionStack<Frame> open_;
    u64 step_ = kNoStep;
    bool begun_ = false;
    std::vector<u64> first_open_;  ///< open regions at the begin of the first step
    std::size_t around_ = 0;       ///< leading ones of these that are still open
    std::size_t least_ = 0;        ///< leading ones that were open until the last call in a step
    std::unordered_map<u64, u32> numbers_;
    std::vector<Candidate> candidates_;
    u64 mpi_calls_ = 0;  ///< in steps
};

}  // namespace

std::optional<StepRegion> find_step_region(TraceFile& file, u32 location,
                                           const LocationSteps& steps) {
    return RegionFinder(file, location, steps).run();
}

std::optional<StepRegion> find_step_region(TraceFile& file, const ProgramSteps& steps) {
    for (u32 location = 0; location < steps.locations.size(); ++location) {
        const LocationSteps* const own = steps.of(location);
        if (own != nullptr) return find_step_region(file, location, *own);
    }
    return std::nullopt;
}

}  // namespace tracefold
