// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "model/mpi_spelling.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <memory>
#include <utility>

#include <cxxabi.h>

namespace tracefold {

namespace {

constexpr std::string_view kPrefix = "MPI_";
constexpr std::string_view kVendorPrefix = "MPIX_";
constexpr std::string_view kClassPrefix = "MPI::";

/// Prefixes of the function: linker wraps and Fortran modules.
constexpr std::string_view kWrappers[] = {"__wrap_", "__real_"};
constexpr std::string_view kModules[] = {"_MOD_", "_mp_", "mpi_f08::"};

/// Suffixes of the function, in lower case: Fortran bindings, and large counts of both languages.
/// No function of the standard ends with one of them.
constexpr std::string_view kSuffixes[] = {"_large", "_f08ts", "_f08", "_fts", "_f", "_c"};

/// Functions of the C++ bindings whose C name differs from the method.
constexpr std::pair<std::string_view, std::string_view> kMethods[] = {
    {"comm::accept", "Comm_accept"},
    {"comm::clone", "Comm_dup"},
    {"comm::connect", "Comm_connect"},
    {"comm::create", "Comm_create"},
    {"comm::create_cart", "Cart_create"},
    {"comm::create_graph", "Graph_create"},
    {"comm::create_intercomm", "Intercomm_create"},
    {"comm::disconnect", "Comm_disconnect"},
    {"comm::dup", "Comm_dup"},
    {"comm::free", "Comm_free"},
    {"comm::get_rank", "Comm_rank"},
    {"comm::get_size", "Comm_size"},
    {"comm::join", "Comm_join"},
    {"comm::merge", "Intercomm_merge"},
    {"comm::spawn", "Comm_spawn"},
    {"comm::spawn_multiple", "Comm_spawn_multiple"},
    {"comm::split", "Comm_split"},
    {"comm::sub", "Cart_sub"},
    {"request::free", "Request_free"},
    {"request::get_status", "Request_get_status"},
    {"win::accumulate", "Accumulate"},
    {"win::get", "Get"},
    {"win::put", "Put"},
};

/// Classes in C names: MPI::File::Open is MPI_File_open, but MPI::Comm::Send is MPI_Send.
constexpr std::string_view kObjects[] = {"datatype", "errhandler", "file", "group",
                                         "info",     "op",         "win"};

char upper(char c) { return static_cast<char>(std::toupper(static_cast<unsigned char>(c))); }
char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

std::string lowered(std::string_view text) {
    std::string result(text);
    std::ranges::transform(result, result.begin(), lower);
    return result;
}

bool is_letter_or_digit(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

/// True if the text continues after a prefix, which is in upper case.
bool follows(std::string_view prefix, std::string_view text) {
    return text.size() > prefix.size() &&
           std::ranges::equal(prefix, text.substr(0, prefix.size()), {}, {}, upper);
}

/// "MPI_Send" for "send".
std::string standard_name(std::string_view prefix, std::string_view rest) {
    std::string name(prefix);
    name += upper(rest.front());
    return name + lowered(rest.substr(1));
}

/// Strips the suffixes of bindings, in lower case: "send" for "SEND_C", "send_f08ts_large_".
std::string without_suffixes(std::string_view function) {
    std::string name = lowered(function);
    const auto strip = [&name] {
        while (name.size() > 1 && name.back() == '_') name.pop_back();
    };
    strip();
    for (const std::string_view suffix : kSuffixes) {
        if (name.size() <= suffix.size() || !name.ends_with(suffix)) continue;
        name.resize(name.size() - suffix.size());
        strip();
    }
    return name;
}

/// The function of a method in lower case: "send" for "comm::send", "file_open" for "file::open".
std::string function_of_method(const std::string& name) {
    const std::size_t end = name.rfind("::");
    if (end == std::string::npos) return name;
    std::string scope = name.substr(0, end);
    // Intracomm, Cartcomm and others are communicators, Prequest and Grequest are requests.
    for (const std::string_view base : {"comm", "request"}) {
        if (scope.ends_with(base)) scope = base;
    }
    const std::string method = name.substr(end + 2);
    const auto known = std::ranges::find(kMethods, scope + "::" + method,
                                         &std::pair<std::string_view, std::string_view>::first);
    if (known != std::end(kMethods)) return lowered(known->second);
    const bool is_object = std::ranges::find(kObjects, scope) != std::end(kObjects);
    return is_object ? scope + "_" + method : method;
}

/// Parses a single identifier, which may contain "::"; empty if it is not an MPI name.
std::string name_of_identifier(std::string_view word) {
    for (const std::string_view wrapper : kWrappers) {
        if (word.starts_with(wrapper)) word.remove_prefix(wrapper.size());
    }
    for (const std::string_view module : kModules) {
        const std::size_t place = word.find(module);
        if (place != std::string_view::npos) word.remove_prefix(place + module.size());
    }
    if (follows(kClassPrefix, word) && follows(kPrefix, word.substr(kClassPrefix.size()))) {
        word.remove_prefix(kClassPrefix.size());
    }
    if (follows(kClassPrefix, word)) {
        const std::string name = function_of_method(lowered(word.substr(kClassPrefix.size())));
        return standard_name(kPrefix, name);
    }
    if (!word.empty() && upper(word.front()) == 'P') word.remove_prefix(1);
    // MPICH's Fortran 2008 bindings call "pmpir_send_f08ts_".
    const bool is_inner = follows("MPIR_", word) && lowered(word).find("_f08") != std::string::npos;
    for (const std::string_view prefix :
         {kPrefix, is_inner ? std::string_view("MPIR_") : kVendorPrefix}) {
        if (!follows(prefix, word)) continue;
        const std::string name = without_suffixes(word.substr(prefix.size()));
        if (!is_letter_or_digit(name.front())) return {};
        return standard_name(prefix == kVendorPrefix ? kVendorPrefix : kPrefix, name);
    }
    return {};
}

/// Returns the demangled name, or the name itself if it was not mangled.
std::string demangled(std::string_view name) {
    if (!name.starts_with("_Z")) return std::string(name);
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> text(
        abi::__cxa_demangle(std::string(name).c_str(), nullptr, nullptr, &status), &std::free);
    return status == 0 && text ? std::string(text.get()) : std::string(name);
}

/// Characters that end the function name: arguments, locations, versions.
constexpr std::string_view kEnds = "([{<@+";

/// Returns the length of the identifier at the start of a text, including "::".
std::size_t identifier_length(std::string_view text) {
    std::size_t size = 0;
    while (size < text.size()) {
        if (is_letter_or_digit(text[size]) || text[size] == '_') {
            ++size;
        } else if (text.substr(size).starts_with("::") && size + 2 < text.size()) {
            size += 2;
        } else {
            break;
        }
    }
    return size;
}

}  // namespace

std::string mpi_function_name(std::string_view region_name) {
    const std::string whole = demangled(region_name);
    std::string_view text = whole;
    // Skips a module in brackets.
    if (text.starts_with('[')) text.remove_prefix(std::min(text.find(']'), text.size() - 1) + 1);
    const std::size_t end = std::min(text.find_first_of(kEnds), text.size());
    // In a signature, the function is the last word, after the return type.
    const bool has_arguments = end < text.size() && text[end] == '(';
    std::string found;
    for (std::size_t i = 0; i < end;) {
        const std::size_t size = identifier_length(text.substr(i, end - i));
        if (size == 0) {
            ++i;
            continue;
        }
        // Characters of paths and longer names: such a word is not a function.
        constexpr std::string_view kInName = "/\\-.\"'$";
        const bool is_part = i > 0 && kInName.find(text[i - 1]) != std::string_view::npos;
        if (has_arguments || found.empty()) {
            found = is_part ? std::string() : name_of_identifier(text.substr(i, size));
        }
        i += size;
    }
    return found;
}

std::string bare_mpi_function_name(std::string_view region_name) {
    const auto is_ornament = [](char c) { return c == ' ' || c == '_' || c == '(' || c == ')'; };
    while (!region_name.empty() && is_ornament(region_name.back())) region_name.remove_suffix(1);
    if (!region_name.empty() && upper(region_name.front()) == 'P') region_name.remove_prefix(1);
    if (!follows(kPrefix, region_name)) return {};
    return standard_name(kPrefix, region_name.substr(kPrefix.size()));
}

}  // namespace tracefold
