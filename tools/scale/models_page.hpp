// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "scale/models_output.hpp"

#include <ostream>

namespace tracefold {

/// An HTML page that needs no other file: the runs, where their time goes, how each number grows as
/// a picture, and all models as a table.
void write_models_page(const ModelsView& view, std::ostream& out);

}  // namespace tracefold
