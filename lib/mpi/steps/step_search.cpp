// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/steps/step_search.hpp"

#include "base/hash.hpp"
#include "base/parallel.hpp"
#include "model/mpi_function.hpp"
#include "mpi/steps/repeated_steps.hpp"

#include <algorithm>
#include <atomic>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace tracefold {

namespace {

/// Operations of two steps that are compared.
constexpr std::size_t kMostCompared = 32;
/// Places tried for each step.
constexpr u32 kMostPlaces = 256;
/// Steps with changing roles.
constexpr std::size_t kLeastByRole = 5;

bool is_same(const Operation& a, const Operation& b) {
    return a.kind == b.kind && a.channel == b.channel && a.tag == b.tag &&
           a.operation == b.operation;
}

class RankAlignment {
  public:
    RankAlignment(const std::vector<Operation>& operations, u32 rank, const std::vector<Cut>& least,
                  const std::vector<Cut>& greatest)
        : operations_(operations), rank_(rank), least_(least), greatest_(greatest) {
        std::vector<u64> lengths;
        for (std::size_t i = 2; i < least.size(); ++i) {
            lengths.push_back(least[i][rank] - least[i - 1][rank]);
        }
        usual_ = static_cast<u32>(UsualNumber(std::move(lengths)).median());
    }

    std::vector<u32> run() const {
        std::vector<u32> places = {least_.front()[rank_]};
        for (std::size_t step = 1; step < least_.size(); ++step) {
            const bool last = step + 1 == least_.size();
            places.push_back(place(step, places.front(), places.back(), last));
        }
        return places;
    }

  private:
    [[nodiscard]] u32 place(std::size_t step, u32 first, u32 previous, bool last) const {
        const u32 begin = std::max(least_[step][rank_], previous);
        const u32 end = std::min(greatest_[step][rank_], begin + kMostPlaces);
        const u32 expected = previous + usual_;
        u32 best = begin;
        std::pair<std::size_t, u64> most = {0, ~u64{0}};
        for (u32 at = begin; at <= end; ++at) {
            if (at > 0 && !operations_[at - 1].at_rest) continue;
            const u64 away = at > expected ? at - expected : expected - at;
            const std::size_t alike = last ? 1 : matching(first, at);
            if (alike > most.first || (alike == most.first && away < most.second)) {
                best = at;
                most = {alike, away};
            }
        }
        return best;
    }

    [[nodiscard]] std::size_t matching(u32 a, u32 b) const {
        std::size_t count = 0;
        while (count < kMostCompared && b + count < operations_.size() &&
               a + count < operations_.size() &&
               is_same(operations_[a + count], operations_[b + count])) {
            ++count;
        }
        return count;
    }

    const std::vector<Operation>& operations_;
    u32 rank_;
    const std::vector<Cut>& least_;
    const std::vector<Cut>& greatest_;
    u32 usual_ = 0;
};

/// Maps the operations of a rank, by rising places after them, to steps.
class StepOfPlace {
  public:
    StepOfPlace(const std::vector<Cut>& cuts, u32 rank) : cuts_(cuts), rank_(rank) {}

    std::size_t operator()(u32 place) {
        while (step_ < cuts_.size() && place > cuts_[step_][rank_]) ++step_;
        return step_;
    }

  private:
    const std::vector<Cut>& cuts_;
    u32 rank_;
    std::size_t step_ = 0;
};

bool are_in_same_steps(const std::vector<Cut>& cuts, u32 rank, std::span<const u32> places,
                       u32 other, std::span<const u32> others) {
    StepOfPlace step(cuts, rank);
    StepOfPlace step_of_other(cuts, other);
    for (std::size_t i = 0; i < std::min(places.size(), others.size()); ++i) {
        if (step(places[i]) != step_of_other(others[i])) return false;
    }
    return true;
}

/// True if both ends of all messages, and all parts of collectives, are in the same step.
bool are_consistent(const Operations& all, const Counterparts& counterparts,
                    const std::vector<Cut>& cuts, u32 threads) {
    std::atomic<bool> consistent = true;
    run_each(threads, all.channels.size(), [&](std::size_t i) {
        if (!consistent) return;
        const auto channel = static_cast<u32>(i);
        const Channel& it = all.channels[channel];
        if (!are_in_same_steps(cuts, it.sender, counterparts.sent(channel), it.receiver,
                               counterparts.received(channel))) {
            consistent = false;
        }
    });
    for (const std::vector<Counterparts::Member>& members : counterparts.communicators()) {
        if (members.empty()) continue;
        const auto most = std::ranges::max_element(
            members, {}, [](const Counterparts::Member& one) { return one.places.size(); });
        run_each(threads, members.size(), [&](std::size_t i) {
            if (!consistent) return;
            if (!are_in_same_steps(cuts, members[i].rank, members[i].places, most->rank,
                                   most->places)) {
                consistent = false;
            }
        });
    }
    return consistent;
}

}  // namespace

