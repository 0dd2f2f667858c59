// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Marks the interface of the library, which other programs may rely on (docs/library.md). All else
/// is hidden in the shared library.
#define TRACEFOLD_API __attribute__((visibility("default")))
