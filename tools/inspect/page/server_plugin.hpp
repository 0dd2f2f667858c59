// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"

#include <functional>
#include <map>
#include <string>

namespace tracefold {

/// The answer to one query of a browser.
struct PageAnswer {
    int status = 200;
    std::string type = "application/json";
    std::string body;
};

/// Answers queries, concurrently: the address after the token, and its parameters. Never throws.
using PageAnswerer =
    std::function<PageAnswer(const std::string& path, std::map<std::string, std::string> values)>;

/// The entry point of the plugin tracefold_server: result of load_web_server().
using ServePages = void(const PageAnswerer& answer_page, const std::string& token, int port,
                        const std::function<void(int port)>& listening);
constexpr const char* kServePages = "tracefold_serve_pages";
extern "C" TRACEFOLD_API ServePages tracefold_serve_pages;

}  // namespace tracefold
