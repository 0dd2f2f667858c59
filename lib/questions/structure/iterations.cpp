// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/structure/iterations.hpp"

#include "base/error.hpp"
#include "file/call_reader.hpp"
#include "mpi/main_loop.hpp"

#include <algorithm>
#include <utility>

namespace tracefold {

u32 chosen_loop(ListingSource& source, u32 script, u32 number) {
    if (number == 0) {
        const ParticipantList& members = source.counts().members_of_script(script);
        const std::optional<MainLoop> loop =
            find_main_loop(source.structure(), source.counts(), script, members);
        return loop ? loop->nodes.front() : u32{kNone};
    }
    const Structure& structure = source.structure();
    const Pattern& pattern = structure.patterns[structure.scripts[script].pattern];
    std::vector<u32> loops;
    for (const u32 item : pattern.root) {
        const bool again = std::find(loops.begin(), loops.end(), item) != loops.end();
        if (item >= pattern.leaf_count && !again) loops.push_back(item);
    }
    return number <= loops.size() ? loops[number - 1] : u32{kNone};
}

std::vector<IterationRange> iteration_ranges(TraceFile& file, u32 location,
                                             const LocationSteps& steps,
                                             const std::function<bool(u64 iteration)>& wanted) {
    CallReader calls(file, location);
    StepCounter counter(&steps);
    std::vector<IterationRange> ranges;
    bool is_within = false;
    u64 number = 0;
    for (u64 before = 0; calls.next(); before = calls.records()[calls.records().size() - 1].time) {
        counter.next();
        const std::optional<u64> iteration = counter.step();
        const bool was_within = std::exchange(is_within, iteration && wanted(*iteration));
        if (is_within && !was_within) {
            const u64 begin = number == 0 ? calls.records()[0].time : before;
            ranges.push_back({number, ~u64{0}, {begin, begin}});
        }
        if (was_within && !is_within) ranges.back().last = number;
        number += calls.records().size();
        if (is_within) ranges.back().time.end = calls.records()[calls.records().size() - 1].time;
    }
    return ranges;
}

const LocationSteps* Iterations::of(u32 location) {
    if (are_of_program()) return steps_.get() ? steps_.get()->of(location) : nullptr;
    const auto [known, fresh] = of_loops_.try_emplace(location);
    if (fresh) {
        const u32 loop = loop_of(location);
        if (loop != kNone) known->second = steps_of_loop(file_, location, loop);
    }
    return known->second.count() == 0 ? nullptr : &known->second;
}

void Iterations::expect_some() {
    if (!are_of_program() || steps_.get()) return;
    throw Error(ErrorKind::usage, "{} has no steps common to all ranks that could be selected: {}",
                file_.container().path(), no_steps_text(steps_.none()));
}

u32 Iterations::loop_of(u32 location) {
    const u32 script = source_.index().script(Stream::events, location);
    return script == kNone ? u32{kNone} : chosen_loop(source_, script, loop_);
}

}  // namespace tracefold
