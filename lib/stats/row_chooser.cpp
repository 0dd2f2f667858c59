// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "stats/row_chooser.hpp"

namespace tracefold {

RowChooser::Choice RowChooser::region(u32 group, u32 outer, u64 region) {
    const u32 parent = request_.by == RowRequest::By::path ? outer : group;
    const auto [known, fresh] = known_.try_emplace({parent, region});
    if (fresh) {
        known->second =
            name(parent, region_text(definitions_, region), definitions_.is_mpi_region(region));
    }
    return known->second;
}

RowChooser::Choice RowChooser::name(u32 group, const std::string& name, bool mpi) {
    return row(group, name, mpi, wants(name, mpi));
}

RowChooser::Choice RowChooser::loop(u32 group, const std::string& label, bool wanted) {
    return row(group, label, false, wanted);
}

RowChooser::Choice RowChooser::row(u32 group, const std::string& name, bool mpi, bool wanted) {
    if (!request_.together) return {rows_.child(group, name, mpi), wanted};
    return {rows_.child(group, *request_.together, false), wanted};
}

}  // namespace tracefold
