// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "collection/trace_record.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_map>

namespace tracefold {

/// What is known of the traces of a folder, by path relative to the folder. A cache: what is
/// missing, outdated or damaged is read again from the traces.
using TraceIndex = std::unordered_map<std::string, TraceRecord>;

/// The name of its file in the folder.
inline constexpr std::string_view kTraceIndexName = ".tracefold-index";

/// Bytes before the records: what the file is, its version, and a checksum of the records.
inline constexpr std::size_t kTraceIndexHead = 16;

/// Encodes all records that are settled.
std::string encode_trace_index(const TraceIndex& index);
/// Throws Error: corrupt; unsupported for another version. Memory: linear in the bytes.
TraceIndex decode_trace_index(std::string_view bytes, const std::string& name);

/// Reads the index of a folder; empty if it is missing, unreadable, damaged or of another version.
TraceIndex load_trace_index(const std::filesystem::path& folder);

/// Replaces the index of a folder. Several processes may do so at a time: readers see one of the
/// complete files, and no process waits. Records of others that were read deeply are kept. Returns
/// the reason if the folder cannot be written.
std::string store_trace_index(const std::filesystem::path& folder, TraceIndex& index);

}  // namespace tracefold
