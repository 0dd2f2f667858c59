// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "format/container.hpp"
#include "prediction/byte_model.hpp"

namespace tracefold {

/// A model for a section of this kind and content size that has seen the dictionary's samples of
/// such sections. What they teach is worked out when the library is built (learn.cpp). Cost: some 5
/// million instructions.
ByteModel experienced_model(SectionKind kind, std::size_t size);

}  // namespace tracefold
