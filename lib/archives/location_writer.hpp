// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/progress_sink.hpp"
#include "otf2/archive_writer.hpp"
#include "trace/trace_file.hpp"

namespace tracefold::inline archives {

// Each unwinds one file of a location and writes it with libotf2, if the archive had it. Memory: a
// batch. Throw Error.
void write_local_definitions(TraceFile& file, ArchiveWriter& writer, u32 location);
void write_events(TraceFile& file, ArchiveWriter& writer, u32 location,
                  const ProgressSink& progress);

}  // namespace tracefold::inline archives
