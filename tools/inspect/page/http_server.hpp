// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/file_descriptor.hpp"
#include "base/removed_path.hpp"
#include "base/types.hpp"

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace tracefold {

/// An answer to one question of a browser.
struct PageAnswer {
    int status = 200;
    std::string type = "application/json";
    std::string body;
};

/// Answers questions, in several threads at once: what follows the token in an address, and the
/// values behind it. Throws nothing but what cancel_point() throws once the browser has closed the
/// connection.
using PageAnswerer =
    std::function<PageAnswer(const std::string& path, std::map<std::string, std::string> values)>;

/// What anybody on this machine can make the server do before it has seen the token.
struct ServerLimits {
    std::size_t head_bytes = 8192;  ///< of a request
    std::size_t connections = 256;  ///< beyond them, the oldest one without the token is closed
    std::chrono::seconds head_time{
        5};  ///< from accepting a connection to the end of its first head
    std::chrono::seconds idle_time{60};               ///< of a connection that has sent the token
    std::chrono::seconds write_time{30};              ///< without progress of an answer
    std::size_t workers = 8;                          ///< threads that answer
    std::size_t stack_bytes = std::size_t{8} << 20U;  ///< of each of them
};

/// A place where a server listens.
class Listener {
  public:
    /// A port of 127.0.0.1; 0 for any free one. Throws Error(io) with the reason.
    explicit Listener(int port);
    /// A socket of the file system that only this user can open (mode 0600), removed at the end.
    /// Replaces one of this user that nobody listens at. Throws Error(io) with the reason.
    explicit Listener(const std::string& path);

    /// 0: a socket of the file system.
    [[nodiscard]] int port() const { return port_; }
    /// Accepts without waiting; -1 and errno if there is nobody.
    [[nodiscard]] int accept() const;
    [[nodiscard]] int descriptor() const { return socket_.get(); }

  private:
    FileDescriptor socket_;
    int port_ = 0;
    std::unique_ptr<RemovedPath> path_;
};

/// Answers requests to /TOKEN/... until the process ends: GET and HEAD of HTTP/1.1 (RFC 9112),
/// without bodies, ranges and encodings. One thread reads the heads of all connections; only
/// requests with the token reach the threads that answer. Throws Error(io) if it cannot start.
void serve_pages(const PageAnswerer& answer_page, const std::string& token,
                 const Listener& listener, const ServerLimits& limits = {});

/// A request line and the headers that matter.
struct RequestHead {
    std::string method;
    std::string token;  ///< the first part of the path
    std::string path;   ///< behind it
    std::map<std::string, std::string> values;
    bool has_slash = false;  ///< behind the token
    bool keeps_open = true;
    bool has_body = false;
    bool valid = false;
};

/// Reads a head of at most ServerLimits::head_bytes without its empty line. Never throws. Time and
/// memory: linear.
RequestHead parse_head(std::string_view head);

}  // namespace tracefold
