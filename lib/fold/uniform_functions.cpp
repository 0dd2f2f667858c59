// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/uniform_functions.hpp"

#include "fold/steady_offsets.hpp"
#include "model/square_way.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace tracefold {

namespace {

/// Lookups of one table: what the cells of a multi-partition say is the same in all its sweeps.
constexpr std::size_t kMostLookups = 24;
/// Participants beyond which no lookups are looked for.
constexpr std::size_t kMostCells = std::size_t{1} << 14U;

/// Looks for functions of all numbers in a grid.
class FunctionFinder {
  public:
    FunctionFinder(const NumberTable& numbers, std::span<const u32> columns, const RankGrid& grid)
        : numbers_(numbers),
          columns_(columns),
          grid_(grid),
          values_(columns.size()),
          draft_{DigitGrid(grid), {}, {}, numbers.periodic(), {}, {}, {}, {}} {}

    /// False if some number is no function and no lookup of `most` ones.
    bool find(std::size_t most) {
        for (std::size_t number = 0; number < numbers_.size(); ++number) {
            for (std::size_t p = 0; p < columns_.size(); ++p) {
                values_[p] = numbers_.at(columns_[p], number);
            }
            // Numbers that all participants have alike are one function.
            const auto [known, fresh] = known_numbers_.try_emplace(values_, 0);
            if (fresh && !fit(most, known->second)) return false;
            draft_.function_of.push_back(known->second);
        }
        return true;
    }

    [[nodiscard]] const FunctionDraft& draft() const { return draft_; }

  private:
    bool fit(std::size_t most, u64& function) {
        if (const std::optional<RankFunction> found = fit_function(grid_, values_)) {
            function = intern(*found, 0);
            return true;
        }
        if (most == 0) return false;
        const RankFunction way = find_blocks(grid_, values_);
        std::vector<u64> lookup(values_.size());
        for (u64 p = 0; p < values_.size(); ++p) lookup[evaluate(way, grid_, p)] = values_[p];
        auto& lookups = draft_.lookups;
        const auto known = std::find(lookups.begin(), lookups.end(), lookup);
        if (known == lookups.end() && fit_known_lookup(function)) return true;
        function = intern(way, 1 + static_cast<u32>(known - lookups.begin()));
        if (known == lookups.end()) lookups.push_back(std::move(lookup));
        return lookups.size() <= most;
    }

    /// Faces that look alike from different sides are one lookup, to which other ways lead.
    bool fit_known_lookup(u64& function) {
        for (u32 lookup = 0; lookup < draft_.lookups.size(); ++lookup) {
            const auto way = find_way(grid_, draft_.lookups[lookup], values_);
            if (!way) continue;
            function = intern(*way, 1 + lookup);
            return true;
        }
        return false;
    }

    u64 intern(const RankFunction& found, u32 lookup) {
        PlaceFunction function{found.base, {}, lookup};
        for (std::size_t t = 0; t < found.terms.size(); ++t) {
            const RankFunction::Term& term = found.terms[t];
            const u64 stride = term.stride == grid_.stride(t) ? 0 : term.stride;
            function.terms.push_back({stride, i64{term.offset}, term.coefficients});
        }
        const auto [known, fresh] = known_functions_.try_emplace(function, draft_.functions.size());
        if (fresh) draft_.functions.push_back(std::move(function));
        return known->second;
    }

    const NumberTable& numbers_;
    std::span<const u32> columns_;
    const RankGrid& grid_;
    std::vector<u64> values_;
    FunctionDraft draft_;
    std::map<std::vector<u64>, u64> known_numbers_;
    std::map<PlaceFunction, u64> known_functions_;
};

}  // namespace

std::optional<FunctionDraft> find_uniform(const NumberTable& numbers,
                                          std::span<const u32> columns) {
    for (const std::size_t most_lookups : {std::size_t{0}, kMostLookups}) {
        for (const RankGrid& grid : grids_of(static_cast<u32>(columns.size()))) {
            const bool has_cells = columns.size() <= kMostCells && grid.dimensions() == 2 &&
                                   grid.sizes()[0] == grid.sizes()[1];
            if (most_lookups != 0 && !has_cells) continue;
            FunctionFinder finder(numbers, columns, grid);
            if (finder.find(most_lookups)) return finder.draft();
        }
    }
    return std::nullopt;
}

FunctionDraft with_one_each(const FunctionDraft& draft) {
    FunctionDraft out = draft;
    out.functions.clear();
    for (u64& function : out.function_of) {
        out.functions.push_back(draft.functions[function]);
        function = out.functions.size() - 1;
    }
    return out;
}

FunctionDraft with_steady_offsets(FunctionDraft draft) {
    std::vector<i64> offsets(draft.functions.size());
    for (std::size_t t = 0; t < draft.grid.dimensions(); ++t) {
        for (std::size_t k = 0; k < offsets.size(); ++k) {
            offsets[k] = draft.functions[k].terms[t].offset;
        }
        make_steady(offsets, draft.grid.sizes()[t]);
        for (std::size_t k = 0; k < offsets.size(); ++k) {
            draft.functions[k].terms[t].offset = offsets[k];
        }
    }
    return draft;
}

}  // namespace tracefold