std::vector<Cut> align_steps(const Operations& all, const Counterparts& counterparts,
                             const std::vector<Cut>& least, const std::vector<Cut>& greatest,
                             u32 threads) {
    std::vector<Cut> cuts(least.size(), Cut(all.ranks.size()));
    run_each(threads, all.ranks.size(), [&](std::size_t i) {
        const auto rank = static_cast<u32>(i);
        const std::vector<u32> places =
            RankAlignment(all.ranks[rank].operations, rank, least, greatest).run();
        for (std::size_t step = 0; step < places.size(); ++step) cuts[step][rank] = places[step];
    });
    return are_consistent(all, counterparts, cuts, threads) ? cuts : least;
}

namespace {

using Kind = Operation::Kind;

u64 mix_two(u64 a, u64 b) { return mix(mix(a) + b); }

bool is_sent(const Operation& one) { return one.kind == Kind::send || one.kind == Kind::access; }

Deed deed_of(const Operation& one) {
    Deed deed;
    deed.sends = is_sent(one);
    const auto kind = static_cast<u64>(one.kind);
    deed.partner = mix_two(mix_two(kind, one.channel), one.operation);
    deed.tagged = deed.sends ? mix_two(deed.partner, one.tag) : mix_two(kind, one.operation);
    deed.message = mix_two(mix_two(deed.partner, one.tag), one.size);
    deed.bytes = one.size;
    deed.is_barrier = !deed.sends && collective_kind(one.operation) == CollectiveKind::barrier;
    return deed;
}

}  // namespace

/// Messages in steps; the same plus the messages that steps below half of the usual number lack;
/// messages in steps with about the usual number.
struct StepSearch::Sent {
    u64 number = 0;
    u64 with_lacking = 0;
    u64 usual = 0;

    void add(const std::vector<u64>& numbers) {
        const UsualNumber of_step(numbers);
        for (const u64 own : numbers) {
            number += own;
            with_lacking += of_step.is_more_than_twice(own) ? of_step.median() : own;
            if (of_step.is_about(own)) usual += own;
        }
    }

    void add(const Sent& other) {
        number += other.number;
        with_lacking += other.with_lacking;
        usual += other.usual;
    }

    /// Two thirds are in steps with about the usual number.
    [[nodiscard]] bool is_even() const { return usual * 3 >= with_lacking * 2; }
};

/// Advances from the least cut before a deed to that before a later one.
class StepSearch::CutWalk {
  public:
    explicit CutWalk(const StepSearch& search) : search_(search), walk_(search.cuts_) {}

    /// Precondition: the steps follow all earlier ones.
    std::vector<Cut> cuts(const RepeatedSteps& steps) {
        std::vector<Cut> found;
        for (const u32 begin : steps.begins) found.push_back(go_to(begin));
        found.push_back(go_to(steps.end));
        return found;
    }

  private:
    const Cut& go_to(u32 deed) {
        for (const u32 cut = search_.cut_of(deed); walk_.passed() < cut;) walk_.next();
        return walk_.cut();
    }

    const StepSearch& search_;
    CutSequence::Walk walk_;
};

class StepSearch::Sending {
  public:
    /// Counts only messages with that many occurrences, if `occurrences` is not 0.
    Sending(const std::vector<Operation>& operations, u64 occurrences)
        : operations_(operations), all_(occurrences == 0) {
        if (all_) return;
        std::unordered_map<u64, u64> numbers;
        for (const Operation& one : operations) {
            if (is_sent(one)) ++numbers[kind(one)];
        }
        for (const auto& [own, number] : numbers) {
            if (number == occurrences) kinds_.insert(own);
        }
    }

    [[nodiscard]] u64 between(u32 from, u32 to) const {
        return static_cast<u64>(std::count_if(
            operations_.begin() + from, operations_.begin() + to, [this](const Operation& one) {
                return is_sent(one) && (all_ || kinds_.contains(kind(one)));
            }));
    }

  private:
    static u64 kind(const Operation& one) { return deed_of(one).message; }

