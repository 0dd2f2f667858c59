// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"

#include <cstddef>
#include <span>
#include <string_view>

// clang-format off
/// Algorithms that turn collective operations into messages: X(name, word of --collectives).
#define TRACEFOLD_ALGORITHMS(X)                                                                  \
    X(automatic, "auto") X(linear, "linear") X(binomial, "binomial") X(ring, "ring")             \
    X(recursive_doubling, "recursive-doubling") X(pairwise, "pairwise") X(bruck, "bruck")        \
    X(dissemination, "dissemination")
// clang-format on

namespace tracefold {

/// An operation that an algorithm does not fit uses another one: see the table in
/// docs/reference/exports.md.
enum class CollectiveAlgorithm : u8 {
#define TRACEFOLD_ENUMERATOR(name, word) name,
    TRACEFOLD_ALGORITHMS(TRACEFOLD_ENUMERATOR)
#undef TRACEFOLD_ENUMERATOR
};

/// The words of --collectives, in the order of the enumerators.
std::span<const std::string_view> algorithm_words();

/// The size of a message whose sender and receiver recorded different sizes.
enum class SizeSource : u8 {
    recorded,  ///< both sizes count: they do not match
    sender,    ///< the sender's size: some recorders write wrong received sizes
};

/// The outcome of a call in a conversion.
enum class ExportOutcome : u8 {
    written,       ///< the format has an equivalent
    expanded,      ///< several records of the format replace it
    approximated,  ///< incomplete: some recorded data is lost
    merged,        ///< part of another record: of computation, or of a wait
    dropped,       ///< missing
};
inline constexpr std::size_t kExportOutcomes = 5;

}  // namespace tracefold
