// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "support/folded_archive.hpp"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

namespace tracefold {

/// A sample archive, folded.
class SampleFile : public FoldedArchive {
  public:
    explicit SampleFile(const std::string& name, TimingLevel timing = TimingLevel::none)
        : FoldedArchive(std::string(TRACEFOLD_SAMPLES) + "/" + name, timing) {}
};

/// The name of a test whose parameter is a sample archive, in the letters that GoogleTest allows.
template <class Parameter>
std::string sample_test_name(const ::testing::TestParamInfo<Parameter>& tested) {
    std::string name = tested.param;
    std::replace_if(
        name.begin(), name.end(), [](char c) { return c == '-' || c == '.'; }, '_');
    return name;
}

}  // namespace tracefold
