// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/columns/function_draft.hpp"

#include "base/error.hpp"
#include "fold/column_builder.hpp"

#include <utility>

namespace tracefold {

namespace {

u32 column_of(StructurePool& pool, const std::vector<u64>& numbers) {
    ColumnBuilder builder;
    for (const u64 number : numbers) builder.push(number);
    return builder.finish(pool);
}

/// Collects a parameter of all functions.
template <class Parameter>
u32 column_of(StructurePool& pool, const std::vector<PlaceFunction>& functions,
              const Parameter& parameter) {
    ColumnBuilder builder;
    for (const PlaceFunction& function : functions) builder.push(parameter(function));
    return builder.finish(pool);
}

std::vector<u32> parameters_of(StructurePool& pool, const std::vector<PlaceFunction>& functions) {
    using Function = PlaceFunction;
    const std::size_t dimensions = functions[0].terms.size();
    std::vector<u32> columns;
    const auto add = [&](const auto& parameter) {
        columns.push_back(column_of(pool, functions, parameter));
    };
    add([](const Function& function) { return function.base; });
    for (std::size_t t = 0; t < dimensions; ++t) {
        add([t](const Function& function) { return function.terms[t].stride; });
        add([t](const Function& function) { return static_cast<u64>(function.terms[t].offset); });
        for (std::size_t d = 0; d < dimensions; ++d) {
            add([t, d](const Function& function) {
                return u64{function.terms[t].coefficients[d]};
            });
        }
    }
    return columns;
}

/// True if number k has function k.
bool has_one_each(const FunctionDraft& draft) {
    if (draft.function_of.size() != draft.functions.size()) return false;
    if (!draft.presence.empty() || !draft.order.empty()) return false;
    for (std::size_t k = 0; k < draft.function_of.size(); ++k) {
        if (draft.function_of[k] != k) return false;
    }
    return true;
}

void add_factors(StructurePool& pool, const FunctionDraft& draft, FunctionTable& table) {
    if (draft.factors.empty()) return;
    for (const auto& factor : draft.factors) table.factors.push_back(column_of(pool, factor));
    for (std::size_t t = 0; t < draft.grid.dimensions(); ++t) {
        table.factor_of.push_back(column_of(
            pool, draft.functions,
            [t](const PlaceFunction& function) { return u64{function.terms[t].factor}; }));
    }
}

}  // namespace

u64 evaluate(const PlaceFunction& function, const DigitGrid& grid, const Factors& factors,
             std::span<const u32> place, bool& inside) {
    const bool has_factors = function.has_factors();
    u64 number = function.base;
    for (std::size_t t = 0; t < function.terms.size(); ++t) {
        const PlaceFunction::Term& term = function.terms[t];
        const auto size = static_cast<i64>(grid.sizes()[t]);
        i64 sum = term.offset;
        for (std::size_t d = 0; d < place.size(); ++d) {
            sum += static_cast<i64>(u64{term.coefficients[d]} * place[d]);
        }
        if (sum < 0 || sum >= size) inside = false;
        sum %= size;
        const auto coordinate = static_cast<u32>(sum < 0 ? sum + size : sum);
        if (term.factor != 0) {
            number *= factors[term.factor - 1][coordinate];
        } else if (!has_factors) {
            number += term.stride == 0 ? grid.weight(t, coordinate) : term.stride * coordinate;
        }
    }
    return number;
}

std::vector<u32> place_of(const DigitGrid& grid, u64 participant) {
    std::vector<u32> place;
    for (std::size_t d = 0; d < grid.dimensions(); ++d) {
        place.push_back(grid.coordinate(d, participant));
    }
    return place;
}

FunctionTable table_of(StructurePool& pool, const FunctionDraft& draft) {
    FunctionTable table;
    table.grid = draft.grid.digits();
    table.function_count = static_cast<u32>(draft.functions.size());
    table.parameters = parameters_of(pool, draft.functions);
    for (const auto& lookup : draft.lookups) table.lookups.push_back(column_of(pool, lookup));
    if (!draft.lookups.empty()) {
        table.lookup_of = column_of(pool, draft.functions, [](const PlaceFunction& function) {
            return u64{function.lookup};
        });
    }
    add_factors(pool, draft, table);
    table.size = static_cast<u32>(draft.function_of.size());
    table.periodic = draft.periodic;
    if (!has_one_each(draft)) table.function_of = column_of(pool, draft.function_of);
    table.follows = draft.follows;
    if (draft.follows) return table;
    if (!draft.order.empty()) table.order = column_of(pool, draft.order);
    if (!draft.choices.empty()) table.choices = column_of(pool, draft.choices);
    if (!draft.presences.empty()) table.group_of = column_of(pool, draft.group_of);
    if (draft.presence.empty()) return table;
    table.presence = column_of(pool, draft.presence);
    for (const auto& presence : draft.presences)
        table.presences.push_back(column_of(pool, presence));
    return table;
}

namespace {

constexpr u64 kPart = 64;
constexpr u64 kMost = u64{1} << 60U;

/// Digits packed into one number.
struct Group {
    std::size_t begin = 0;
    std::size_t end = 0;
    u64 numbers = 1;  ///< number of combinations

