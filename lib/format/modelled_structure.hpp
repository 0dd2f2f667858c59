// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "format/container.hpp"
#include "model/structure.hpp"

#include <string>
#include <string_view>

namespace tracefold {

/// The section of a structure as a file stores it: its bytes predicted one by one from what they
/// say (docs/format.md, "Modelled sections"), or one zstd frame of this level if there are more
/// than 256 KiB. Cost: about a microsecond per byte, those of the dictionary's samples, 3.4 KB,
/// included.
StoredSection pack_structure(const Structure& structure, int level);

/// The inverse. Precondition: `stored` are the verified bytes of `section`; `name` says in messages
/// what is being read. Throws Error(corrupt).
Structure unpack_structure(std::string_view stored, const Section& section,
                           const std::string& name);

}  // namespace tracefold
