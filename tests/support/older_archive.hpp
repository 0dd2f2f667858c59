// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "otf2/archive_reader.hpp"

#include <string>

namespace tracefold::testing {

/// Copies an archive into `directory` as Score-P 7 would have written it: calls that make or free
/// communicators, MPI_Init and MPI_Finalize are bare Enter and Leave, and intercommunicators have
/// no definition, unless they are to be kept.
void copy_as_older(ArchiveReader& reader, const std::string& directory,
                   bool keep_intercommunicators);

}  // namespace tracefold::testing
