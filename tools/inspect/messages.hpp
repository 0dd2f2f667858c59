// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/json_writer.hpp"
#include "questions/messages/messages.hpp"

namespace tracefold {

/// Writes the member "messages" of the current object: an object for each message.
void write_messages(TraceFile& file, const Messages& messages, JsonWriter& json);

}  // namespace tracefold
