// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "io/claim.hpp"

#include <string>
#include <vector>

namespace tracefold {

/// The files of an archive, whether all of them are there or not. Throws Error(io).
std::vector<InputClaim> claim_archive(const std::string& anchor);

/// A folded file, or the files of an archive; none if no archive is there: whoever opens it says
/// why. Throws Error(io).
std::vector<InputClaim> claim_trace(const std::string& path);

}  // namespace tracefold
