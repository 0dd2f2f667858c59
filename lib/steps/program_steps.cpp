// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "steps/program_steps.hpp"

#include "core/hash.hpp"
#include "model/collective_kind.hpp"
#include "steps/quiescent_cuts.hpp"
#include "steps/repeated_steps.hpp"
#include "steps/step_alignment.hpp"
#include "steps/step_places.hpp"

#include <algorithm>

namespace tracefold {

namespace {

using Kind = Operation::Kind;

constexpr OperationLimits kMost = {64'000'000, 16'000'000};

u64 mix_two(u64 a, u64 b) { return mix(mix(a) + b); }

class Finder {
  public:
    Finder(TraceFile& file, Operations operations)
        : file_(file), all_(std::move(operations)), reference_(busiest()) {}

    std::optional<ProgramSteps> run() {
        auto steps = find();
        if (!steps || !begin_quiescent(*steps)) {
            all_.overlook_requests();
            steps = find();
        }
        if (!steps) return std::nullopt;
        ProgramSteps found;
        found.count = steps->begins.size();
        if (!place(*steps, found)) return std::nullopt;
        return found;
    }

  private:
    /// The rank that sends most, else calls most collectives.
    [[nodiscard]] u32 busiest() const {
        u32 busiest = 0;
        std::pair<u64, u64> most;
        for (u32 rank = 0; rank < all_.ranks.size(); ++rank) {
            std::pair<u64, u64> own;
            for (const Operation& one : all_.ranks[rank].operations) {
                own.first += sends(one) ? 1 : 0;
                own.second += one.kind == Kind::collective ? 1 : 0;
            }
            if (own > most) busiest = rank;
            most = std::max(most, own);
        }
        return busiest;
    }

    static bool sends(const Operation& one) {
        return one.kind == Kind::send || one.kind == Kind::access;
    }

    [[nodiscard]] std::optional<RepeatedSteps> find() {
        find_cuts();
        deeds_.clear();
        places_.clear();
        const std::vector<Operation>& operations = all_.ranks[reference_].operations;
        for (u32 place = 0; place < operations.size(); ++place) {
            const Operation& one = operations[place];
            if (!sends(one) && one.kind != Kind::collective) continue;
            const u32 cut = cut_before(place);
            deeds_.push_back(deed(one));
            deeds_.back().may_begin =
                places_.empty() || (cut > 0 && cuts_[cut - 1] > places_.back());
            places_.push_back(place);
        }
        return find_repeated_steps(deeds_);
    }

    /// Notes where the reference rank is at each cut.
    void find_cuts() {
        cuts_.clear();
        QuiescentCuts cuts(all_, reference_);
        while (cuts.next()) cuts_.push_back(cuts.places()[reference_]);
    }

    /// How many cuts are at a place or before it.
    [[nodiscard]] u32 cut_before(u32 place) const {
        return static_cast<u32>(std::upper_bound(cuts_.begin(), cuts_.end(), place) -
                                cuts_.begin());
    }

    static Deed deed(const Operation& one) {
        Deed deed;
        deed.sends = sends(one);
        const auto kind = static_cast<u64>(one.kind);
        deed.partner = mix_two(mix_two(kind, one.channel), one.operation);
        deed.tagged = mix_two(deed.partner, one.tag);
        deed.message = mix_two(deed.tagged, one.size);
        deed.bytes = one.size;
        deed.is_barrier = !deed.sends && collective_kind(one.operation) == CollectiveKind::barrier;
        return deed;
    }

    [[nodiscard]] bool begin_quiescent(const RepeatedSteps& steps) const {
        const auto quiescent = std::count_if(steps.begins.begin(), steps.begins.end(),
                                             [this](u32 begin) { return deeds_[begin].may_begin; });
        return static_cast<std::size_t>(quiescent) * 2 > steps.begins.size();
    }

    /// How many cuts are passed before a step that begins with this deed.
    [[nodiscard]] u32 cut_of(u32 deed) const {
        if (deed == deeds_.size()) return static_cast<u32>(cuts_.size());
        const u32 cut = cut_before(places_[deed]);
        return deeds_[deed].may_begin ? cut : cut + 1;
    }

    /// By step, and at last behind them all: the least cuts with the reference rank there.
    [[nodiscard]] std::vector<Cut> least_cuts(const RepeatedSteps& steps) const {
        std::vector<Cut> found;
        QuiescentCuts cuts(all_, reference_);
        u32 passed = 0;
        const auto go_to = [&](u32 deed) {
            for (; passed < cut_of(deed); ++passed) cuts.next();
            found.push_back(cuts.places());
        };
        for (const u32 begin : steps.begins) go_to(begin);
        go_to(steps.end);
        return found;
    }

    /// The greatest cuts with the reference rank where it is in the least ones.
    [[nodiscard]] std::vector<Cut> greatest_cuts(const std::vector<Cut>& least) const {
        const Operations backwards = reversed(all_);
        QuiescentCuts cuts(backwards, reference_);
        std::vector<Cut> found(least.size());
        for (std::size_t i = least.size(); i-- > 0;) {
            const Cut wanted = reversed(least[i], all_);
            while (cuts.places()[reference_] < wanted[reference_]) cuts.next();
            found[i] = reversed(cuts.places(), all_);
            for (std::size_t rank = 0; rank < wanted.size(); ++rank) {
                found[i][rank] = std::max(found[i][rank], least[i][rank]);
            }
        }
        return found;
    }

    /// False if most ranks do nothing in the steps.
    bool place(const RepeatedSteps& steps, ProgramSteps& found) const {
        const std::vector<Cut> least = least_cuts(steps);
        const std::vector<Cut> cuts = align_steps(all_, least, greatest_cuts(least));
        found.locations.resize(file_.location_count());
        u32 idle = 0;
        for (u32 rank = 0; rank < all_.ranks.size(); ++rank) {
            const u32 location = all_.ranks[rank].location;
            if (location == kNone || cuts.front()[rank] == cuts.back()[rank]) {
                ++idle;
            } else {
                found.locations[location] = place_steps(file_, location, borders(cuts, rank));
            }
        }
        return idle * 2 < all_.ranks.size();
    }

    [[nodiscard]] std::vector<StepBorder> borders(const std::vector<Cut>& cuts, u32 rank) const {
        const Operations::Rank& own = all_.ranks[rank];
        std::vector<StepBorder> borders;
        for (const Cut& cut : cuts) {
            const u32 place = cut[rank];
            const u64 behind = place == 0 ? 0 : u64{own.operations[place - 1].call} + 1;
            const bool last = place == own.operations.size();
            borders.push_back({behind, last ? own.calls : own.operations[place].call});
        }
        return borders;
    }

    TraceFile& file_;
    Operations all_;
    u32 reference_;
    std::vector<u32> cuts_;    ///< places of the reference rank
    std::vector<Deed> deeds_;  ///< of the reference rank
    std::vector<u32> places_;  ///< by deed
};

}  // namespace

std::optional<ProgramSteps> find_program_steps(TraceFile& file) {
    auto operations = read_operations(file, kMost);
    if (!operations) return std::nullopt;
    return Finder(file, std::move(*operations)).run();
}

}  // namespace tracefold