    [[nodiscard]] u64 parts() const {
        u64 parts = 0;
        for (u64 reached = 1; reached < numbers; reached *= kPart) ++parts;
        return parts;
    }
};

template <class Visit>
void for_each_group(std::span<const u32> sizes, const Visit& visit) {
    Group group;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        if (sizes[i] > kMost / group.numbers) {
            visit(group);
            group = {i, i, 1};
        }
        group.numbers *= sizes[i];
        group.end = i + 1;
    }
    visit(group);
}

}  // namespace

std::vector<u64> pack_digits(std::span<const u64> digits, std::span<const u32> sizes) {
    std::vector<u64> parts;
    for_each_group(sizes, [&](const Group& group) {
        u64 number = 0;
        for (std::size_t i = group.begin; i < group.end; ++i) {
            number = number * sizes[i] + digits[i];
        }
        const u64 count = group.parts();
        parts.resize(parts.size() + count);
        for (u64 k = 1; k <= count; ++k, number /= kPart) parts[parts.size() - k] = number % kPart;
    });
    return parts;
}

u64 packed_parts(std::span<const u32> sizes) {
    u64 parts = 0;
    for_each_group(sizes, [&parts](const Group& group) { parts += group.parts(); });
    return parts;
}

std::vector<u64> unpack_digits(std::span<const u64> parts, std::span<const u32> sizes) {
    std::vector<u64> digits(sizes.size());
    for_each_group(sizes, [&](const Group& group) {
        u64 number = 0;
        const u64 count = group.parts();
        for (u64 k = 0; k < count; ++k) {
            if (parts[k] >= kPart) throw Error(ErrorKind::corrupt, "a choice has a part too large");
            number = number * kPart + parts[k];
        }
        parts = parts.subspan(count);
        if (number >= group.numbers) {
            throw Error(ErrorKind::corrupt, "a choice is none of those that there are");
        }
        for (std::size_t i = group.end; i-- > group.begin; number /= sizes[i]) {
            digits[i] = number % sizes[i];
        }
    });
    return digits;
}

namespace {

/// The step modulo the size with the smallest magnitude; positive if ambiguous.
i64 nearest_step(i64 step, u32 size) {
    const i64 most = i64{size} / 2;
    if (step > most) return step - i64{size};
    return step < most + 1 - i64{size} ? step + i64{size} : step;
}

}  // namespace

std::vector<DigitGrid> all_grids_of(u32 participants) {
    std::vector<DigitGrid> grids;
    for (const RankGrid& grid : grids_of(participants)) grids.emplace_back(grid);
    for (DigitGrid& grid : cut_grids_of(participants)) grids.push_back(std::move(grid));
    return grids;
}

Displacements::Displacements(const DigitGrid& grid, bool wraps) : grid_(grid), wraps_(wraps) {
    for (u64 p = 0; p < grid.participants(); ++p) places_.push_back(place_of(grid, p));
}

u64 Displacements::between(u64 from, u64 to) const {
    u64 code = 0;
    for (std::size_t d = 0; d < grid_.dimensions(); ++d) {
        const u32 size = grid_.sizes()[d];
        const i64 step = i64{places_[to][d]} - i64{places_[from][d]};
        const i64 taken = wraps_ ? nearest_step(step, size) : step;
        code = code * 2 * size + static_cast<u64>(taken + i64{size});
    }
    return code;
}

std::vector<i64> Displacements::steps(u64 code) const {
    std::vector<i64> steps(grid_.dimensions());
    for (std::size_t d = steps.size(); d-- > 0;) {
        const u64 size = grid_.sizes()[d];
        steps[d] = static_cast<i64>(code % (2 * size)) - static_cast<i64>(size);
        code /= 2 * size;
    }
    return steps;
}

PlaceFunction Displacements::function(u64 code) const {
    PlaceFunction function = constant_function(0, grid_.dimensions());
    const std::vector<i64> own = steps(code);
    for (std::size_t d = 0; d < own.size(); ++d) {
        function.terms[d].offset = own[d];
        function.terms[d].coefficients[d] = 1;
    }
    return function;
}

PlaceFunction constant_function(u64 number, std::size_t dimensions) {
    PlaceFunction function{number, {}};
    for (std::size_t d = 0; d < dimensions; ++d) {
        function.terms.push_back({0, 0, std::vector<u32>(dimensions, 0)});
    }
    return function;
}

}  // namespace tracefold
