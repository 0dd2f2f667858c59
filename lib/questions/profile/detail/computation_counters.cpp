// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/profile/detail/computation_counters.hpp"

#include "questions/profile/path_walk.hpp"

#include <algorithm>
#include <bit>
#include <cctype>
#include <iterator>
#include <utility>

namespace tracefold {

namespace {

/// Whether the part of a metric's name after a ":" or "." selects the mode of the processor
/// ("u", "k=1"), or all of the event, rather than another event.
bool leaves_event(std::string_view modifier) {
    constexpr std::string_view kAll[] = {"any", "any_p", "thread", "thread_p", "core", "core_p"};
    if (std::ranges::find(kAll, modifier) != std::end(kAll)) return true;
    return modifier.substr(0, modifier.find('=')).find_first_not_of("ukhvgpsdemi") ==
           std::string_view::npos;
}

}  // namespace

std::optional<HardwareCounter> hardware_counter(std::string_view metric) {
    using Counter = HardwareCounter;
    // Without the prefix of a tool, in lower case.
    constexpr std::pair<std::string_view, Counter> kNames[] = {
        {"papi_tot_ins", Counter::instructions},
        {"instructions", Counter::instructions},
        {"hw_instructions", Counter::instructions},
        {"perf_count_hw_instructions", Counter::instructions},
        {"instruction_retired", Counter::instructions},
        {"instructions_retired", Counter::instructions},
        {"inst_retired", Counter::instructions},
        {"instr_retired_any", Counter::instructions},
        {"retired_instructions", Counter::instructions},
        {"papi_tot_cyc", Counter::cycles},
        {"cycles", Counter::cycles},
        {"cpu-cycles", Counter::cycles},
        {"cpu_cycles", Counter::cycles},
        {"hw_cpu_cycles", Counter::cycles},
        {"perf_count_hw_cpu_cycles", Counter::cycles},
        {"unhalted_core_cycles", Counter::cycles},
        {"cpu_clk_unhalted", Counter::cycles},
        {"cpu_clk_thread_unhalted", Counter::cycles},
        {"cpu_clk_unhalted_core", Counter::cycles},
        {"cpu_clocks_unhalted", Counter::cycles},
        {"cycles_not_in_halt", Counter::cycles}};
    std::string name(metric);
    std::ranges::transform(name, name.begin(), [](char c) {
        return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    });
    std::string_view rest = name;
    const std::size_t prefix = rest.rfind("::");  // "perf::", "papi:::"
    if (prefix != std::string_view::npos) rest.remove_prefix(prefix + 2);
    if (rest.starts_with("cpu/") && rest.ends_with("/")) rest = rest.substr(4, rest.size() - 5);
    const std::string_view event = rest.substr(0, rest.find_first_of(":."));
    rest.remove_prefix(event.size());
    while (!rest.empty()) {
        rest.remove_prefix(1);
        const std::string_view modifier = rest.substr(0, rest.find_first_of(":."));
        if (!leaves_event(modifier)) return {};
        rest.remove_prefix(modifier.size());
    }
    const auto* const known =
        std::ranges::find(kNames, event, [](const auto& it) { return it.first; });
    if (known == std::end(kNames)) return {};
    return known->second;
}

std::optional<double> ComputationCounters::value(HardwareCounter counter) const {
    if (!of(counter).is_known()) return {};
    return of(counter).value;
}

std::optional<double> ComputationCounters::ipc() const {
    const CountedComputation& instructions = of(HardwareCounter::instructions);
    const CountedComputation& cycles = of(HardwareCounter::cycles);
    const bool same = instructions.counted == cycles.counted && cycles.value > 0;
    if (!same || !instructions.is_known()) return {};
    return instructions.value / cycles.value;
}

std::optional<double> ComputationCounters::frequency() const {
    const CountedComputation& cycles = of(HardwareCounter::cycles);
    if (!cycles.is_known()) return {};
    return cycles.value / static_cast<double>(cycles.counted);
}

double ComputationCounters::coverage() const {
    double least = 1;
    for (const CountedComputation& it : counters) {
        const u64 all = it.counted + it.uncounted;
        if (it.counted == 0 || it.uncounted == 0) continue;
        least = std::min(least, static_cast<double>(it.counted) / static_cast<double>(all));
    }
    return least;
}

void ComputationCounters::add(const ComputationCounters& other) {
    for (std::size_t i = 0; i < kHardwareCounters; ++i) counters[i].add(other.counters[i]);
}

RecordedCounters::RecordedCounters(TraceFile& file) : catalogue(file) {
    for (const MetricMember& member : catalogue.members()) {
        of_members.push_back(hardware_counter(member.name));
    }
}

bool RecordedCounters::empty() const {
    return std::ranges::none_of(of_members, [](const auto& it) { return it.has_value(); });
}

std::string RecordedCounters::names(HardwareCounter counter) const {
    std::string names;
    for (std::size_t i = 0; i < of_members.size(); ++i) {
        if (of_members[i] != counter) continue;
        if (!names.empty()) names += ", ";
        names += catalogue.members()[i].name;
    }
    return names;
}

namespace {

/// A count as it stood at a record.
struct Reading {
    bool is_real = false;
    u64 bits = 0;

