// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "forecast/scaling/place_times.hpp"

#include "model/symbol.hpp"

#include <algorithm>
#include <numeric>

namespace tracefold {

namespace {

constexpr std::size_t kEnoughSizes = 4;

/// Number of records of a call by element: completions occur as often as their count says.
void count_records(const CallType& kind, const u64* values, std::vector<u32>& counts) {
    counts.assign(kind.symbol.elements.size(), 1);
    SlotValues slot_values;
    for (const CallType::Argument& argument : kind.arguments) {
        const bool is_count = argument.shape == SlotShape::count;
        if (is_count && kind.symbol.elements[argument.element].type == kCompletions) {
            counts[argument.element] = static_cast<u32>(*values);
        }
        values += slot_values.count(argument.shape, values);
    }
}

/// Walks the records of a sequence, call by call.
class RecordWalk {
  public:
    RecordWalk(const CallSequence& sequence, const CallTypes& kinds)
        : sequence_(sequence), kinds_(kinds) {
        std::size_t record = 0;
        for (std::size_t call = 0; call < sequence.calls.size(); ++call) {
            first_.push_back(record);
            count(call);
            record += std::accumulate(counts_.begin(), counts_.end(), std::size_t{0});
        }
    }

    [[nodiscard]] u64 ticks_before(std::size_t call) const { return sequence_.ticks[first_[call]]; }

    /// Passes the ticks before each record except the first, with its element.
    template <class Sink>
    void within(std::size_t call, const Sink& sink) {
        count(call);
        std::size_t record = first_[call];
        for (std::size_t element = 0; element < counts_.size(); ++element) {
            for (u32 i = 0; i < counts_[element]; ++i, ++record) {
                if (record != first_[call]) sink(element, sequence_.ticks[record]);
            }
        }
    }

  private:
    void count(std::size_t call) {
        count_records(kinds_[sequence_.calls[call]],
                      sequence_.values.data() + sequence_.first[call], counts_);
    }

