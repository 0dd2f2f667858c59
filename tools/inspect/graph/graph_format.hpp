// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <string>
#include <utility>
#include <vector>

namespace tracefold {

/// What a graph can be written as. Pictures are drawn by Graphviz.
enum class GraphFormat : u8 { dot, graphml, json, svg, png, pdf, ps, eps };

/// The words of --format, which are the endings of files as well, and what they mean.
const std::vector<std::pair<std::string, GraphFormat>>& graph_formats();

/// "svg".
const std::string& name_of(GraphFormat format);

/// True for what Graphviz draws.
constexpr bool is_drawn(GraphFormat format) { return format >= GraphFormat::svg; }

/// The format that the name of a file asks for; standard output ("-") gets DOT. Throws
/// Error(usage) if its ending is unknown.
GraphFormat format_of_file(const std::string& path);

}  // namespace tracefold
