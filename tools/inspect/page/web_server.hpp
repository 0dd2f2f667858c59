// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "comm/serial.hpp"
#include "inspect/page/page_server.hpp"

#include <functional>
#include <string>

namespace tracefold {

/// Throws Error(unsupported) if the tools were built without cpp-httplib.
void refuse_without_web_server();

/// Answers requests to http://127.0.0.1:PORT/TOKEN/... until the process ends. Nobody but this
/// machine can connect, requests without the token are refused, and nothing can be changed. `port`:
/// 0 for any that is free; `listening` is told which one. Throws Error(io) if the port is taken.
void serve_pages(PageService& service, const std::string& token, int port,
                 const std::function<void(int port)>& listening);

}  // namespace tracefold
