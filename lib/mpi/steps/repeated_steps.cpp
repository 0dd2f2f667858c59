// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/steps/repeated_steps.hpp"

#include "base/hash.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>

namespace tracefold {

namespace {

/// Inner loops with longer iterations are not collapsed.
constexpr std::size_t kLongestInner = 64;

/// Fewer steps are not inferred from collectives alone, unless each has this many of them.
constexpr std::size_t kLeastCalls = 5;
constexpr std::size_t kManyCollectives = 10;

/// Least number of steps that enclose others, such as those of a solver.
constexpr std::size_t kLeastOuter = 5;

/// A sequence of ranges of deeds.
struct Sequence {
    std::vector<u64> numbers;
    std::vector<u64> weights;
    std::vector<u32> begins;  ///< deeds

    void add(u64 number, u64 weight, u32 begin) {
        numbers.push_back(number);
        weights.push_back(weight);
        begins.push_back(begin);
    }
};

/// Collapses every range with a period into one element, regardless of its iterations.
Sequence collapsed(const Sequence& all, std::size_t period, std::size_t least = 3) {
    Sequence out;
    std::size_t next = 0;
    const auto copy_to = [&](std::size_t end) {
        for (; next < end; ++next) out.add(all.numbers[next], all.weights[next], all.begins[next]);
    };
    for (const Repetition& one : repetitions_of(all.numbers, period, least)) {
        copy_to(one.begin);
        u64 number = period;
        u64 weight = 0;
        for (std::size_t i = 0; i < period; ++i) number += mix(all.numbers[one.begin + i]);
        for (; next < one.end; ++next) weight += all.weights[next];
        out.add(mix(number), weight, all.begins[one.begin]);
    }
    copy_to(all.numbers.size());
    return out;
}

class StepFinder {
  public:
    StepFinder(std::span<const Deed> deeds, u64 least_messages)
        : deeds_(deeds), least_messages_(least_messages) {}

    [[nodiscard]] std::optional<RepeatedSteps> run() {
        std::optional<RepeatedSteps> steps = innermost();
        if (steps && by_messages_) {
            steps = enclosing(*steps);
            begin_with_collectives(*steps);
        }
        return steps;
    }

    /// A part with steps of its own around the middle.
    [[nodiscard]] std::optional<RepeatedSteps> phase() {
        constexpr u64 kShare = 8;
        by_messages_ = std::ranges::any_of(deeds_, &Deed::sends);
        auto steps = repeated(by_messages_ ? messages(&Deed::message) : collectives(), kShare);
        if (!steps || steps->begins.size() < kLeastCalls) return std::nullopt;
        begin_with_collectives(*steps);
        return steps;
    }

    [[nodiscard]] std::optional<RepeatedSteps> exact() {
        by_messages_ = true;
        std::optional<RepeatedSteps> steps = repeated(messages(&Deed::message));
        const bool holds = steps && steps->begins.size() > 2 && has_nearly_all(*steps);
        return holds ? steps : std::nullopt;
    }

  private:
    [[nodiscard]] std::optional<RepeatedSteps> innermost() {
        by_messages_ = true;
        if (auto steps = find(messages(&Deed::message))) return between_marks(*steps);
        for (u64 Deed::*what : {&Deed::tagged, &Deed::partner}) {
            const auto steps = find(messages(what));
            if (!steps || mixes_kinds(*steps)) continue;
            if (goes_through_sizes(*steps)) return std::nullopt;
            return between_marks(*steps);
        }
        u64 occurrences = 0;
        if (auto steps = find_in(equally_often(occurrences));
            steps && !goes_through_sizes(*steps)) {
            steps->occurrences = occurrences;
            return steps;
        }
        if (auto steps = repeated(exchanges()); steps && are_alike(*steps)) {
            trim_first(*steps);
            return steps;
        }
        const auto sent = std::count_if(deeds_.begin(), deeds_.end(), &sends);
        if (static_cast<std::size_t>(sent) * 2 > deeds_.size()) return std::nullopt;
        by_messages_ = false;
        auto steps = repeated(collectives());
        const bool is_long = steps && is_long_enough(*steps);
        if (is_long && steps->begins.size() >= kLeastCalls) return steps;
        // A few long steps may have several kinds of collectives, or sizes, over and over.
        const auto shorter = frequent(&Deed::partner);
        if (!is_long || (shorter && has_several(*shorter))) return shorter;
        const auto of_sizes = frequent(&Deed::message);
        const bool holds = of_sizes && has_several(*of_sizes) && !have_head(*of_sizes);
        return holds ? of_sizes : steps;
    }

