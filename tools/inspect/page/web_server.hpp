// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "inspect/page/server_plugin.hpp"

namespace tracefold {

/// Returns a function that answers requests to http://127.0.0.1:PORT/TOKEN/... until the process
/// ends. It accepts only local connections, requires the token and is read-only. `port`: 0 for any
/// free one; `listening` receives the actual port. The function throws Error(io) if the port is in
/// use. Throws Error(unsupported) without cpp-httplib at build time, or if the server plugin cannot
/// be loaded.
ServePages* load_web_server();

}  // namespace tracefold
