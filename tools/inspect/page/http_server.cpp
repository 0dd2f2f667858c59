// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/page/http_server.hpp"

#include "base/error.hpp"
#include "base/file_descriptor.hpp"
#include "base/parallel.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <condition_variable>
#include <deque>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace tracefold {

namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr std::string_view kHeadEnd = "\r\n\r\n";

/// Restrict a browser to this server.
constexpr std::string_view kSafeHeaders =
    "Content-Security-Policy: default-src 'none'; script-src 'unsafe-inline'; style-src "
    "'unsafe-inline'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'\r\n"
    "X-Content-Type-Options: nosniff\r\n"
    "Referrer-Policy: no-referrer\r\n"
    "Cache-Control: no-store\r\n";

/// Constant-time comparison.
bool is_same(const std::string& a, const std::string& b) {
    if (a.size() != b.size()) return false;
    unsigned difference = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
    }
    return difference == 0;
}

char lower_case(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool same_word(std::string_view a, std::string_view b) {
    return std::ranges::equal(a, b, {}, lower_case, lower_case);
}

std::string_view without_blanks(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t");
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

/// Undoes the percent encoding; `plus`: is a blank.
std::optional<std::string> percent_decoded(std::string_view text, bool plus) {
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            result += plus && text[i] == '+' ? ' ' : text[i];
            continue;
        }
        unsigned char byte = 0;
        const std::string_view digits = text.substr(i + 1, 2);
        const auto [end, error] =
            std::from_chars(digits.data(), digits.data() + digits.size(), byte, 16);
        if (digits.size() != 2 || error != std::errc() || end != digits.data() + 2) return {};
        result += static_cast<char>(byte);
        i += 2;
    }
    return result;
}

/// Splits at the first separator; without it, the second part is empty.
std::pair<std::string_view, std::string_view> split_at(std::string_view text, char separator) {
    const std::size_t at = text.find(separator);
    if (at == std::string_view::npos) return {text, {}};
    return {text.substr(0, at), text.substr(at + 1)};
}

bool parse_target(std::string_view target, RequestHead& head) {
    if (!target.starts_with('/')) return false;
    const auto [path, query] = split_at(target.substr(1), '?');
    const auto [token, rest] = split_at(path, '/');
    const std::optional<std::string> decoded_rest = percent_decoded(rest, false);
    if (!decoded_rest) return false;
    head.token = token;
    head.path = *decoded_rest;
    head.has_slash = token.size() < path.size();
    for (std::string_view left = query; !left.empty();) {
        const auto [item, others] = split_at(left, '&');
        left = others;
        const auto [name, value] = split_at(item, '=');
        const std::optional<std::string> key = percent_decoded(name, true);
        const std::optional<std::string> text = percent_decoded(value, true);
        if (!key || !text) return false;
        head.values.emplace(*key, *text);
    }
    return true;
}

void parse_header(std::string_view line, RequestHead& head) {
    const auto [name, value] = split_at(line, ':');
    if (same_word(name, "connection")) {
        head.keeps_open = !same_word(without_blanks(value), "close");
    } else if (same_word(name, "content-length") || same_word(name, "transfer-encoding")) {
        head.has_body = without_blanks(value) != "0";
    }
}

struct HttpResponse {
    int status = 200;
    std::string type = "text/plain";
    std::string body;
    std::string location;  ///< of a redirection
};

const char* status_text(int status) {
    switch (status) {
        case 200:
            return "OK";
        case 302:
            return "Found";
        case 400:
            return "Bad Request";
        case 403:
            return "Forbidden";
        case 404:
            return "Not Found";
        case 405:
            return "Method Not Allowed";
        case 431:
            return "Request Header Fields Too Large";
        default:
            return "Internal Server Error";
    }
}

std::string response_head(const HttpResponse& response, bool keeps_open) {
    std::string text =
        fmt::format("HTTP/1.1 {} {}\r\n", response.status, status_text(response.status));
    text += kSafeHeaders;
    if (!response.location.empty()) text += "Location: " + response.location + "\r\n";
    text += fmt::format("Content-Type: {}\r\nContent-Length: {}\r\nConnection: {}\r\n\r\n",
                        response.type, response.body.size(), keeps_open ? "keep-alive" : "close");
    return text;
}

struct Connection {
    FileDescriptor socket;
    SteadyClock::time_point deadline;
    std::string received = {};  ///< not yet answered
    bool is_trusted = false;    ///< has sent the token
    bool is_refused = false;    ///< what else it sends is read and ignored, or the answer is lost
};

