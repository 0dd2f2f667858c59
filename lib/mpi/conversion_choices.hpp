// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"

#include <cstddef>
#include <span>
#include <string_view>

// clang-format off
/// How collective operations become messages, once each: X(name, word of --collectives).
#define TRACEFOLD_ALGORITHMS(X)                                                                  \
    X(automatic, "auto") X(linear, "linear") X(binomial, "binomial") X(ring, "ring")             \
    X(recursive_doubling, "recursive-doubling") X(pairwise, "pairwise") X(bruck, "bruck")        \
    X(dissemination, "dissemination")
// clang-format on

namespace tracefold {

/// An operation that an algorithm does not fit takes another one: docs/exports.md has the table.
enum class CollectiveAlgorithm : u8 {
#define TRACEFOLD_ENUMERATOR(name, word) name,
    TRACEFOLD_ALGORITHMS(TRACEFOLD_ENUMERATOR)
#undef TRACEFOLD_ENUMERATOR
};

/// The words of --collectives, in the order of the enumerators.
std::span<const std::string_view> algorithm_words();

/// Which size a message has whose sender and receiver recorded different ones.
enum class SizeSource : u8 {
    recorded,  ///< both: they do not go together
    sender,    ///< that of the sender: some recorders write nonsense as received sizes
};

/// What became of a part of a trace in a conversion.
enum class ExportOutcome : u8 {
    written,       ///< as the format has it
    expanded,      ///< several things of the format stand for it
    approximated,  ///< it is there, but not all that was recorded of it
    merged,        ///< it is part of something else there: of computation, or of a wait
    dropped,       ///< it is not there
};
inline constexpr std::size_t kExportOutcomes = 5;

}  // namespace tracefold