    /// Whether the deed before the first step comes again between others: it begins longer steps,
    /// which a solver may follow, rather than end them as a checkpoint does.
    [[nodiscard]] bool have_head(const RepeatedSteps& steps) const {
        const u32 first = steps.begins.front();
        const auto within = deeds_.subspan(first, steps.end - first);
        return first != 0 &&
               std::ranges::find(within, deeds_[first - 1].message, &Deed::message) != within.end();
    }

    /// Steps of the collectives that occur often, if these are nearly all and repeat: others are in
    /// some steps only, such as the output of every tenth one.
    [[nodiscard]] std::optional<RepeatedSteps> frequent(u64 Deed::*what) const {
        const Sequence all = collectives(what);
        std::unordered_map<u64, u64> numbers;
        u64 most = 0;
        for (const u64 kind : all.numbers) most = std::max(most, ++numbers[kind]);
        Sequence part;
        for (std::size_t i = 0; i < all.numbers.size(); ++i) {
            const bool often = numbers[all.numbers[i]] * 2 > most;
            if (often) part.add(all.numbers[i], 1, all.begins[i]);
        }
        if (part.begins.size() * 4 < all.begins.size() * 3) return std::nullopt;
        std::optional<RepeatedSteps> steps = find_in(part);
        if (steps) end_after_last(part, *steps);
        return steps;
    }

    /// The last step ends with its last deed in `part`, and with others that follow it as in
    /// another step.
    void end_after_last(const Sequence& part, RepeatedSteps& steps) const {
        const auto place = [&](std::size_t step) {
            return std::ranges::lower_bound(part.begins, steps.begins[step]) - part.begins.begin();
        };
        const auto period = place(1) - place(0);
        const auto behind = [&](std::size_t step) {
            return part.begins[static_cast<std::size_t>(place(step) + period - 1)] + 1;
        };
        const std::size_t last = steps.begins.size() - 1;
        steps.end = behind(last);
        for (std::size_t i = 0; i < last; ++i) {
            u32 own = behind(last);
            for (u32 other = behind(i); other < steps.begins[i + 1] && own < size() &&
                                        deeds_[other].partner == deeds_[own].partner;
                 ++other) {
                ++own;
            }
            steps.end = std::max(steps.end, own);
        }
    }

    /// A solver within a step varies in iterations: if the sequence with collapsed loops between
    /// collectives repeats with nearly all messages, that is the step.
    [[nodiscard]] RepeatedSteps enclosing(const RepeatedSteps& inner) const {
        Sequence outer = exchanges();
        for (std::size_t period = 2; period <= kLongestInner; ++period) {
            outer = collapsed(outer, period, 2);
            const std::optional<RepeatedSteps> steps = repeated(outer);
            const bool longer = steps && steps->begins.size() >= kLeastOuter &&
                                steps->begins.size() * 2 <= inner.begins.size();
            if (longer && has_nearly_all(*steps) && vary(*steps)) return *steps;
        }
        return inner;
    }

    [[nodiscard]] bool has_nearly_all(const RepeatedSteps& steps) const {
        return is_nearly_all(sent(steps.begins.front(), steps.end), sent(0, size()));
    }