    const CallSequence& sequence_;
    const CallTypes& kinds_;
    std::vector<std::size_t> first_;  ///< by call
    std::vector<u32> counts_;         ///< of one call, by element
};

double seconds_of_a_tick(const TimedScript& timed) {
    return timed.seconds_per_tick /
           static_cast<double>(std::max(timed.script->sequence->locations, 1U));
}

struct PlaceMeasurements {
    TimesByRanks sums;
    std::vector<double> elements;  ///< seconds
};

void add(const TimeSums& sums, TimeSums& to) {
    to.before += sums.before;
    to.within += sums.within;
    to.executions += sums.executions;
}

PlaceMeasurements measure(std::span<const TimedScript> scripts, std::vector<RecordWalk>& walks,
                          std::size_t place, std::size_t elements) {
    PlaceMeasurements result;
    result.elements.assign(elements, 0);
    for (std::size_t s = 0; s < scripts.size(); ++s) {
        const FoldedSequence& script = *scripts[s].script;
        const double scale = seconds_of_a_tick(scripts[s]);
        TimeSums sums;
        for (std::size_t v = 0; v < script.counts[place].size(); ++v) {
            for (u64 i = 0; i < script.counts[place][v]; ++i) {
                const std::size_t call = script.first_call[place][v] + i;
                const auto before = static_cast<double>(walks[s].ticks_before(call));
                sums.before += scale * before;
                walks[s].within(call, [&](std::size_t element, u64 ticks) {
                    sums.within += scale * static_cast<double>(ticks);
                    result.elements[element] += scale * static_cast<double>(ticks);
                });
                ++sums.executions;
            }
        }
        if (sums.executions != 0) add(sums, result.sums[scripts[s].ranks]);
    }
    return result;
}

/// Mean of one kind of time in each run.
std::vector<Measurement> means_of(const TimesByRanks& times, double TimeSums::*time) {
    std::vector<Measurement> means;
    for (const auto& [ranks, sums] : times) {
        means.push_back(
            {static_cast<double>(ranks), sums.*time / static_cast<double>(sums.executions)});
    }
    return means;
}

/// With measurements of few sizes, uses the growth of the kind of call.
Growth grow(const std::vector<Measurement>& measurements, const Growth* of_kind) {
    if (measurements.size() >= kEnoughSizes || of_kind == nullptr) return fit_growth(measurements);
    double ratio = 0;
    for (const Measurement& measurement : measurements) {
        const double all = evaluate(*of_kind, measurement.size);
        if (!(all > 0)) return fit_growth(measurements);
        ratio += measurement.value / all / static_cast<double>(measurements.size());
    }
    Growth scaled = *of_kind;
    scaled.constant *= ratio;
    scaled.coefficient *= ratio;
    return scaled;
}

}  // namespace

TransitionTimes transition_times(const CallSequence& sequence, const CallTypes& kinds,
                                 double seconds_per_tick) {
    TransitionTimes times;
    if (sequence.ticks.empty()) return times;
    RecordWalk walk(sequence, kinds);
    u32 last = kNone;
    for (std::size_t call = 0; call < sequence.calls.size(); ++call) {
        TimeSums& sums = times[{last, sequence.calls[call]}];
        last = sequence.calls[call];
        sums.before += seconds_per_tick * static_cast<double>(walk.ticks_before(call));
        walk.within(call, [&](std::size_t, u64 ticks) {
            sums.within += seconds_per_tick * static_cast<double>(ticks);
        });
        ++sums.executions;
    }
    return times;
}

void KindTimes::add(const TimedScript& script) {
    const CallSequence& sequence = *script.script->sequence;
    RecordWalk walk(sequence, kinds_);
    for (std::size_t call = 0; call < sequence.calls.size(); ++call) {
        // Ticks are already sums over the locations.
        TimeSums& sums = sums_[sequence.calls[call]][script.ranks];
        sums.before += script.seconds_per_tick * static_cast<double>(walk.ticks_before(call));
        walk.within(call, [&](std::size_t, u64 ticks) {
            sums.within += script.seconds_per_tick * static_cast<double>(ticks);
        });
        sums.executions += sequence.locations;
    }
}

void KindTimes::finish() {
    for (const auto& [kind, sizes] : sums_) {
        means_[kind] = {fit_growth(means_of(sizes, &TimeSums::before)),
                        fit_growth(means_of(sizes, &TimeSums::within))};
    }
}

const KindTimes::Means* KindTimes::find(u32 kind) const {
    const auto found = means_.find(kind);
    return found == means_.end() ? nullptr : &found->second;
}

std::vector<PlaceTimes> fit_times(std::span<const TimedScript> scripts, const CallTypes& kinds,
                                  const KindTimes& of_kinds) {
    const ScriptTree& tree = scripts.front().script->tree;
    std::vector<RecordWalk> walks;
    for (const TimedScript& script : scripts) walks.emplace_back(*script.script->sequence, kinds);
    std::vector<PlaceTimes> times(tree.places.size());
    for (std::size_t place = 0; place < tree.places.size(); ++place) {
        const u32 call = tree.places[place].call;
        if (call == kNone) continue;
        const PlaceMeasurements measured =
            measure(scripts, walks, place, kinds[call].symbol.elements.size());
        if (measured.sums.empty()) continue;
        const KindTimes::Means* kind = of_kinds.find(call);
        times[place].before = grow(means_of(measured.sums, &TimeSums::before),
                                   kind == nullptr ? nullptr : &kind->before);
        times[place].within = grow(means_of(measured.sums, &TimeSums::within),
                                   kind == nullptr ? nullptr : &kind->within);
        times[place].shares = measured.elements;
        const double all = std::accumulate(measured.elements.begin(), measured.elements.end(), 0.0);
        for (double& share : times[place].shares) share = all > 0 ? share / all : 0;
    }
    return times;
}

}  // namespace tracefold
