// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/function_draft.hpp"

#include "fold/column_builder.hpp"

namespace tracefold {

namespace {

u32 column_of(StructurePool& pool, const std::vector<u64>& numbers) {
    ColumnBuilder builder;
    for (const u64 number : numbers) builder.push(number);
    return builder.finish(pool);
}

/// A parameter of all functions.
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

/// Whether nothing is to be said about the sequence: each number has a function of its own.
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

}  // namespace tracefold
