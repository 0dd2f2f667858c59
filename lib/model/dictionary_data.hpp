// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace tracefold {

/// The files of lib/model/dictionary/ as text; only for Dictionary.
extern const char kDictionaryStrings[];
extern const char kDictionaryTables[];
extern const char kDictionarySamples[];
extern const char kDictionarySections[];

}  // namespace tracefold
