// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/merged_functions.hpp"

#include "fold/merged_sequence.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace tracefold {

namespace {

/// Groups of participants beyond which sequences are not merged.
constexpr std::size_t kMostMerged = 128;
/// Participants beyond which grids are not tried.
constexpr std::size_t kMostPlaced = std::size_t{1} << 14U;

/// The different numbers of a participant, and its sequence as their indices.
struct Letters {
    std::vector<u64> numbers;
    std::vector<u64> indices;
};

Letters letters_of(const std::vector<u64>& numbers) {
    Letters letters;
    std::map<u64, u64> known;
    for (const u64 number : numbers) {
        const auto [found, fresh] = known.emplace(number, letters.numbers.size());
        if (fresh) letters.numbers.push_back(number);
        letters.indices.push_back(found->second);
    }
    return letters;
}

/// What a number is for its participant: itself, or a displacement on a grid.
using Meaning = std::vector<i64>;

/// From the place of a participant to others.
class Displacements {
  public:
    Displacements(const DigitGrid& grid, bool periodic) : grid_(grid), periodic_(periodic) {
        for (u64 p = 0; p < grid.participants(); ++p) places_.push_back(place_of(grid, p));
    }

    [[nodiscard]] Meaning operator()(u64 from, u64 to) const {
        Meaning steps;
        for (std::size_t d = 0; d < grid_.dimensions(); ++d) {
            const i64 step = i64{places_[to][d]} - i64{places_[from][d]};
            steps.push_back(periodic_ ? nearest(step, grid_.sizes()[d]) : step);
        }
        return steps;
    }

    [[nodiscard]] const DigitGrid& grid() const { return grid_; }
    [[nodiscard]] const std::vector<u32>& place(u64 participant) const {
        return places_[participant];
    }

  private:
    /// The same modulo the size, as near to 0 as it can be, and rather above it.
    static i64 nearest(i64 step, u32 size) {
        const i64 most = i64{size} / 2;
        if (step > most) return step - i64{size};
        return step < most + 1 - i64{size} ? step + i64{size} : step;
    }

    const DigitGrid& grid_;
    bool periodic_;
    std::vector<std::vector<u32>> places_;
};

/// Participants whose numbers mean the same.
struct Groups {
    std::vector<u64> group_of;                  ///< by participant
    std::vector<u32> first;                     ///< participant of each group
    std::map<Meaning, u64> meanings;            ///< with their numbers, in the order they came
    std::vector<std::vector<u64>> meanings_of;  ///< by group and letter
};

class MergedFinder {
  public:
    MergedFinder(const NumberTable& numbers, std::span<const u32> columns, NumberKind kind)
        : columns_(columns), kind_(kind) {
        std::map<std::vector<u64>, u64> shapes;
        for (const u32 column : columns) {
            letters_.push_back(letters_of(numbers.numbers(column)));
            shape_of_.push_back(
                shapes.emplace(letters_.back().indices, shapes.size()).first->second);
        }
    }

    std::optional<FunctionDraft> run() {
        std::optional<FunctionDraft> draft;
        if (kind_ == NumberKind::plain) {
            const DigitGrid line(RankGrid({static_cast<u32>(columns_.size())}));
            const auto itself = [](u64, u64 number) { return Meaning{static_cast<i64>(number)}; };
            const auto groups = group(itself, most_groups());
            if (groups) draft = merged(line, *groups, nullptr);
        } else {
            draft = on_grids();
        }
        return draft;
    }

  private:
    [[nodiscard]] std::size_t most_groups() const {
        return std::min(kMostMerged, columns_.size() / 2);
    }

    std::optional<FunctionDraft> on_grids() {
        if (columns_.size() > kMostPlaced || !are_places()) return std::nullopt;
        const auto participants = static_cast<u32>(columns_.size());
        std::vector<DigitGrid> grids;
        for (const RankGrid& grid : grids_of(participants)) grids.emplace_back(grid);
        for (DigitGrid& grid : cut_grids_of(participants)) grids.push_back(std::move(grid));
        std::optional<Groups> best;
        std::optional<std::pair<const DigitGrid*, bool>> best_grid;
        for (const DigitGrid& grid : grids) {
            for (const bool periodic : {false, true}) {
                const Displacements steps(grid, periodic);
                auto found = group(steps, best ? best->first.size() : most_groups());
                if (!found || (best && !is_better(*found, *best))) continue;
                best = std::move(found);
                best_grid = {&grid, periodic};
            }
        }
        if (!best) return std::nullopt;
        const Displacements steps(*best_grid->first, best_grid->second);
        return merged(*best_grid->first, *best, &steps);
    }

    static bool is_better(const Groups& a, const Groups& b) {
        return std::pair(a.first.size(), a.meanings.size()) <
               std::pair(b.first.size(), b.meanings.size());
    }

