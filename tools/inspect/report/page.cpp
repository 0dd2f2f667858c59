// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/report/page.hpp"

#include "common/text.hpp"

#include <algorithm>

namespace tracefold {

void ReportPage::links(const std::vector<std::pair<std::string, std::string>>& sections) {
    out_ << "<nav>";
    for (const auto& [id, title] : sections) {
        out_ << "<a href=\"#" << id << "\">" << markup_text(title) << "</a>";
    }
    out_ << "</nav>\n";
}

void ReportPage::note(std::string_view sentence) {
    out_ << "<p class=\"soft\">" << markup_text(sentence) << "</p>\n";
}

void ReportPage::picture(std::string_view svg) {
    out_ << "<div class=\"picture\">\n" << svg << "</div>\n";
}

void ReportPage::table(const std::vector<std::string>& titles,
                       const std::vector<std::vector<std::string>>& rows) {
    out_ << "<table>\n";
    put_row(out_, "th", titles);
    for (const std::vector<std::string>& row : rows) put_row(out_, "td", row);
    out_ << "</table>\n";
}

void ReportPage::preformatted(std::string_view text) {
    out_ << "<pre>";
    std::size_t begin = 0;
    while (begin < text.size()) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        out_ << markup_text(text.substr(begin, end - begin)) << '\n';
        begin = end + 1;
    }
    out_ << "</pre>\n";
}

void ReportPage::finish() {
    begin("Glossary", "glossary");
    out_ << "<dl>\n";
    for (const auto& [term, meaning] : glossary_) {
        out_ << "<dt>" << markup_text(term) << "</dt><dd>" << markup_text(meaning) << "</dd>\n";
    }
    out_ << "</dl>\n";
    end();
    end_page(out_);
}

}  // namespace tracefold
