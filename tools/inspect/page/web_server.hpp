// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "inspect/page/server_plugin.hpp"

namespace tracefold {

/// A function that answers requests to http://127.0.0.1:PORT/TOKEN/... until the process ends.
/// Nobody but this machine can connect, requests without the token are refused, and nothing can be
/// changed. `port`: 0 for any that is free; `listening` is told which one. It throws Error(io) if
/// the port is taken. Throws Error(unsupported) if the tools were built without cpp-httplib, or the
/// plugin with the server cannot be loaded.
ServePages* load_web_server();

}  // namespace tracefold
