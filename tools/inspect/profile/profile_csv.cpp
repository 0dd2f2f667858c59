// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "core/csv_table.hpp"
#include "inspect/profile/profile.hpp"

namespace tracefold {

void write_profile_csv(const ProfileView& view, std::ostream& out) {
    CsvTable table(out);
    if (view.by.empty()) {
        put_profile(view.data, view.shown(), table);
    } else {
        put_profile_by(view.data, view.shown(), view.by, table);
    }
}

}  // namespace tracefold