    [[nodiscard]] double minus(const Reading& before) const {
        if (is_real) return std::bit_cast<double>(bits) - std::bit_cast<double>(before.bits);
        return static_cast<double>(static_cast<i64>(bits - before.bits));
    }
};

/// Turns the values of a metric into readings of one count.
class CountReader {
  public:
    Reading read(const MetricMember& member, ValueType type, u64 bits) {
        const bool is_real = tracefold::is_real(type);
        if (is_real) bits = std::bit_cast<u64>(real_value(type, bits));
        const bool is_amount =
            member.mode == MetricMode::relative ||
            (member.mode == MetricMode::absolute && member.timing != MetricTiming::point &&
             member.timing != MetricTiming::start);
        if (!is_amount) return {is_real, bits};
        const Reading before{is_real, sum_};
        sum_ = is_real
                   ? std::bit_cast<u64>(std::bit_cast<double>(sum_) + std::bit_cast<double>(bits))
                   : sum_ + bits;
        return member.timing == MetricTiming::next ? before : Reading{is_real, sum_};
    }

  private:
    u64 sum_ = 0;  ///< of amounts
};

class CounterWalk {
  public:
    CounterWalk(TraceFile& file, const RecordedCounters& recorded, u32 location,
                const ClockMap& clock, const MeasuredTime& time)
        : recorded_(recorded),
          threads_(file),
          walk_(file, location, location, Times::read, tree_, threads_),
          clock_(clock),
          measured_(time),
          readers_(recorded.of_members.size()) {}

    ComputationCounters run() {
        begin_.common = measured_.begin();
        bool was_inside = false;
        while (walk_.next()) {
            if (static_cast<EventType>(walk_.head().type) == EventType::Metric) take_values();
            const bool is_inside = walk_.in_call_of_location();
            if (is_inside == was_inside) continue;
            was_inside = is_inside;
            if (is_inside) {
                end_ = here();
            } else {
                book();
                begin_ = here();
            }
        }
        if (!was_inside) {
            end_ = {};
            end_.common = measured_.end();
        }
        book();
        return sums_;
    }

  private:
    using Readings = std::array<std::optional<Reading>, kHardwareCounters>;
    /// An end of an interval outside of MPI.
    struct Edge {
        u64 time = ~u64{0};  ///< of the record
        u64 common = 0;
        Readings readings{};
    };

    /// The edge at the current record, with readings of the same time before it.
    [[nodiscard]] Edge here() const {
        Edge edge{walk_.head().time, clock_.common(walk_.head().time)};
        if (read_at_ == edge.time) edge.readings = last_;
        return edge;
    }

    /// Recorders write the values of a call before or after its record, at the same time.
    void take_values() {
        const u64 time = walk_.head().time;
        if (read_at_ != time) last_ = {};
        read_at_ = time;
        recorded_.catalogue.for_each(
            walk_.values(), walk_.tables(), [&](u32 member, ValueType type, u64 bits) {
                if (!recorded_.of_members[member]) return;
                const auto counter = static_cast<std::size_t>(*recorded_.of_members[member]);
                std::optional<u32>& chosen = members_[counter];
                if (!chosen) chosen = member;
                if (*chosen != member) return;
                const MetricMember& metric = recorded_.catalogue.members()[member];
                last_[counter] = readers_[member].read(metric, type, bits);
                Edge& edge = walk_.in_call_of_location() ? end_ : begin_;
                if (edge.time == time && !edge.readings[counter]) {
                    edge.readings[counter] = last_[counter];
                }
            });
    }

    /// Adds the interval from begin_ to end_.
    void book() {
        const u64 ticks = measured_.within(begin_.common, end_.common);
        if (ticks == 0) return;
        const bool is_whole = ticks == end_.common - begin_.common;
        for (std::size_t i = 0; i < kHardwareCounters; ++i) {
            const auto& before = begin_.readings[i];
            const auto& after = end_.readings[i];
            const double value = before && after ? after->minus(*before) : -1;
            CountedComputation& sum = sums_.counters[i];
            if (is_whole && value >= 0) {
                sum.value += value * scale(i);
                sum.counted += ticks;
            } else {
                sum.uncounted += ticks;
            }
        }
    }

    [[nodiscard]] double scale(std::size_t counter) const {
        const std::optional<u32> member = members_[counter];
        return member ? recorded_.catalogue.members()[*member].scale() : 1;
    }

    const RecordedCounters& recorded_;
    CallTree tree_;
    TraceThreads threads_;
    PathWalk walk_;
    ClockMap clock_;
    const MeasuredTime& measured_;
    std::vector<CountReader> readers_;  ///< by metric
    /// The first metric of each counter that is recorded; others of the same counter are left out.
    std::array<std::optional<u32>, kHardwareCounters> members_{};
    Readings last_{};  ///< of the last records of metrics, all of time read_at_
    u64 read_at_ = ~u64{0};
    Edge begin_;
    Edge end_;
    ComputationCounters sums_;
};

}  // namespace

ComputationCounters count_computation(TraceFile& file, const RecordedCounters& recorded,
                                      u32 location, const ClockMap& clock,
                                      const MeasuredTime& time) {
    return CounterWalk(file, recorded, location, clock, time).run();
}

}  // namespace tracefold