struct Request {
    Connection connection;
    RequestHead head;
};

/// A non-blocking socket that listens on the loopback address.
FileDescriptor listen_on(int port) {
    const std::string name = fmt::format("on port {} of 127.0.0.1", port);
    FileDescriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), name);
    // Connections that have ended do not occupy the port. Another server does.
    const int on = 1;
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<u16>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (socket.get() < 0 ||
        ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
        ::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
        ::listen(socket.get(), SOMAXCONN) != 0) {
        throw_io_error("cannot listen", name, errno);
    }
    return socket;
}

int port_of(const FileDescriptor& socket) {
    sockaddr_in address{};
    socklen_t size = sizeof address;
    if (::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&address), &size) != 0) {
        throw_io_error("cannot listen", socket.name(), errno);
    }
    return ntohs(address.sin_port);
}

sockaddr_un address_of(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.size() >= sizeof address.sun_path) {
        throw Error(ErrorKind::usage, "{} is too long for a socket: {} bytes, at most {}", path,
                    path.size(), sizeof address.sun_path - 1);
    }
    std::ranges::copy(path, address.sun_path);
    return address;
}

FileDescriptor unix_socket(const std::string& path) {
    FileDescriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), path);
    if (socket.get() < 0) throw_io_error("cannot listen", "at " + path, errno);
    return socket;
}

/// Removes a socket of this user that an ended server has left.
void remove_left_socket(const std::string& path) {
    struct stat status {};
    if (::lstat(path.c_str(), &status) != 0) return;
    const sockaddr_un address = address_of(path);
    const bool left = S_ISSOCK(status.st_mode) && status.st_uid == ::geteuid() &&
                      ::connect(unix_socket(path).get(),
                                reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 &&
                      errno == ECONNREFUSED;
    if (!left) throw_io_error("cannot listen", "at " + path, EEXIST);
    ::unlink(path.c_str());
}

FileDescriptor listen_at(const std::string& path) {
    const sockaddr_un address = address_of(path);
    remove_left_socket(path);
    FileDescriptor socket = unix_socket(path);
    const mode_t before = ::umask(S_IRWXG | S_IRWXO | S_IXUSR);
    const int bound =
        ::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address);
    const int code = errno;
    ::umask(before);
    if (bound != 0) throw_io_error("cannot listen", "at " + path, code);
    return socket;
}

/// Ends the work for a browser that has closed its connection; caught by the thread that answers.
struct BrowserIsGone {};

/// Throws BrowserIsGone once the other end is closed. Looks at the socket every 20 ms.
class ConnectionWatch {
  public:
    explicit ConnectionWatch(const FileDescriptor& socket) : socket_(socket.get()) {}

    void operator()() {
        const SteadyClock::time_point now = SteadyClock::now();
        if (!closed_ && now >= next_) {
            next_ = now + std::chrono::milliseconds(20);
            pollfd socket{socket_, POLLRDHUP, 0};
            closed_ = ::poll(&socket, 1, 0) > 0;
        }
        if (closed_) throw BrowserIsGone();
    }

  private:
    int socket_;
    SteadyClock::time_point next_{};
    bool closed_ = false;
};

class Server {
  public:
    Server(const PageAnswerer& answer_page, const std::string& token, const Listener& listener,
           const ServerLimits& limits)
        : answer_page_(answer_page),
          token_(token),
          limits_(limits),
          listener_(listener),
          wake_reader_(-1, "a pipe"),
          wake_writer_(-1, "a pipe") {
        std::array<int, 2> ends{};
        if (::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0) {
            throw_io_error("cannot make", "a pipe", errno);
        }
        wake_reader_ = FileDescriptor(ends[0], "a pipe");
        wake_writer_ = FileDescriptor(ends[1], "a pipe");
    }

    [[noreturn]] void run() {
        for (std::size_t i = 0; i < limits_.workers; ++i) start_worker();
        while (true) wait_and_read();
    }

  private:
    void start_worker() {
        pthread_attr_t attributes;
        pthread_attr_init(&attributes);
        pthread_attr_setstacksize(&attributes, limits_.stack_bytes);
        pthread_t thread{};
        const auto work = [](void* server) -> void* { static_cast<Server*>(server)->work(); };
        const int error = pthread_create(&thread, &attributes, work, this);
        pthread_attr_destroy(&attributes);
        if (error != 0) throw_io_error("cannot start", "a thread", error);
        pthread_detach(thread);
    }

