// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/structure.hpp"

#include <map>
#include <vector>

namespace tracefold {

/// Gives an assignment the columns of its participants, in rising order: equal ones are one.
class ClassColumns {
  public:
    /// The column of the next participant: a list, or a periodic one as those of all others.
    void add(Column column);
    /// Appends the columns, and then that of the classes.
    void append_to(Structure& structure, Assignment& assignment);

  private:
    std::map<std::vector<u64>, u64> known_;
    std::vector<Column> columns_;
    Column classes_{Column::Form::list, 0, 0, {}, kNone, kNone, {}};
};

}  // namespace tracefold
