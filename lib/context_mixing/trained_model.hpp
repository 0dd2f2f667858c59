// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "context_mixing/byte_model.hpp"
#include "format/container.hpp"

namespace tracefold {

/// A model for a section of this kind and content size that has seen the dictionary's samples of
/// such sections. What they teach is worked out when the library is built (train.cpp). Cost: some 5
/// million instructions.
ByteModel trained_model(SectionKind kind, std::size_t size);

}  // namespace tracefold