    /// True if the number of exchanges between collectives varies from step to step.
    [[nodiscard]] bool vary(const RepeatedSteps& steps) const {
        std::vector<u64> numbers;
        for (std::size_t i = 0; i < steps.begins.size(); ++i) {
            u64 exchanges = 0;
            for (u32 deed = steps.begins[i]; deed < steps.end_of(i); ++deed) {
                const bool first = deed == 0 || !deeds_[deed - 1].sends;
                exchanges += deeds_[deed].sends && first ? 1 : 0;
            }
            numbers.push_back(exchanges);
        }
        return number_of_different(std::move(numbers)) * 2 > steps.begins.size();
    }

    static std::size_t number_of_different(std::vector<u64> numbers) {
        std::sort(numbers.begin(), numbers.end());
        return static_cast<std::size_t>(std::unique(numbers.begin(), numbers.end()) -
                                        numbers.begin());
    }

    [[nodiscard]] u64 sent(u32 begin, u32 end) const {
        return static_cast<u64>(
            std::count_if(deeds_.begin() + begin, deeds_.begin() + end, &sends));
    }

    [[nodiscard]] std::vector<u64> messages_by_step(const RepeatedSteps& steps) const {
        std::vector<u64> numbers;
        for (std::size_t i = 0; i < steps.begins.size(); ++i) {
            numbers.push_back(sent(steps.begins[i], steps.end_of(i)));
        }
        return numbers;
    }

    [[nodiscard]] Sequence messages(u64 Deed::*what) const {
        Sequence all;
        for (u32 i = 0; i < deeds_.size(); ++i) {
            if (deeds_[i].sends) all.add(deeds_[i].*what, 1, i);
        }
        return all;
    }

    [[nodiscard]] Sequence collectives(u64 Deed::*what = &Deed::partner) const {
        Sequence all;
        for (u32 i = 0; i < deeds_.size(); ++i) {
            if (!deeds_[i].sends) all.add(deeds_[i].*what, 1, i);
        }
        return all;
    }

    /// Messages of every step occur equally often: the most frequent number of occurrences selects
    /// them. Intermittent messages, such as those of a finer mesh, are left out. Empty if they are
    /// one kind of message, or less than a third of all.
    [[nodiscard]] Sequence equally_often(u64& occurrences) const {
        std::unordered_map<u64, u64> numbers;  // occurrences by message
        u64 sent = 0;
        for (const Deed& deed : deeds_) {
            if (deed.sends) ++numbers[deed.message];
            sent += deed.sends ? 1 : 0;
        }
        std::map<u64, u64> all;  // messages by number of occurrences
        for (const auto& [message, number] : numbers) all[number] += number;
        const auto most = std::ranges::max_element(
            all, {}, [](const auto& it) { return std::pair(it.second, it.first); });
        const bool enough = most != all.end() && most->second * 3 >= sent;
        if (!enough || most->second < 2 * most->first) return {};
        occurrences = most->first;
        Sequence found;
        for (u32 i = 0; i < deeds_.size(); ++i) {
            const Deed& deed = deeds_[i];
            if (deed.sends && numbers[deed.message] == most->first) found.add(deed.message, 1, i);
        }
        return found;
    }

    /// The steps if the repetition covers nearly all of a selected subsequence.
    [[nodiscard]] std::optional<RepeatedSteps> find_in(const Sequence& part) const {
        if (part.begins.empty()) return std::nullopt;
        std::optional<RepeatedSteps> steps = repeated(part);
        if (!steps || steps->begins.size() < kLeastCalls) return std::nullopt;
        const auto within = std::ranges::count_if(part.begins, [&steps](u32 begin) {
            return begin >= steps->begins.front() && begin < steps->end;
        });
        const bool holds = is_nearly_all(static_cast<u64>(within), part.begins.size());
        return holds ? steps : std::nullopt;
    }

    /// Collectives, and all sends between two of them.
    [[nodiscard]] Sequence exchanges() const {
        Sequence all;
        for (u32 i = 0; i < deeds_.size(); ++i) {
            const bool sends = deeds_[i].sends;
            if (sends && i > 0 && deeds_[i - 1].sends) {
                ++all.weights.back();
            } else {
                all.add(sends ? 0 : deeds_[i].partner, sends ? 1 : 0, i);
            }
        }
        return all;
    }