    // The thread that reads.

    void wait_and_read() {
        std::vector<pollfd> waited = {{listener_.descriptor(), POLLIN, 0},
                                      {wake_reader_.get(), POLLIN, 0}};
        for (const Connection& one : reading_) waited.push_back({one.socket.get(), POLLIN, 0});
        constexpr int milliseconds_between_deadlines = 500;
        if (::poll(waited.data(), waited.size(),
                   reading_.empty() ? -1 : milliseconds_between_deadlines) < 0 &&
            errno != EINTR) {
            throw_io_error("cannot wait for", "connections", errno);
        }
        auto next = reading_.begin();
        for (std::size_t i = 2; i < waited.size(); ++i) {
            const auto one = next++;
            if (waited[i].revents != 0) read(one);
        }
        take_back();
        const SteadyClock::time_point now = SteadyClock::now();
        reading_.remove_if([now](const Connection& one) { return one.deadline < now; });
        if (waited[0].revents != 0) accept();
    }

    /// Some at a time: what others have sent is read in between.
    void accept() {
        constexpr int most_at_a_time = 64;
        for (int i = 0; i < most_at_a_time; ++i) {
            const int socket = listener_.accept();
            if (socket < 0) {
                // Without a free descriptor, the connection stays in the queue.
                if (errno == EMFILE || errno == ENFILE) make_room();
                return;
            }
            reading_.push_back(
                {FileDescriptor(socket, "a connection"), SteadyClock::now() + limits_.head_time});
            read(std::prev(reading_.end()));
            if (reading_.size() > limits_.connections) make_room();
        }
    }

    void make_room() {
        const auto oldest = std::ranges::find(reading_, false, &Connection::is_trusted);
        if (oldest != reading_.end()) {
            reading_.erase(oldest);
        } else if (!reading_.empty()) {
            reading_.pop_front();
        }
    }

    using Reading = std::list<Connection>::iterator;

    void read(Reading one) {
        std::array<char, 4096> bytes;
        const std::size_t room = std::min(bytes.size(), limits_.head_bytes - one->received.size());
        const ssize_t count = ::recv(one->socket.get(), bytes.data(), room, 0);
        if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
        if (count <= 0) {
            reading_.erase(one);
            return;
        }
        if (one->is_refused) return;
        one->received.append(bytes.data(), static_cast<std::size_t>(count));
        use_head(one);
    }

    /// Passes on a complete request with the token, and refuses others.
    void use_head(Reading one) {
        const std::size_t end = one->received.find(kHeadEnd);
        if (end == std::string::npos) {
            if (one->received.size() >= limits_.head_bytes)
                refuse(one, 431, "the request is too long\n");
            return;
        }
        RequestHead head = parse_head(std::string_view(one->received).substr(0, end));
        one->received.erase(0, end + kHeadEnd.size());
        if (!head.valid) return refuse(one, 400, "this is no request of HTTP/1.1\n");
        if (!is_same(head.token, token_)) {
            return refuse(one, 403, "the address lacks the token that the server printed\n");
        }
        if (head.method != "GET" && head.method != "HEAD") {
            return refuse(one, 405, "only GET is supported\n");
        }
        if (head.has_body) return refuse(one, 400, "a request has no body\n");
        one->is_trusted = true;
        Request request{std::move(*one), std::move(head)};
        reading_.erase(one);
        const std::lock_guard lock(mutex_);
        waiting_.push_back(std::move(request));
        ready_.notify_one();
    }

