// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "core/csv_table.hpp"
#include "inspect/profile/efficiency.hpp"

namespace tracefold {

void write_efficiency_csv(const EfficiencyView& view, std::ostream& out) {
    CsvTable table(out);
    put_efficiency(view, table);
}

}  // namespace tracefold