    /// A loop may make up nearly all of a longer step that has few messages of its own.
    [[nodiscard]] std::optional<RepeatedSteps> find(const Sequence& all) const {
        std::optional<RepeatedSteps> steps = repeated(all);
        Sequence outer = all;
        for (std::size_t period = 1; period <= kLongestInner; ++period) {
            const std::size_t size = outer.numbers.size();
            outer = collapsed(outer, period);
            if (outer.numbers.size() == size) continue;
            std::optional<RepeatedSteps> longer = repeated(outer);
            if (!longer) continue;
            const bool better = steps ? are_around(*longer, *steps) : has_nearly_all(*longer);
            if (better) steps = std::move(longer);
        }
        return steps;
    }

    static bool are_around(const RepeatedSteps& longer, const RepeatedSteps& steps) {
        return longer.begins.front() <= steps.begins.front() && longer.end >= steps.end &&
               longer.begins.size() < steps.begins.size();
    }

    /// If more collectives than usual separate the steps into groups of varying size, the groups
    /// are the steps: the usual ones belong to the iterations of a solver, of which there may be
    /// one only. If it is always the same that separates them, a quarter of the groups with
    /// another size is enough, or two of more than twice the usual one.
    [[nodiscard]] RepeatedSteps between_marks(const RepeatedSteps& steps) const {
        constexpr std::size_t kLeastMarks = 5;
        std::vector<u64> collectives;
        for (const u32 begin : steps.begins) {
            collectives.push_back(begin - behind_messages(begin));
        }
        const u64 usual = *std::ranges::min_element(collectives.begin() + 1, collectives.end());
        std::vector<u32> marked = {steps.begins.front()};
        std::vector<u64> sizes;
        std::vector<u64> kinds;
        std::size_t last = 0;
        for (std::size_t i = 1; i < steps.begins.size(); ++i) {
            if (collectives[i] == usual) continue;
            marked.push_back(steps.begins[i]);
            kinds.push_back(collectives[i]);
            sizes.push_back(i - last);
            last = i;
        }
        if (marked.size() < kLeastMarks) return steps;
        const u64 median = UsualNumber(sizes).median();
        const auto others = static_cast<std::size_t>(
            std::ranges::count_if(sizes, [&](u64 own) { return own != median; }));
        const auto longer = std::ranges::count_if(sizes, [&](u64 own) { return own > 2 * median; });
        const bool are_irregular =
            number_of_different(std::move(kinds)) == 1 && (others * 4 > sizes.size() || longer > 1);
        const bool vary = number_of_different(std::move(sizes)) * 2 > marked.size();
        return vary || are_irregular ? RepeatedSteps{marked, steps.end} : steps;
    }

    static bool sends(const Deed& deed) { return deed.sends; }

    /// True if messages grow several times, never shrink, and most sizes repeat.
    [[nodiscard]] bool goes_through_sizes(const RepeatedSteps& steps) const {
        constexpr int kLeastSizes = 4;
        u64 last = 0;
        int sizes = 0;
        for (const u32 begin : steps.begins) {
            if (deeds_[begin].bytes < last) return false;
            sizes += deeds_[begin].bytes > last ? 1 : 0;
            last = deeds_[begin].bytes;
        }
        return sizes >= kLeastSizes && sizes * kLeastSizes <= static_cast<int>(steps.begins.size());
    }

    /// True if steps that differ in tags or sizes alternate between a few kinds: exchanges on
    /// several levels of a grid, for example, with the same partners.
    [[nodiscard]] bool mixes_kinds(const RepeatedSteps& steps) const {
        constexpr std::size_t kLeastOfKind = 4;
        std::unordered_map<u64, u64> kinds;  // steps by hash of their messages
        u64 last = 0;
        std::size_t changes = 0;
        for (std::size_t i = 0; i < steps.begins.size(); ++i) {
            u64 kind = 0;
            for (u32 deed = steps.begins[i]; deed < steps.end_of(i); ++deed) {
                if (deeds_[deed].sends) kind += mix(deeds_[deed].message);
            }
            changes += i > 0 && kind != last ? 1 : 0;
            last = kind;
            ++kinds[kind];
        }
        return kinds.size() > 1 && kinds.size() * kLeastOfKind <= steps.begins.size() &&
               changes >= 2 * kinds.size();
    }

