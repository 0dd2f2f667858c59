// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/container.hpp"

#include <span>

namespace tracefold {

/// What a model has learnt from the dictionary's samples: the bytes that ByteModel::save() wrote,
/// as little-endian words; zeros fill the last one.
struct TrainedState {
    SectionKind kind;
    std::span<const u64> words;
};

/// One for each kind of section that is coded so. Written by train.cpp.
std::span<const TrainedState> trained_states();

}  // namespace tracefold
