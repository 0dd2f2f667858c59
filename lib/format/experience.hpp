// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "format/byte_model.hpp"
#include "format/container.hpp"

#include <vector>

namespace tracefold {

/// A model that has seen the dictionary's samples of such sections. The one to write with is made
/// once per kind and size class and copied from then on, also for reading; a process that only
/// reads keeps none.
ByteModel model_to_write(SectionKind kind, std::size_t size);
ByteModel model_to_read(SectionKind kind, std::size_t size);

/// Makes the models to write small sections of these kinds with, one after another. Meant to run
/// beside other work; whoever needs one before it is made waits for it. Cost: some
/// 10,000 instructions per byte of the samples.
void prepare_models(const std::vector<SectionKind>& kinds);

}  // namespace tracefold
