// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/page/server_plugin.hpp"

#include "base/error.hpp"

#include <httplib.h>

namespace tracefold {

namespace {

constexpr const char* kLoopback = "127.0.0.1";
/// Queries are short, and nothing is uploaded.
constexpr std::size_t kMostPayload = 1024;
/// Applies to transfers; computation may take longer.
constexpr time_t kIdleSeconds = 30;

/// Constant-time comparison.
bool is_same(const std::string& a, const std::string& b) {
    if (a.size() != b.size()) return false;
    unsigned difference = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
    }
    return difference == 0;
}

/// Headers that restrict a browser to this server.
httplib::Headers safe_headers() {
    return {{"Content-Security-Policy",
             "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
             "connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'"},
            {"X-Content-Type-Options", "nosniff"},
            {"Referrer-Policy", "no-referrer"},
            {"Cache-Control", "no-store"}};
}

/// "/TOKEN/rest" of a request.
struct TokenPath {
    std::string token;
    std::string rest;
    bool complete = false;  ///< contains the slash after the token
};

TokenPath split(const std::string& path) {
    const std::size_t end = path.find('/', 1);
    if (path.empty() || path[0] != '/') return {};
    if (end == std::string::npos) return {path.substr(1), "", false};
    return {path.substr(1, end - 1), path.substr(end + 1), true};
}

void answer(const PageAnswerer& answer_page, const std::string& token,
            const httplib::Request& request, httplib::Response& response) {
    const TokenPath path = split(request.path);
    if (!is_same(path.token, token)) {
        response.status = 403;
        response.set_content("the address lacks the token that the server printed\n", "text/plain");
        return;
    }
    if (!path.complete) {
        response.set_redirect("/" + token + "/");
        return;
    }
    std::map<std::string, std::string> values;
    for (const auto& [name, value] : request.params) values.emplace(name, value);
    const PageAnswer found = answer_page(path.rest, std::move(values));
    response.status = found.status;
    response.set_content(found.body, found.type.c_str());
}

}  // namespace

void tracefold_serve_pages(const PageAnswerer& answer_page, const std::string& token, int port,
                           const std::function<void(int port)>& listening) {
    httplib::Server server;
    server.set_default_headers(safe_headers());
    server.set_payload_max_length(kMostPayload);
    server.set_read_timeout(kIdleSeconds);
    server.set_write_timeout(kIdleSeconds);
    server.set_keep_alive_max_count(1000);
    server.set_pre_routing_handler(
        [&](const httplib::Request& request, httplib::Response& response) {
            if (request.method == "GET" || request.method == "HEAD") {
                answer(answer_page, token, request, response);
            } else {
                response.status = 405;
                response.set_content("only GET is supported\n", "text/plain");
            }
            return httplib::Server::HandlerResponse::Handled;
        });
    int bound = port;
    if (port == 0) {
        bound = server.bind_to_any_port(kLoopback);
    } else if (!server.bind_to_port(kLoopback, port)) {
        bound = -1;
    }
    if (bound < 0) throw Error(ErrorKind::io, "cannot listen on port {} of {}", port, kLoopback);
    listening(bound);
    if (!server.listen_after_bind()) throw Error(ErrorKind::io, "cannot accept connections");
}

}  // namespace tracefold
