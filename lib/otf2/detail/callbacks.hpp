// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "otf2/detail/handles.hpp"

namespace tracefold::otf2 {

// Callbacks for every record type of the tables and for unknown ones. Their user data is a
// Collector, which they append to.
EventCallbacks event_callbacks();
GlobalDefinitionCallbacks global_definition_callbacks();
LocalDefinitionCallbacks local_definition_callbacks();

}  // namespace tracefold::otf2
