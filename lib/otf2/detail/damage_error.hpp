// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/error.hpp"
#include "core/types.hpp"

#include <string>

namespace tracefold::inline otf2::detail {

/// A file is damaged, and so many of its records come before that.
class DamageError : public Error {
  public:
    DamageError(const std::string& message, u64 records)
        : Error(ErrorKind::corrupt, message), records_(records) {}

    [[nodiscard]] u64 records() const { return records_; }

  private:
    u64 records_;
};

}  // namespace tracefold::inline otf2::detail
