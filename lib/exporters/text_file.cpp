// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "exporters/text_file.hpp"

#include "core/json_writer.hpp"

namespace tracefold::inline exporters {

TextOut& TextOut::quote(std::string_view text) {
    append_json_string(text, buffer_);
    return *this;
}

}  // namespace tracefold::inline exporters
