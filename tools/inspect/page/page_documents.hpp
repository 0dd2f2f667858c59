// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "comm/communicator.hpp"

#include <string>
#include <vector>

namespace tracefold {

/// What the views of a page beside the timeline are made of: the JSON documents of trace_inspect's
/// own commands, so that a page and the command line cannot disagree.
///
/// `arguments`: a command and its options, without the file. Collective. Where a document cannot be
/// had, such as times of a file that keeps none, it is {"unavailable": "why"}.
std::string page_document(Communicator& comm, const std::vector<std::string>& arguments,
                          const std::string& path);

/// The command behind a document that a page may ask for; empty if there is none of that name.
/// `call`: of histograms, the name of the function.
std::vector<std::string> document_command(const std::string& document, const std::string& call);

}  // namespace tracefold