    [[nodiscard]] bool are_places() const {
        return std::all_of(letters_.begin(), letters_.end(), [&](const Letters& letters) {
            return std::all_of(letters.numbers.begin(), letters.numbers.end(),
                               [&](u64 number) { return number < columns_.size(); });
        });
    }

    /// Nothing if there are more groups than `most`.
    template <class MeaningOf>
    std::optional<Groups> group(const MeaningOf& meaning_of, std::size_t most) const {
        Groups groups;
        std::map<std::pair<u64, std::vector<u64>>, u64> known;
        for (u32 p = 0; p < columns_.size(); ++p) {
            std::vector<u64> meanings;
            for (const u64 number : letters_[p].numbers) {
                meanings.push_back(
                    groups.meanings.emplace(meaning_of(p, number), groups.meanings.size())
                        .first->second);
            }
            const auto [found, fresh] =
                known.emplace(std::pair(shape_of_[p], meanings), known.size());
            groups.group_of.push_back(found->second);
            if (!fresh) continue;
            if (known.size() > most) return std::nullopt;
            groups.first.push_back(p);
            groups.meanings_of.push_back(std::move(meanings));
        }
        return groups;
    }

    std::optional<FunctionDraft> merged(const DigitGrid& grid, const Groups& groups,
                                        const Displacements* steps) const {
        std::vector<std::vector<u64>> sequences;
        for (std::size_t g = 0; g < groups.first.size(); ++g) {
            sequences.emplace_back();
            for (const u64 index : letters_[groups.first[g]].indices) {
                sequences.back().push_back(groups.meanings_of[g][index]);
            }
        }
        const auto items = merge_sequences(sequences);
        if (!items) return std::nullopt;
        std::vector<const Meaning*> meanings(groups.meanings.size());
        for (const auto& [meaning, number] : groups.meanings) meanings[number] = &meaning;
        FunctionDraft draft{grid, {}, {}, true, {}, {}, {}, {}};
        std::map<u64, u64> function_of;
        for (const MergedItem& item : *items) {
            const auto [found, fresh] = function_of.emplace(item.item, function_of.size());
            if (fresh) draft.functions.push_back(function_for(grid, *meanings[item.item]));
            draft.function_of.push_back(found->second);
        }
        add_presence(draft, *items, groups, steps);
        return draft;
    }

    PlaceFunction function_for(const DigitGrid& grid, const Meaning& meaning) const {
        PlaceFunction function;
        const std::size_t dimensions = grid.dimensions();
        if (kind_ == NumberKind::plain) function.base = static_cast<u64>(meaning[0]);
        for (std::size_t d = 0; d < dimensions; ++d) {
            PlaceFunction::Term term{0, 0, std::vector<u32>(dimensions, 0)};
            if (kind_ == NumberKind::places) {
                term.offset = meaning[d];
                term.coefficients[d] = 1;
            }
            function.terms.push_back(std::move(term));
        }
        return function;
    }

    void add_presence(FunctionDraft& draft, const std::vector<MergedItem>& items,
                      const Groups& groups, const Displacements* steps) const {
        std::map<std::vector<u64>, u64> known;
        bool everywhere = true;
        for (std::size_t k = 0; k < items.size(); ++k) {
            const std::vector<u64> present(items[k].present.begin(), items[k].present.end());
            const PlaceFunction& function = draft.functions[draft.function_of[k]];
            u64 value = FunctionTable::kEverywhere;
            if (std::find(present.begin(), present.end(), 0U) != present.end()) {
                everywhere = false;
                if (steps != nullptr && is_inside(function, present, groups, *steps)) {
                    value = FunctionTable::kInside;
                } else {
                    const auto [found, fresh] =
                        known.emplace(present, FunctionTable::kGroups + known.size());
                    value = found->second;
                    if (fresh) draft.presences.push_back(present);
                }
            }
            draft.presence.push_back(value);
        }
        if (everywhere) draft.presence.clear();
        if (!draft.presences.empty()) draft.group_of = groups.group_of;
    }

    /// Whether a function stays within the grid for the participants of these groups only.
    [[nodiscard]] bool is_inside(const PlaceFunction& function, const std::vector<u64>& present,
                                 const Groups& groups, const Displacements& steps) const {
        for (u64 p = 0; p < columns_.size(); ++p) {
            bool inside = true;
            evaluate(function, steps.grid(), steps.place(p), inside);
            if (inside != (present[groups.group_of[p]] != 0)) return false;
        }
        return true;
    }

    std::span<const u32> columns_;
    NumberKind kind_;
    std::vector<Letters> letters_;  ///< by participant
    std::vector<u64> shape_of_;     ///< by participant: equal for equal indices
};

}  // namespace

std::optional<FunctionDraft> find_merged(const NumberTable& numbers,
                                         std::span<const u32> column_of_participant,
                                         NumberKind kind) {
    return MergedFinder(numbers, column_of_participant, kind).run();
}

}  // namespace tracefold
