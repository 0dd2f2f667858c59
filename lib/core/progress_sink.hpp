// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <functional>

namespace tracefold {

/// Called now and then with the number of records worked on since the last call.
using ProgressSink = std::function<void(u64 records)>;

}  // namespace tracefold
