// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "steps/step_places.hpp"

#include "fold/location_cursor.hpp"

#include <algorithm>
#include <optional>

namespace tracefold {

namespace {

/// Of longer gaps only so many calls at either end are looked at.
constexpr u64 kMostCalls = 4096;

using Symbols = std::vector<u32>;

/// Goes through the symbols of a location's calls, without what they say of their arguments.
class SymbolReader {
  public:
    SymbolReader(TraceFile& file, u32 location) {
        const u32 script = file.index().script(Stream::events, location);
        if (script == kNone) return;
        symbols_ = &file.structure().scripts[script].symbols;
        cursor_.emplace(script_cursor(file.index(), script, location));
    }

    /// Calls from number `begin` to before `end`. Precondition: none before those read last.
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

    /// Passes calls of the present run; returns how many.
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

}  // namespace tracefold