    const std::vector<Operation>& operations_;
    bool all_;
    std::unordered_set<u64> kinds_;  ///< empty if all count
};

StepSearch::StepSearch(Operations all, u32 threads)
    : all_(std::move(all)), threads_(threads), counterparts_(all_, threads), reference_(busiest()) {
    find_cuts();
}

std::optional<RepeatedSteps> StepSearch::find() {
    std::optional<RepeatedSteps> steps = find_alike();
    std::vector<RepeatedSteps> phases = find_phases(deeds_);
    std::erase_if(phases, [this](const RepeatedSteps& one) { return !sent_in({one}).is_even(); });
    if (phases.size() < 2) return steps;
    for (const RepeatedSteps& one : phases) phases_.push_back(one.begins.size());
    // Steps that extend over several phases are alike only if sizes or tags are ignored.
    const auto touches = [&](const RepeatedSteps& one) {
        return steps && one.begins.front() < steps->end && steps->begins.front() < one.end;
    };
    return std::ranges::count_if(phases, touches) == 1 ? steps : std::nullopt;
}

std::optional<RepeatedSteps> StepSearch::find_alike() {
    std::optional<RepeatedSteps> steps = find_even();
    if (steps && begin_quiescent(*steps)) return steps;
    all_.overlook_requests();
    find_cuts();
    steps = find_even();
    if (steps || !all_.merge_successive_communicators()) return steps;
    read_deeds();
    steps = find_even();
    const bool holds = steps && is_nearly_all(steps->end - steps->begins.front(), deeds_.size());
    return holds ? steps : std::nullopt;
}

std::optional<std::vector<RepeatedSteps>> StepSearch::find_within(
    const RepeatedSteps& steps) const {
    std::vector<RepeatedSteps> found;
    const std::span<const Deed> all(deeds_);
    for (std::size_t i = 0; i < steps.begins.size(); ++i) {
        const u32 begin = steps.begins[i];
        const u32 end = steps.end_of(i);
        std::optional<RepeatedSteps> within = find_iterations(all.subspan(begin, end - begin));
        if (!within) continue;
        for (u32& one : within->begins) one += begin;
        within->end += begin;
        if (begin_quiescent(*within)) found.push_back(std::move(*within));
    }
    const bool in_most = found.size() * 4 >= steps.begins.size() * 3;
    if (!in_most) return std::nullopt;
    const Sent within = sent_in(found);
    const bool holds = within.is_even() && within.number * 3 >= sent_in({steps}).number * 2;
    return holds ? std::optional(std::move(found)) : std::nullopt;
}

std::vector<Cut> StepSearch::cuts_by_role() const {
    // Ranks that had each role have about as many operations; a cut for each of the most would take
    // much memory otherwise.
    constexpr u64 kMostOfMean = 4;
    u64 most = 0;
    for (const Operations::Rank& rank : all_.ranks)
        most = std::max(most, u64{rank.operations.size()});
    if (most * all_.ranks.size() > kMostOfMean * rests_.operations()) return {};
    std::vector<Cut> cuts = {Cut(all_.ranks.size())};
    std::vector<u64> kinds;
    std::vector<u64> weights;
    const auto role = [&](u32 rank, std::size_t begin, std::size_t end) {
        u64 hash = 0;
        for (u32 place = cuts[begin][rank]; place < cuts[end][rank]; ++place) {
            const Operation& one = all_.ranks[rank].operations[place];
            hash = mix_two(hash, mix_two(static_cast<u64>(one.kind), one.operation));
        }
        return hash;
    };
    for (QuiescentCuts walk(rests_, counterparts_, kNone); walk.next();) {
        const std::size_t last = cuts.size() - 1;
        cuts.push_back(walk.places());
        kinds.push_back(0);
        weights.push_back(0);
        for (u32 rank = 0; rank < all_.ranks.size(); ++rank) {
            kinds.back() += mix(role(rank, last, last + 1));
            weights.back() += cuts[last + 1][rank] - cuts[last][rank];
        }
    }
    const auto found = find_repetition(kinds, weights);
    if (!found || found->count() < kLeastByRole) return {};
    std::vector<Cut> steps;
    for (std::size_t i = 0; i <= found->count(); ++i) {
        const std::size_t begin = found->begin + i * found->period;
        steps.push_back(cuts[begin]);
        if (i == 0 || i == found->count()) continue;
        bool changes = false;
        for (u32 rank = 0; rank < all_.ranks.size() && !changes; ++rank) {
            changes = role(rank, begin - found->period, begin) !=
                      role(rank, begin, begin + found->period);
        }
        if (!changes) return {};
    }
    return steps;
}

