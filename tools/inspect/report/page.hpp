// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "common/html_page.hpp"

#include <map>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tracefold {

/// The page of a report, section by section; what its figures mean is collected for the end.
class ReportPage {
  public:
    ReportPage(std::ostream& out, std::string_view title) : out_(out) { begin_page(out, title); }
    ReportPage(const ReportPage&) = delete;
    ReportPage& operator=(const ReportPage&) = delete;
    ~ReportPage() = default;

    [[nodiscard]] std::ostream& out() { return out_; }

    /// Links to all sections, which must have these identifiers.
    void links(const std::vector<std::pair<std::string, std::string>>& sections);

    void begin(std::string_view title, std::string_view id) { begin_section(out_, title, id); }
    void end() { out_ << "</section>\n"; }

    /// A sentence in quieter letters: how to read what follows, or why there is nothing.
    void note(std::string_view sentence);

    /// An SVG picture that was drawn for white paper.
    void picture(std::string_view svg);

    /// Titles and rows; numbers stand right, the first column left.
    void table(const std::vector<std::string>& titles,
               const std::vector<std::vector<std::string>>& rows);

    void preformatted(std::string_view text);

    /// The data behind a figure.
    void data(std::string_view name, std::string_view csv) { put_download(out_, name, csv); }

    /// What a term means, for the glossary.
    void explain(std::string term, std::string meaning) {
        glossary_.emplace(std::move(term), std::move(meaning));
    }

    /// Writes the glossary and ends the page. Call last.
    void finish();

  private:
    std::ostream& out_;
    std::map<std::string, std::string> glossary_;
};

}  // namespace tracefold
