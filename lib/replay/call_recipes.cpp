// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/call_recipes.hpp"

#include "model/record_kinds.hpp"
#include "query/call_names.hpp"

#include <algorithm>

namespace tracefold {

namespace {

/// Records that say something about an MPI call, other than those that only mark its beginning.
bool is_traffic(u8 type) {
    if (type == static_cast<u8>(EventType::MpiCollectiveBegin)) return false;
    if (type == static_cast<u8>(EventType::RmaCollectiveBegin)) return false;
    switch (record_kind(type)) {
        case RecordKind::messages:
        case RecordKind::collectives:
        case RecordKind::communicators:
        case RecordKind::rma:
        case RecordKind::io:
            return true;
        default:
            return false;
    }
}

/// Precondition: the first element enters something and the last one leaves something.
bool is_whole_call(const std::vector<ElementRecipe>& elements) {
    using Kind = ElementRecipe::Kind;
    const bool nested = std::any_of(
        elements.begin() + 1, elements.end() - 1,
        [](const auto& inner) { return inner.kind == Kind::enter || inner.kind == Kind::leave; });
    return elements.front().is_mpi && elements.front().region == elements.back().region && !nested;
}

}  // namespace

CallRecipes::CallRecipes(TraceFile& file, const MappingTables& tables)
    : file_(file),
      tables_(tables),
      recipes_(file.structure().symbols.size()),
      known_(file.structure().symbols.size(), false) {}

const CallRecipe& CallRecipes::work_out(u32 symbol) {
    CallRecipe& recipe = recipes_[symbol];
    for (const Element& element : file_.structure().symbols[symbol].elements) {
        recipe.elements.push_back(of_element(element));
        recipe.is_nothing =
            recipe.is_nothing && recipe.elements.back().kind == ElementRecipe::Kind::nothing;
    }
    recipe.is_call = call_kind(file_.structure().symbols[symbol]) == CallKind::call &&
                     is_whole_call(recipe.elements);
    known_[symbol] = true;
    return recipe;
}

ElementRecipe CallRecipes::of_element(const Element& element) const {
    ElementRecipe recipe;
    if (element.type == kCompletions) {
        recipe.kind = ElementRecipe::Kind::completions;
    } else if (is_enter(element.type) || is_leave(element.type)) {
        recipe.kind =
            is_enter(element.type) ? ElementRecipe::Kind::enter : ElementRecipe::Kind::leave;
        add_region(element, recipe);
    } else if (element.type == static_cast<u8>(EventType::Metric)) {
        if (file_.definitions().has_collective_sizes()) recipe.kind = ElementRecipe::Kind::metric;
    } else if (is_traffic(element.type)) {
        recipe.kind = ElementRecipe::Kind::traffic;
        const DefinitionIndex& names = file_.definitions();
        for (u32 i = 0; i < element.attributes.size(); ++i) {
            const u64 ref = tables_.global_of_code(FieldKind::attribute, element.attributes[i].ref);
            if (names.attribute_name(ref) == "Offset") recipe.offset = i;
        }
    }
    return recipe;
}

void CallRecipes::add_region(const Element& element, ElementRecipe& recipe) const {
    const DefinitionIndex& names = file_.definitions();
    const FieldKind kind = event_info(element.type).fields[0].kind;
    const u64 region = names.region_of(kind, tables_.global_of_code(kind, element.context));
    recipe.region = static_cast<u32>(region);
    if (!names.is_mpi_region(region)) return;
    const auto function = find_mpi_function(names.region_name(region), names.region_role(region));
    if (!function) return;
    recipe.is_mpi = true;
    recipe.info = *function;
}

}  // namespace tracefold