std::vector<Cut> StepSearch::cuts(const RepeatedSteps& steps) {
    find_leads(steps);
    const std::vector<Cut> least = least_cuts(steps);
    std::vector<Cut> greatest = greatest_cuts(steps);
    for (std::size_t i = 0; i < least.size(); ++i) {
        for (std::size_t rank = 0; rank < least[i].size(); ++rank) {
            greatest[i][rank] = std::max(greatest[i][rank], least[i][rank]);
        }
    }
    return align_steps(all_, counterparts_, least, greatest, threads_);
}

RepeatedSteps StepSearch::steps_between(const std::vector<Cut>& cuts) const {
    const auto deed = [this](const Cut& cut) {
        const auto found = std::ranges::lower_bound(places_, cut[reference_]);
        return static_cast<u32>(found - places_.begin());
    };
    RepeatedSteps steps;
    for (std::size_t step = 0; step + 1 < cuts.size(); ++step) {
        steps.begins.push_back(deed(cuts[step]));
    }
    steps.end = deed(cuts.back());
    return steps;
}

bool StepSearch::are_consistent(const std::vector<Cut>& cuts) const {
    return tracefold::are_consistent(all_, counterparts_, cuts, threads_);
}

u32 StepSearch::place(u32 deed) const {
    return deed == places_.size() ? static_cast<u32>(all_.ranks[reference_].operations.size())
                                  : places_[deed];
}

/// The rank that sends most, otherwise the one with the most collectives.
u32 StepSearch::busiest() const {
    std::vector<std::pair<u64, u64>> busy(all_.ranks.size());
    run_each(threads_, busy.size(), [&](std::size_t rank) {
        std::pair<u64, u64> own;
        for (const Operation& one : all_.ranks[rank].operations) {
            own.first += is_sent(one) ? 1 : 0;
            own.second += one.kind == Kind::collective ? 1 : 0;
        }
        busy[rank] = own;
    });
    return static_cast<u32>(std::ranges::max_element(busy) - busy.begin());
}

/// Backward cuts are needed only if there are steps: another thread computes them meanwhile.
void StepSearch::find_cuts() {
    rests_ = RestPlaces(all_, threads_);
    backward_.reset();
    run_each(threads_, threads_ > 1 ? 2 : 1, [this](std::size_t part) {
        if (part == 0) {
            cuts_ = walk_cuts(Direction::forward);
            read_deeds();
        } else {
            backward_ = walk_cuts(Direction::backward);
        }
    });
}

CutSequence StepSearch::walk_cuts(Direction direction) const {
    return {rests_, counterparts_, reference_, direction};
}

void StepSearch::read_deeds() {
    deeds_.clear();
    places_.clear();
    u32 cuts = 0;  // cuts before the operation
    const std::vector<Operation>& operations = all_.ranks[reference_].operations;
    deeds_.reserve(bounded_reserve(operations.size()));
    places_.reserve(bounded_reserve(operations.size()));
    for (u32 place = 0; place < operations.size(); ++place) {
        while (cuts < cuts_.places().size() && cuts_.places()[cuts] <= place) ++cuts;
        const Operation& one = operations[place];
        if (!is_sent(one) && one.kind != Kind::collective) continue;
        deeds_.push_back(deed_of(one));
        deeds_.back().may_begin =
            places_.empty() || (cuts > 0 && cuts_.places()[cuts - 1] > places_.back());
        places_.push_back(place);
    }
}

/// The number of cuts at or before a place.
u32 StepSearch::cut_before(u32 place) const {
    const std::vector<u32>& places = cuts_.places();
    return static_cast<u32>(std::ranges::upper_bound(places, place) - places.begin());
}

/// The operations between a deed and the one before, such as receives.
std::span<const Operation> StepSearch::between_deeds(u32 deed) const {
    const u32 begin = deed == 0 ? 0 : places_[deed - 1] + 1;
    return std::span(all_.ranks[reference_].operations).subspan(begin, places_[deed] - begin);
}

