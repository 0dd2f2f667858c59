// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/page/web_server.hpp"

#include "base/error.hpp"
#include "base/plugin.hpp"

namespace tracefold {

ServePages* load_web_server() {
#ifdef TRACEFOLD_WITH_HTTPLIB
    return plugin_function<ServePages>("tracefold_server", kServePages);
#else
    throw Error(ErrorKind::unsupported,
                "trace_inspect serve was built without cpp-httplib (Debian: libcpp-httplib-dev); "
                "trace_inspect report writes a page that needs no server");
#endif
}

}  // namespace tracefold
