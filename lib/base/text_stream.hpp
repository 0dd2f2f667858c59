// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sstream>

namespace tracefold {

/// Collects text. Throws std::bad_alloc where a std::ostringstream would drop text and go on.
class TextStream final : public std::ostringstream {
  public:
    TextStream() { exceptions(badbit); }
};

}  // namespace tracefold