/// A rank may begin its steps with receives, as in a sweep: those that precede the first deed of
/// the first step as well.
void StepSearch::find_leads(const RepeatedSteps& steps) {
    leads_.assign(deeds_.size(), 0);
    if (steps.begins.size() < 2) return;
    const std::span<const Operation> first = between_deeds(steps.begins[0]);
    const std::span<const Operation> second = between_deeds(steps.begins[1]);
    const auto differ =
        std::mismatch(first.rbegin(), first.rend(), second.rbegin(), second.rend(), is_same);
    const std::span<const Operation> lead =
        first.last(static_cast<std::size_t>(differ.first - first.rbegin()));
    for (const u32 begin : steps.begins) {
        const std::span<const Operation> own = between_deeds(begin);
        const bool has_lead =
            own.size() >= lead.size() &&
            std::equal(lead.begin(), lead.end(), own.last(lead.size()).begin(), is_same);
        if (has_lead) leads_[begin] = static_cast<u32>(lead.size());
    }
}

/// The number of cuts before a step that begins with this deed, and the operations that lead to it
/// if a cut precedes them.
u32 StepSearch::cut_of(u32 deed) const {
    if (deed == deeds_.size()) return static_cast<u32>(cuts_.places().size());
    const u32 lead = leads_.empty() ? 0 : leads_[deed];
    const u32 begin = places_[deed] - lead;
    const u32 before = cut_before(begin);
    const bool leads =
        lead != 0 && (begin == 0 || (before > 0 && cuts_.places()[before - 1] == begin));
    if (leads) return before;
    const u32 cut = cut_before(places_[deed]);
    return deeds_[deed].may_begin ? cut : cut + 1;
}

/// A short step of the reference rank may not exist on others, as the planes of a sweep that it
/// enters first: then a step of twice the length is searched.
std::optional<RepeatedSteps> StepSearch::find_even() {
    u64 least_messages = 0;
    while (const auto steps = find_repeated_steps(deeds_, least_messages)) {
        repeats_ = true;
        if (sent_in({*steps}).is_even()) return steps;
        const auto sent = static_cast<u64>(
            std::count_if(deeds_.begin() + steps->begins.front(), deeds_.begin() + steps->end,
                          [](const Deed& deed) { return deed.sends; }));
        least_messages = 2 * std::max(sent / steps->begins.size(), least_messages) + 1;
    }
    return std::nullopt;
}

bool StepSearch::begin_quiescent(const RepeatedSteps& steps) const {
    const auto quiescent = std::count_if(steps.begins.begin(), steps.begins.end(),
                                         [this](u32 begin) { return deeds_[begin].may_begin; });
    return static_cast<std::size_t>(quiescent) * 2 > steps.begins.size();
}

StepSearch::Sent StepSearch::sent_in(const std::vector<RepeatedSteps>& all) const {
    CutWalk walk(*this);
    std::vector<std::vector<Cut>> cuts;
    for (const RepeatedSteps& steps : all) cuts.push_back(walk.cuts(steps));
    std::vector<Sent> of_ranks(all_.ranks.size());
    run_each(threads_, of_ranks.size(), [&](std::size_t rank) {
        const Sending sending(all_.ranks[rank].operations, all.front().occurrences);
        std::vector<u64> numbers;
        for (const std::vector<Cut>& own : cuts) {
            for (std::size_t i = 1; i < own.size(); ++i) {
                numbers.push_back(sending.between(own[i - 1][rank], own[i][rank]));
            }
        }
        of_ranks[rank].add(numbers);
    });
    Sent sent;
    for (const Sent& own : of_ranks) sent.add(own);
    return sent;
}

/// By step, and after the last one: the least cuts with the reference rank there.
std::vector<Cut> StepSearch::least_cuts(const RepeatedSteps& steps) const {
    return CutWalk(*this).cuts(steps);
}

/// The greatest cuts with the reference rank at its place in the least ones.
std::vector<Cut> StepSearch::greatest_cuts(const RepeatedSteps& steps) {
    if (!backward_) backward_ = walk_cuts(Direction::backward);
    CutSequence::Walk walk(*backward_);
    std::vector<Cut> found;
    const auto go_to = [&](u32 deed) {
        const u32 place = place_of_cut(deed);
        while (walk.cut()[reference_] > place) walk.next();
        found.push_back(walk.cut());
    };
    go_to(steps.end);
    for (std::size_t i = steps.begins.size(); i-- > 0;) go_to(steps.begins[i]);
    std::ranges::reverse(found);
    return found;
}

/// The reference rank's place in the least cut before a step that begins with this deed.
u32 StepSearch::place_of_cut(u32 deed) const {
    const u32 cut = cut_of(deed);
    return cut == 0 ? 0 : cuts_.places()[cut - 1];
}

}  // namespace tracefold
