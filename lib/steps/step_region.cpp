// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "steps/step_region.hpp"

#include "model/record_kinds.hpp"
#include "trace/call_reader.hpp"
#include "trace/region_stack.hpp"

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace tracefold {

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
        // The outermost region, such as main, is around everything.
        if (!begun_ || least_ < 2) return std::nullopt;
        return StepRegion{definitions_.region_name(first_open_[least_ - 1]), false};
    }

  private:
    /// A region that is entered in steps.
    struct Candidate {
        u64 region = 0;
        u64 last = kNoStep;  ///< the last step it was entered in
        u64 steps = 0;
        u64 mpi_calls = 0;  ///< within
        bool twice = false;
        std::size_t depth = 0;
    };
    struct Frame {
        u64 region = 0;
        u32 candidate = kNone;
    };

    void begin() {
        begun_ = true;
        for (const Frame& frame : open_.open()) first_open_.push_back(frame.region);
        around_ = least_ = first_open_.size();
    }

    void take(std::size_t record) {
        const u8 type = calls_.records()[record].type;
        if (is_enter(type)) {
            enter(calls_.region(record));
        } else if (is_leave(type)) {
            open_.leave(calls_.region(record).id);
            around_ = std::min(around_, open_.open().size());
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
        for (const Frame& frame : open_.open()) {
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
    std::vector<u64> first_open_;  ///< regions, when the first step begins
    std::size_t around_ = 0;       ///< as many of these have been open ever since
    std::size_t least_ = 0;        ///< the same up to the last call in a step
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