    /// Whether steps of collectives have more than one.
    [[nodiscard]] static bool has_several(const RepeatedSteps& steps) {
        return steps.begins[1] - steps.begins[0] > 1;
    }

    [[nodiscard]] static bool is_long_enough(const RepeatedSteps& steps) {
        const std::size_t deeds = steps.end - steps.begins.front();
        return steps.begins.size() >= kLeastCalls ||
               deeds >= kManyCollectives * steps.begins.size();
    }

    /// True if most steps send about as much.
    [[nodiscard]] bool are_alike(const RepeatedSteps& steps) const {
        const std::vector<u64> sent = messages_by_step(steps);
        const UsualNumber usual(sent);
        const auto near = std::ranges::count_if(sent, [&](u64 own) { return usual.is_about(own); });
        return static_cast<std::size_t>(near) * 4 >= sent.size() * 3;
    }

    /// Sends without a collective before the first step may not belong to it.
    void trim_first(RepeatedSteps& steps) const {
        const std::vector<u64> sent = messages_by_step(steps);
        if (std::adjacent_find(sent.begin() + 1, sent.end(), std::not_equal_to<>()) != sent.end())
            return;
        u32& begin = steps.begins.front();
        for (u64 more = sent.front(); more > sent[1] && deeds_[begin].sends; --more) ++begin;
    }

    /// Collectives before the first message of each step, the first one included, begin the steps,
    /// unless the last step ends with them as well.
    void begin_with_collectives(RepeatedSteps& steps) const {
        const auto calls_before = [&](u32 end) {
            const u32 begin = behind_messages(end);
            return deeds_.subspan(begin, end - begin);
        };
        const auto first = calls_before(steps.begins.front());
        std::size_t lead = first.size();
        std::size_t most = 0;
        for (std::size_t i = 1; i < steps.begins.size(); ++i) {
            const auto own = calls_before(steps.begins[i]);
            const auto differ =
                std::mismatch(first.rbegin(), first.rend(), own.rbegin(), own.rend(),
                              [](const Deed& a, const Deed& b) { return a.tagged == b.tagged; });
            const auto same = static_cast<std::size_t>(differ.first - first.rbegin());
            lead = std::min(lead, same);
            most = std::max(most, own.size());
        }
        if (lead == 0 || calls_before(steps.end).size() + lead > most) return;
        const auto quiescent = std::ranges::count_if(
            steps.begins, [&](u32 begin) { return deeds_[begin - lead].may_begin; });
        if (static_cast<std::size_t>(quiescent) * 2 <= steps.begins.size()) return;
        for (u32& begin : steps.begins) begin -= static_cast<u32>(lead);
    }

    [[nodiscard]] std::optional<RepeatedSteps> repeated(const Sequence& all, u64 share = 2) const {
        const auto found = find_repetition(all.numbers, all.weights, least_messages_, share);
        if (!found) return std::nullopt;
        const std::size_t begin = found->begin + best_offset(all, *found);
        RepeatedSteps steps;
        std::size_t next = begin;
        for (; next + found->period <= found->end; next += found->period) {
            steps.begins.push_back(all.begins[next]);
        }
        steps.end = end_of_last(steps, next < all.begins.size() ? all.begins[next] : size());
        leave_out_rehearsal(steps);
        return steps;
    }

