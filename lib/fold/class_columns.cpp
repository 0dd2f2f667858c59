// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/class_columns.hpp"

#include <utility>

namespace tracefold {

void ClassColumns::add(Column column) {
    const auto [found, fresh] = known_.emplace(column.values, known_.size());
    if (fresh) columns_.push_back(std::move(column));
    classes_.values.push_back(found->second);
}

void ClassColumns::append_to(Structure& structure, Assignment& assignment) {
    for (Column& column : columns_) {
        assignment.columns.push_back(static_cast<u32>(structure.columns.size()));
        structure.columns.push_back(std::move(column));
    }
    assignment.by_participant = static_cast<u32>(structure.columns.size());
    structure.columns.push_back(std::move(classes_));
}

}  // namespace tracefold
