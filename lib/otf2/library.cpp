// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "otf2/library.hpp"

#include "model/event_table.hpp"
#include "otf2/detail/newer_events.hpp"

namespace tracefold {

u8 known_event_types() { return otf2::has_events_of_32() ? kEventTypes : kFirstEventOf32; }

std::string otf2_library_version() {
    return otf2::has_events_of_32() ? "3.2 or later" : "older than 3.2";
}

}  // namespace tracefold