    /// The best offset of steps in a repetition: most begin at a quiescent cut, and none is lost.
    [[nodiscard]] std::size_t best_offset(const Sequence& all, const Repetition& found) const {
        const std::size_t spare = (found.end - found.begin) % found.period;
        const std::size_t last = found.count() > 3 ? found.period - 1 : spare;
        std::size_t best = 0;
        std::size_t most = 0;
        for (std::size_t offset = 0; offset <= last; ++offset) {
            std::size_t quiescent = 0;
            for (std::size_t i = found.begin + offset; i < found.end; i += found.period) {
                quiescent += deeds_[all.begins[i]].may_begin ? 1 : 0;
            }
            const std::size_t loss = offset > spare ? 1 : 0;
            if (quiescent > most + loss || (offset == 0 && quiescent > 0)) {
                most = quiescent;
                best = offset;
            }
        }
        return best;
    }

    [[nodiscard]] u32 size() const { return static_cast<u32>(deeds_.size()); }

    /// The deed after the last send before `end`.
    [[nodiscard]] u32 behind_messages(u32 end) const {
        while (by_messages_ && end > 0 && !deeds_[end - 1].sends) --end;
        return end;
    }

    /// Collectives after the last step belong to it as far as another step ends with the same ones.
    [[nodiscard]] u32 end_of_last(const RepeatedSteps& steps, u32 next) const {
        const u32 begin = behind_messages(next);
        u32 end = begin;
        for (std::size_t i = 1; i < steps.begins.size(); ++i) {
            u32 other = behind_messages(steps.begins[i]);
            u32 own = begin;
            while (other < steps.begins[i] && own < next &&
                   deeds_[other].partner == deeds_[own].partner) {
                ++other;
                ++own;
            }
            end = std::max(end, own);
        }
        return end;
    }

    [[nodiscard]] bool has_barrier(u32 begin, u32 end) const {
        return std::any_of(deeds_.begin() + begin, deeds_.begin() + end,
                           [](const Deed& deed) { return deed.is_barrier; });
    }

    /// Benchmarks run one or two warm-up steps, then a barrier, which no step has.
    void leave_out_rehearsal(RepeatedSteps& steps) const {
        constexpr std::size_t kMost = 2;
        for (std::size_t i = kMost; i > 0; --i) {
            if (steps.begins.size() < i + 3) continue;
            const u32 begin = steps.begins[i];
            if (!has_barrier(behind_messages(begin), begin)) continue;
            if (has_barrier(begin, steps.begins[i + 2])) continue;
            steps.begins.erase(steps.begins.begin(),
                               steps.begins.begin() + static_cast<std::ptrdiff_t>(i));
            return;
        }
    }

