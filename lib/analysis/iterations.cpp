// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/iterations.hpp"

#include "analysis/main_loop.hpp"
#include "core/error.hpp"
#include "steps/step_places.hpp"

#include <algorithm>

namespace tracefold {

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
    throw Error(ErrorKind::usage,
                "{} has no steps that all ranks take together, whose numbers could be named",
                file_.container().path());
}

u32 Iterations::loop_of(u32 location) {
    const u32 script = source_.index().script(Stream::events, location);
    return script == kNone ? u32{kNone} : chosen_loop(source_, script, loop_);
}

}  // namespace tracefold