    /// A short answer, which fits into the buffer of the socket; then the connection ends.
    void refuse(Reading one, int status, const char* sentence) {
        const HttpResponse response{status, "text/plain", sentence, ""};
        const std::string text = response_head(response, false) + response.body;
        (void)::send(one->socket.get(), text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        ::shutdown(one->socket.get(), SHUT_WR);
        one->received.clear();
        one->is_trusted = false;
        one->is_refused = true;
        one->deadline = SteadyClock::now() + std::chrono::seconds(1);
    }

    /// Connections whose request has been answered. They may have sent the next one.
    void take_back() {
        std::array<char, 64> ignored;
        while (::read(wake_reader_.get(), ignored.data(), ignored.size()) > 0) continue;
        std::list<Connection> answered;
        {
            const std::lock_guard lock(mutex_);
            answered.swap(answered_);
        }
        for (Connection& one : answered) one.deadline = SteadyClock::now() + limits_.idle_time;
        while (!answered.empty()) {
            reading_.splice(reading_.end(), answered, answered.begin());
            use_head(std::prev(reading_.end()));
        }
    }

    // The threads that answer.

    [[noreturn]] void work() {
        while (true) {
            std::unique_lock lock(mutex_);
            ready_.wait(lock, [this] { return !waiting_.empty(); });
            Request request = std::move(waiting_.front());
            waiting_.pop_front();
            lock.unlock();
            const bool written = respond_unless_gone(request);
            if (!written || !request.head.keeps_open) continue;
            lock.lock();
            answered_.push_back(std::move(request.connection));
            lock.unlock();
            (void)!::write(wake_writer_.get(), "", 1);
        }
    }

    bool respond_unless_gone(Request& request) {
        try {
            const Cancellable until_gone(ConnectionWatch(request.connection.socket));
            return respond(request);
        } catch (const BrowserIsGone&) {
            return false;
        }
    }

    bool respond(Request& request) {
        HttpResponse response;
        if (request.head.has_slash) {
            PageAnswer found = answer_page_(request.head.path, std::move(request.head.values));
            response = {found.status, std::move(found.type), std::move(found.body), ""};
        } else {
            response = {302, "text/plain", "", "/" + token_ + "/"};
        }
        return send_all(request.connection, response_head(response, request.head.keeps_open)) &&
               (request.head.method == "HEAD" || send_all(request.connection, response.body));
    }

    bool send_all(const Connection& connection, std::string_view bytes) const {
        while (!bytes.empty()) {
            const ssize_t count =
                ::send(connection.socket.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
            if (count >= 0) {
                bytes.remove_prefix(static_cast<std::size_t>(count));
                continue;
            }
            if (errno == EINTR) continue;
            if (errno != EAGAIN) return false;
            pollfd socket{connection.socket.get(), POLLOUT, 0};
            const auto patience = std::chrono::milliseconds(limits_.write_time);
            if (::poll(&socket, 1, static_cast<int>(patience.count())) <= 0) return false;
        }
        return true;
    }

    const PageAnswerer& answer_page_;
    const std::string& token_;
    const ServerLimits limits_;
    const Listener& listener_;
    FileDescriptor wake_reader_;
    FileDescriptor wake_writer_;
    std::list<Connection> reading_;  ///< in the order of their arrival
    std::mutex mutex_;               ///< of the members below
    std::condition_variable ready_;
    std::deque<Request> waiting_;
    std::list<Connection> answered_;
};

}  // namespace

RequestHead parse_head(std::string_view text) {
    RequestHead head;
    const auto line_end = [&text] { return std::min(text.find("\r\n"), text.size()); };
    std::string_view line = text.substr(0, line_end());
    const auto [method, rest] = split_at(line, ' ');
    const auto [target, version] = split_at(rest, ' ');
    if (version != "HTTP/1.1" && version != "HTTP/1.0") return head;
    head.method = method;
    head.keeps_open = version == "HTTP/1.1";
    if (!parse_target(target, head)) return head;
    for (text.remove_prefix(line.size()); text.starts_with("\r\n");
         text.remove_prefix(line.size())) {
        text.remove_prefix(2);
        line = text.substr(0, line_end());
        parse_header(line, head);
    }
    head.valid = true;
    return head;
}

Listener::Listener(int port) : socket_(listen_on(port)), port_(port_of(socket_)) {}

Listener::Listener(const std::string& path)
    : socket_(listen_at(path)), path_(std::make_unique<RemovedPath>(path)) {
    if (::listen(socket_.get(), SOMAXCONN) != 0) {
        throw_io_error("cannot listen", "at " + path, errno);
    }
}

/// Closes connections of other users.
int Listener::accept() const {
    while (true) {
        const int socket = ::accept4(socket_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (socket < 0) return socket;
        if (port_ != 0) {
            const int on = 1;
            (void)::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
            return socket;
        }
        ucred peer{};
        socklen_t size = sizeof peer;
        const bool known = ::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0;
        if (known && (peer.uid == ::geteuid() || peer.uid == 0)) return socket;
        ::close(socket);
    }
}

void serve_pages(const PageAnswerer& answer_page, const std::string& token,
                 const Listener& listener, const ServerLimits& limits) {
    // Its threads use it until the process ends.
    (new Server(answer_page, token, listener, limits))->run();
}

}  // namespace tracefold
