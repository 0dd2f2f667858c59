// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "io/placement.hpp"

#include "io/file_descriptor.hpp"

#include <cerrno>
#include <cstdio>

#include <fcntl.h>
#include <unistd.h>

namespace tracefold {

namespace fs = std::filesystem;

namespace {

/// False, with errno, if it does not succeed; EINVAL or ENOSYS if that cannot be done here.
bool rename_with(const fs::path& from, const fs::path& to, unsigned flags) {
#ifdef RENAME_EXCHANGE
    return ::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), flags) == 0;
#else
    errno = ENOSYS;
    return false;
#endif
}

#ifndef RENAME_EXCHANGE
constexpr unsigned RENAME_NOREPLACE = 1;
constexpr unsigned RENAME_EXCHANGE = 2;
#endif

bool is_unknown_here(int code) { return code == EINVAL || code == ENOSYS || code == ENOTSUP; }

bool something_is_there(int code) { return code == EEXIST || code == ENOTEMPTY; }

[[noreturn]] void refuse(const fs::path& place, int code) {
    throw_io_error("cannot create", place.string(), code);
}

/// A folder takes the place of none or of an empty one, by rename() itself.
bool rename_onto_nothing(const fs::path& made, const fs::path& place) {
    std::error_code ignored;
    if (fs::is_directory(made, ignored)) return std::rename(made.c_str(), place.c_str()) == 0;
    if (rename_with(made, place, RENAME_NOREPLACE)) return true;
    if (!is_unknown_here(errno)) return false;
    if (::link(made.c_str(), place.c_str()) == 0) {
        ::unlink(made.c_str());
        return true;
    }
    if (something_is_there(errno)) return false;
    // A file system without hard links.
    errno = EEXIST;
    return !fs::exists(place, ignored) && std::rename(made.c_str(), place.c_str()) == 0;
}

}  // namespace

bool place_new(const fs::path& made, const fs::path& place) {
    if (rename_onto_nothing(made, place)) return true;
    if (!something_is_there(errno)) refuse(place, errno);
    return false;
}

void exchange(const fs::path& made, const fs::path& place) {
    if (rename_with(made, place, RENAME_EXCHANGE)) return;
    if (!is_unknown_here(errno)) refuse(place, errno);
    exchange_by_renames(made, place);
}

void exchange_by_renames(const fs::path& made, const fs::path& place) {
    fs::path old = made;
    old += ".old";
    // Of folders there are no hard links.
    const bool linked = ::link(place.c_str(), old.c_str()) == 0;
    if (!linked && std::rename(place.c_str(), old.c_str()) != 0) refuse(place, errno);
    if (std::rename(made.c_str(), place.c_str()) != 0) {
        const int code = errno;
        if (linked) {
            ::unlink(old.c_str());
        } else {
            (void)place_new(old, place);
        }
        refuse(place, code);
    }
    if (std::rename(old.c_str(), made.c_str()) != 0) refuse(made, errno);
}

}  // namespace tracefold
