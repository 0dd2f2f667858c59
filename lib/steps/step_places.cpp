// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "steps/step_places.hpp"

#include "fold/location_cursor.hpp"

#include <algorithm>

namespace tracefold::inline steps {

namespace {

/// Of longer gaps only so many calls at either end are looked at.
constexpr u64 kMostCalls = 4096;

using Symbols = std::vector<u32>;

/// Reads the symbols of some calls of a location, by rising number.
class SymbolReader {
  public:
    SymbolReader(TraceFile& file, u32 location) : cursor_(file.index(), Stream::events, location) {}

    /// Calls from number `begin` to before `end`. Precondition: none before those read last.
    Symbols read(u64 begin, u64 end) {
        Symbols symbols;
        while (number_ < end && cursor_.next(symbol_, values_)) {
            if (number_++ >= begin) symbols.push_back(symbol_);
        }
        return symbols;
    }

  private:
    LocationCursor cursor_;
    u64 number_ = 0;
    u32 symbol_ = 0;
    AppendBuffer<u64> values_;
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
    LocationCursor cursor(file.index(), Stream::events, location);
    cursor.follow(loop);
    LocationSteps steps;
    std::optional<u64> last;
    u32 symbol = 0;
    AppendBuffer<u64> values;
    u64 call = 0;
    for (; cursor.next(symbol, values); ++call) {
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

}  // namespace tracefold::inline steps
