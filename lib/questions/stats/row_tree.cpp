// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/stats/row_tree.hpp"

#include "base/error.hpp"

#include <algorithm>

namespace tracefold {

u32 RowTree::child(u32 parent, std::string_view name, bool mpi) {
    const auto [known, fresh] =
        numbers_.try_emplace({parent, std::string(name)}, static_cast<u32>(rows_.size()));
    if (!fresh) return known->second;
    const u32 depth = rows_[parent].depth + 1;
    if (depth > kDeepest) {
        throw Error(ErrorKind::unsupported, "regions are nested more than " +
                                                std::to_string(kDeepest) +
                                                " deep, which is too deep for call paths");
    }
    rows_.push_back({parent, std::string(name), mpi, depth});
    return known->second;
}

std::vector<std::string> RowTree::path(u32 row) const {
    std::vector<std::string> names;
    for (; row != kRoot; row = rows_[row].parent) names.push_back(rows_[row].name);
    std::reverse(names.begin(), names.end());
    return names;
}

void RowTree::write(ByteWriter& out) const {
    out.put_varint(rows_.size() - 1);
    for (std::size_t row = 1; row < rows_.size(); ++row) {
        out.put_varint(rows_[row].parent);
        out.put_text(rows_[row].name);
        out.put_u8(rows_[row].mpi ? 1 : 0);
    }
}

std::vector<u32> RowTree::merge(ByteReader& in) {
    std::vector<u32> here = {kRoot};
    for (u64 left = in.get_count(3); left > 0; --left) {
        const u64 parent = in.get_varint();
        if (parent >= here.size()) in.fail("a row stands below a later one");
        const std::string_view name = in.get_text();
        here.push_back(child(here[parent], name, in.get_u8() != 0));
    }
    return here;
}

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
