// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"

#include <functional>
#include <map>
#include <string>

namespace tracefold {

/// An answer to one question of a browser.
struct PageAnswer {
    int status = 200;
    std::string type = "application/json";
    std::string body;
};

/// Answers questions, in several threads at once: what follows the token in an address, and the
/// values behind it. Never throws.
using PageAnswerer =
    std::function<PageAnswer(const std::string& path, std::map<std::string, std::string> values)>;

/// The function of the plugin tracefold_server: answers requests to http://127.0.0.1:PORT/TOKEN/...
/// until the process ends. Only this machine can connect, requests without the token are refused,
/// and no request changes anything. `port`: 0 for any free one; `listening` is called with it.
/// Throws Error(io) if the port is taken.
using ServePages = void(const PageAnswerer& answer_page, const std::string& token, int port,
                        const std::function<void(int port)>& listening);
constexpr const char* kServePages = "tracefold_serve_pages";
extern "C" TRACEFOLD_API ServePages tracefold_serve_pages;

}  // namespace tracefold
