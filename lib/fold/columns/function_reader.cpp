// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/columns/function_reader.hpp"

#include "base/error.hpp"
#include "fold/columns/function_draft.hpp"

#include <algorithm>
#include <numeric>

namespace tracefold {

namespace {

[[noreturn]] void corrupt(const char* what) { throw Error(ErrorKind::corrupt, what); }

}  // namespace

FunctionReader::FunctionReader(const FoldedSource& source, const FunctionTable& table,
                               const FunctionReader* leader)
    : table_(table), leader_(leader), grid_(table.grid), functions_(table.function_count) {
    if (table.follows != (leader != nullptr)) corrupt("functions follow none");
    if (leader != nullptr &&
        (leader->table_.grid != table.grid || leader->table_.size != table.size)) {
        corrupt("functions follow others of another size");
    }
    read_functions(source);
    read_factors(source);
    if (table.function_of == kNone) {
        function_of_.resize(table.size);
        std::iota(function_of_.begin(), function_of_.end(), u64{0});
    } else {
        function_of_ = unwind(source, table.function_of, table.size);
    }
    const auto is_function = [this](u64 number) { return number < functions_.size(); };
    if (!std::all_of(function_of_.begin(), function_of_.end(), is_function)) {
        corrupt("an argument has a number without a function");
    }
    if (leader == nullptr) read_sequence(source);
}

void FunctionReader::read_functions(const FoldedSource& source) {
    const std::size_t dimensions = grid_.dimensions();
    auto parameter = table_.parameters.begin();
    const auto next = [&] { return unwind(source, *parameter++, table_.function_count); };
    const std::vector<u64> bases = next();
    for (std::size_t k = 0; k < functions_.size(); ++k) functions_[k].base = bases[k];
    for (std::size_t t = 0; t < dimensions; ++t) {
        const std::vector<u64> strides = next();
        const std::vector<u64> offsets = next();
        for (std::size_t k = 0; k < functions_.size(); ++k) {
            functions_[k].terms.push_back({strides[k], offset(offsets[k], t), {}});
        }
        for (std::size_t d = 0; d < dimensions; ++d) {
            const std::vector<u64> coefficients = next();
            for (std::size_t k = 0; k < functions_.size(); ++k) {
                functions_[k].terms[t].coefficients.push_back(below(coefficients[k], t));
            }
        }
    }
    for (const u32 column : table_.lookups) {
        lookups_.push_back(unwind(source, column, grid_.participants()));
    }
    if (table_.lookup_of == kNone) return;
    const std::vector<u64> lookups = unwind(source, table_.lookup_of, table_.function_count);
    for (std::size_t k = 0; k < functions_.size(); ++k) {
        if (lookups[k] > table_.lookups.size()) corrupt("a function has no lookup");
        functions_[k].lookup = static_cast<u32>(lookups[k]);
    }
}

void FunctionReader::read_factors(const FoldedSource& source) {
    std::vector<u32> coordinates(table_.factors.size(), 0);
    for (std::size_t t = 0; t < table_.factor_of.size(); ++t) {
        const std::vector<u64> factors = unwind(source, table_.factor_of[t], table_.function_count);
        for (std::size_t k = 0; k < functions_.size(); ++k) {
            if (factors[k] > table_.factors.size()) corrupt("a function has no factor");
            functions_[k].terms[t].factor = static_cast<u32>(factors[k]);
            if (factors[k] == 0) continue;
            u32& most = coordinates[factors[k] - 1];
            most = std::max(most, grid_.sizes()[t]);
        }
    }
    for (std::size_t k = 0; k < coordinates.size(); ++k) {
        factors_.push_back(unwind(source, table_.factors[k], coordinates[k]));
    }
}

void FunctionReader::read_sequence(const FoldedSource& source) {
    presence_.assign(table_.size, FunctionTable::kEverywhere);
    if (table_.presence != kNone) presence_ = unwind(source, table_.presence, table_.size);
    group_of_.assign(grid_.participants(), 0);
    if (!table_.presences.empty()) {
        if (table_.group_of == kNone) corrupt("participants have no groups");
        group_of_ = unwind(source, table_.group_of, grid_.participants());
        const u64 groups = 1 + *std::max_element(group_of_.begin(), group_of_.end());
        if (groups > grid_.participants()) corrupt("a group of participants has none");
        for (const u32 column : table_.presences) {
            presences_.push_back(unwind(source, column, groups));
        }
    }
    if (table_.order != kNone) order_ = unwind(source, table_.order, table_.size);
    check_sequence();
    if (table_.choices != kNone) read_choices(source);
    if (order_.empty()) find_numbers_of_groups();
}

/// Precomputes the numbers by group if only groups determine presence.
void FunctionReader::find_numbers_of_groups() {
    const auto inside = std::find(presence_.begin(), presence_.end(), FunctionTable::kInside);
    if (inside != presence_.end()) return;
    numbers_of_group_.resize(1 + *std::max_element(group_of_.begin(), group_of_.end()));
    for (std::size_t group = 0; group < numbers_of_group_.size(); ++group) {
        for (u32 k = 0; k < table_.size; ++k) {
            if (is_present(presence_[k], false, group)) numbers_of_group_[group].push_back(k);
        }
    }
}

void FunctionReader::check_sequence() const {
    const auto is_known = [this](u64 presence) {
        return presence < FunctionTable::kGroups + presences_.size();
    };
    if (!std::all_of(presence_.begin(), presence_.end(), is_known)) {
        corrupt("an argument has a number without participants");
    }
    u64 last = FunctionTable::kNext;
    for (const u64 order : order_) {
        const bool mixed =
            order != FunctionTable::kNext && last != FunctionTable::kNext && order != last;
        const bool told = order != FunctionTable::kChosen || table_.choices != kNone;
        if (order > FunctionTable::kChosen || mixed || !told) {
            corrupt("an argument has numbers in an unknown order");
        }
        last = order;
    }
}

void FunctionReader::read_choices(const FoldedSource& source) {
    std::vector<u32> sizes;
    for (u64 p = 0; p < grid_.participants(); ++p) {
        first_choice_.push_back(sizes.size());
        for (const Stretch& stretch : present(p, values_of(p)).stretches) {
            if (!stretch.chosen) continue;
            for (std::size_t left = stretch.end - stretch.begin; left > 1; --left) {
                sizes.push_back(static_cast<u32>(left));
            }
        }
    }
    choices_ = unpack_digits(unwind(source, table_.choices, packed_parts(sizes)), sizes);
}

std::vector<FunctionReader::Value> FunctionReader::values_of(u64 participant) const {
    const std::vector<u32> place = place_of(grid_, participant);
    std::vector<Value> values(functions_.size());
    for (std::size_t k = 0; k < values.size(); ++k) {
        values[k].number = evaluate(functions_[k], grid_, factors_, place, values[k].inside);
    }
    return values;
}

bool FunctionReader::is_present(u64 presence, bool inside, u64 group) const {
    if (presence == FunctionTable::kEverywhere) return true;
    if (presence == FunctionTable::kInside) return inside;
    return presences_[presence - FunctionTable::kGroups][group] != 0;
}

FunctionReader::Present FunctionReader::present(u64 participant,
                                                const std::vector<Value>& values) const {
    Present present;
    std::size_t begin = 0;
    bool chosen = false;
    const auto end_stretch = [&] {
        const std::size_t end = present.numbers.size();
        if (end - begin > 1) present.stretches.push_back({begin, end, chosen});
        begin = end;
    };
    const u64 group = group_of_[participant];
    present.numbers.reserve(table_.size);
    for (u32 k = 0; k < table_.size; ++k) {
        if (!order_.empty()) {
            if (order_[k] == FunctionTable::kNext) end_stretch();
            chosen = order_[k] == FunctionTable::kChosen;
        }
        if (is_present(presence_[k], values[function_of_[k]].inside, group)) {
            present.numbers.push_back(k);
        }
    }
    if (order_.empty()) return present;
    end_stretch();
    return present;
}

std::vector<u32> FunctionReader::numbers_of(u64 participant) const {
    if (leader_ != nullptr) return leader_->numbers_of(participant);
    if (!numbers_of_group_.empty()) {
        const std::vector<u32>& numbers = numbers_of_group_[group_of_[participant]];
        if (numbers.empty()) corrupt("an argument has no numbers");
        return numbers;
    }
    const std::vector<Value> values = values_of(participant);
    Present found = present(participant, values);
    if (found.numbers.empty()) corrupt("an argument has no numbers");
    std::size_t choice = first_choice_.empty() ? 0 : first_choice_[participant];
    for (const Stretch& stretch : found.stretches) {
        const auto begin = found.numbers.begin() + static_cast<std::ptrdiff_t>(stretch.begin);
        const auto end = found.numbers.begin() + static_cast<std::ptrdiff_t>(stretch.end);
        std::stable_sort(begin, end, [&](u32 a, u32 b) {
            return values[function_of_[a]].number < values[function_of_[b]].number;
        });
        if (!stretch.chosen) continue;
        // Each choice selects one of the remaining numbers.
        for (auto at = begin; at + 1 != end; ++at) {
            const auto taken = at + static_cast<std::ptrdiff_t>(choices_[choice++]);
            std::rotate(at, taken, taken + 1);
        }
    }
    return std::move(found.numbers);
}

Column FunctionReader::column(u64 participant) const {
    return column(participant, numbers_of(participant));
}

Column FunctionReader::column(u64 participant, std::span<const u32> numbers) const {
    const std::vector<Value> values = values_of(participant);
    Column column;
    column.form = table_.periodic ? Column::Form::periodic : Column::Form::list;
    column.values.reserve(numbers.size());
    for (const u32 number : numbers) {
        const u64 function = function_of_[number];
        const u32 lookup = functions_[function].lookup;
        const u64 value = values[function].number;
        column.values.push_back(lookup == 0 ? value : look_up(lookup, value));
    }
    return column;
}

u64 FunctionReader::look_up(u32 lookup, u64 place) const {
    if (place >= grid_.participants()) corrupt("a function leaves its grid");
    return lookups_[lookup - 1][place];
}

u32 FunctionReader::below(u64 number, std::size_t dimension) const {
    if (number >= grid_.sizes()[dimension]) corrupt("a function leaves its grid");
    return static_cast<u32>(number);
}

/// Decodes a signed offset; throws unless its magnitude is below the size.
i64 FunctionReader::offset(u64 number, std::size_t dimension) const {
    const auto offset = static_cast<i64>(number);
    const u64 distance = offset < 0 ? 0 - number : number;
    if (distance >= grid_.sizes()[dimension]) corrupt("a function leaves its grid");
    return offset;
}

}  // namespace tracefold