    std::span<const Deed> deeds_;
    u64 least_messages_;
    bool by_messages_ = false;
};

}  // namespace

std::optional<RepeatedSteps> find_repeated_steps(std::span<const Deed> deeds, u64 least_messages) {
    return StepFinder(deeds, least_messages).run();
}

std::optional<RepeatedSteps> find_iterations(std::span<const Deed> step) {
    return StepFinder(step, 0).exact();
}

namespace {

constexpr std::size_t kMostPhases = 6;

void add_phases(std::span<const Deed> deeds, u32 begin, u32 end,
                std::vector<RepeatedSteps>& found) {
    if (found.size() > kMostPhases || end - begin < kLeastCalls) return;
    std::optional<RepeatedSteps> steps = StepFinder(deeds.subspan(begin, end - begin), 0).phase();
    if (!steps) return;
    for (u32& one : steps->begins) one += begin;
    steps->end += begin;
    add_phases(deeds, begin, steps->begins.front(), found);
    found.push_back(*steps);
    add_phases(deeds, steps->end, end, found);
}

/// The kinds of messages of a step, or of collectives if there are none.
std::set<u64> kinds_of(std::span<const Deed> deeds, const RepeatedSteps& steps, u64 Deed::*what) {
    std::set<u64> kinds;
    for (u32 i = steps.begins[1]; i < steps.begins[2]; ++i) {
        if (deeds[i].sends) kinds.insert(deeds[i].*what);
    }
    return kinds;
}

}  // namespace

std::vector<RepeatedSteps> find_phases(std::span<const Deed> deeds) {
    std::vector<RepeatedSteps> found;
    add_phases(deeds, 0, static_cast<u32>(deeds.size()), found);
    // Reductions at the end, and iterations of a solver in a rehearsal, are no phases.
    std::vector<std::set<u64>> kinds;
    for (const RepeatedSteps& steps : found) {
        kinds.push_back(kinds_of(deeds, steps, &Deed::message));
    }
    u64 all = 0;
    std::vector<RepeatedSteps> phases;
    std::map<std::set<u64>, u64> without_sizes;
    for (std::size_t i = 0; i < found.size(); ++i) {
        bool is_part = kinds[i].empty();
        for (std::size_t other = 0; other < kinds.size(); ++other) {
            is_part = is_part || (other != i && std::ranges::includes(kinds[other], kinds[i]));
        }
        if (is_part) continue;
        all += found[i].end - found[i].begins.front();
        if (++without_sizes[kinds_of(deeds, found[i], &Deed::tagged)] > 2) return {};
        phases.push_back(std::move(found[i]));
    }
    const bool holds =
        phases.size() > 1 && phases.size() <= kMostPhases && is_nearly_all(all, deeds.size());
    return holds ? phases : std::vector<RepeatedSteps>();
}

std::vector<u32> equal_groups(std::span<const Deed> deeds, const RepeatedSteps& steps) {
    std::vector<u64> calls;                         // of the first step
    std::vector<std::pair<u32, std::size_t>> runs;  // of collectives, by step: first one and number
    for (std::size_t i = 0; i < steps.begins.size(); ++i) {
        const auto step = deeds.subspan(steps.begins[i], steps.end_of(i) - steps.begins[i]);
        const bool sends_first = step.front().sends;
        const auto change = std::ranges::find(step, !sends_first, &Deed::sends);
        if (std::ranges::find(change, step.end(), sends_first, &Deed::sends) != step.end())
            return {};
        const auto own =
            sends_first ? std::span(change, step.end()) : std::span(step.begin(), change);
        if (i == 0) std::ranges::transform(own, std::back_inserter(calls), &Deed::message);
        // The last step may be short.
        const bool complete = own.size() == calls.size() || i + 1 == steps.begins.size();
        if (calls.size() < 2 || own.size() > calls.size() || !complete) return {};
        if (!std::equal(own.begin(), own.end(), calls.begin(),
                        [](const Deed& one, u64 call) { return one.message == call; }))
            return {};
        runs.emplace_back(static_cast<u32>(own.data() - deeds.data()), own.size());
    }
    std::size_t period = 1;
    while (calls.size() % period != 0 ||
           !std::equal(calls.begin() + static_cast<std::ptrdiff_t>(period), calls.end(),
                       calls.begin()))
        ++period;
    std::vector<u32> groups;
    for (std::size_t i = 0; period < calls.size() && i < runs.size(); ++i) {
        groups.push_back(steps.begins[i]);
        for (std::size_t call = period; call < runs[i].second; call += period) {
            groups.push_back(runs[i].first + static_cast<u32>(call));
        }
    }
    return groups;
}

namespace {

/// By place in `text`: the number of elements from there on that equal the start of `pattern`.
std::vector<std::size_t> matches(std::span<const u64> pattern, std::span<const u64> text) {
    std::vector<u64> both(pattern.begin(), pattern.end());
    both.insert(both.end(), text.begin(), text.end());
    std::vector<std::size_t> z(both.size());
    std::size_t left = 0;
    std::size_t right = 0;
    for (std::size_t i = 1; i < both.size(); ++i) {
        if (i < right) z[i] = std::min(right - i, z[i - left]);
        while (i + z[i] < both.size() && both[z[i]] == both[i + z[i]]) ++z[i];
        if (i + z[i] > right) {
            left = i;
            right = i + z[i];
        }
    }
    z.erase(z.begin(), z.begin() + static_cast<std::ptrdiff_t>(pattern.size()));
    for (std::size_t& length : z) length = std::min(length, pattern.size());
    return z;
}

class RepetitionFinder {
  public:
    RepetitionFinder(const std::vector<u64>& numbers, const std::vector<u64>& weights, u64 lightest,
                     u64 share)
        : size_(numbers.size()), lightest_(lightest), share_(share), sums_(size_ + 1) {
        std::partial_sum(weights.begin(), weights.end(), sums_.begin() + 1);
        middle_ = static_cast<std::size_t>(
            std::upper_bound(sums_.begin(), sums_.end(), sums_.back() / 2) - sums_.begin() - 1);
        if (sums_.back() == 0) return;
        const std::span<const u64> all(numbers);
        ahead_ = matches(all.subspan(middle_), all);
        std::vector<u64> reversed(numbers.rbegin(), numbers.rend());
        behind_ = matches(std::span<const u64>(reversed).subspan(size_ - middle_), reversed);
    }

