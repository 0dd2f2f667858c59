// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "support/folded_archive.hpp"

#include <string>

namespace tracefold {

/// A sample archive, folded.
class SampleFile : public FoldedArchive {
  public:
    explicit SampleFile(const std::string& name, TimingLevel timing = TimingLevel::none)
        : FoldedArchive(std::string(TRACEFOLD_SAMPLES) + "/" + name, timing) {}
};

}  // namespace tracefold