    [[nodiscard]] std::optional<Repetition> run() const {
        std::optional<Repetition> best;
        if (sums_.back() == 0) return best;
        for (std::size_t period = 1; period <= size_ / 2; ++period) {
            for (const Repetition& one : {above(period), below(period)}) {
                if (is_enough(one) && (!best || is_much_more(one, *best))) best = one;
            }
        }
        return best;
    }

  private:
    /// The number of elements before `place` that equal those before the middle.
    [[nodiscard]] std::size_t before(std::size_t place) const {
        return place == 0 ? 0 : behind_[size_ - place];
    }

    /// The repetition in which the middle equals the elements a period later.
    [[nodiscard]] Repetition above(std::size_t period) const {
        const std::size_t later = middle_ + period;
        if (later >= size_) return {0, 0, period};
        return {middle_ - std::min(before(later), middle_), later + ahead_[later], period};
    }

    /// The repetition in which the middle equals the elements a period earlier.
    [[nodiscard]] Repetition below(std::size_t period) const {
        if (period > middle_) return {0, 0, period};
        const std::size_t earlier = middle_ - period;
        return {earlier - std::min(before(earlier), earlier), middle_ + ahead_[earlier], period};
    }

    [[nodiscard]] bool is_enough(const Repetition& one) const {
        return weight(one) * share_ >= sums_.back() && weight_of_period(one) >= lightest_ &&
               (one.count() > 2 || (one.count() == 2 && is_nearly_all(weight(one), sums_.back())));
    }

    /// True if a longer period covers nearly everything, and a shorter one far less.
    [[nodiscard]] bool is_much_more(const Repetition& longer, const Repetition& shorter) const {
        if (share_ != 2) return weight(longer) * 2 > weight(shorter) * 3;
        return weight(shorter) * 4 < sums_.back() * 3 &&
               is_nearly_all(weight(longer), sums_.back());
    }

    [[nodiscard]] u64 weight(const Repetition& one) const {
        return sums_[one.end] - sums_[one.begin];
    }

    [[nodiscard]] u64 weight_of_period(const Repetition& one) const {
        return sums_[std::min(one.begin + one.period, size_)] - sums_[one.begin];
    }

    std::size_t size_;
    u64 lightest_;
    u64 share_;
    std::vector<u64> sums_;  ///< prefix sums of the weights
    std::size_t middle_ = 0;
    std::vector<std::size_t> ahead_;
    std::vector<std::size_t> behind_;  ///< of the reversed sequence
};

}  // namespace

std::optional<Repetition> find_repetition(const std::vector<u64>& numbers,
                                          const std::vector<u64>& weights, u64 lightest,
                                          u64 share) {
    if (numbers.empty()) return std::nullopt;
    return RepetitionFinder(numbers, weights, lightest, share).run();
}

std::vector<Repetition> repetitions_of(const std::vector<u64>& numbers, std::size_t period,
                                       std::size_t least) {
    std::vector<Repetition> found;
    std::size_t begin = 0;
    for (std::size_t i = period; i <= numbers.size(); ++i) {
        if (i < numbers.size() && numbers[i] == numbers[i - period]) continue;
        const Repetition one{begin, i, period};
        if (one.count() >= least) {
            found.push_back(one);
            begin = i;
            i += period - 1;
        } else {
            begin = i - period + 1;
        }
    }
    return found;
}

}  // namespace tracefold
