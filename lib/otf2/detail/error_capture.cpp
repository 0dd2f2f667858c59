// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "otf2/detail/error_capture.hpp"

#include <array>
#include <charconv>
#include <cstdarg>
#include <mutex>
#include <system_error>

namespace tracefold::otf2 {
namespace {

thread_local ErrorCapture* current_capture = nullptr;

std::string one_line(std::string text) {
    for (char& c : text) {
        if (c == '\n' || c == '\r' || c == '\t') c = ' ';
    }
    while (!text.empty() && (text.back() == ' ' || text.back() == '.' || text.back() == '!')) {
        text.pop_back();
    }
    return text;
}

OTF2_ErrorCode on_error(void*, const char*, uint64_t, const char*, OTF2_ErrorCode code,
                        const char* format, va_list arguments) noexcept {
    if (current_capture == nullptr) return code;
    try {
        std::array<char, 512> text{};
        std::vsnprintf(text.data(), text.size(), format, arguments);
        current_capture->add(code, one_line(text.data()));
    } catch (...) {  // out of memory: the message is lost, the code is not
    }
    return code;
}

/// An error code's name without its prefix: "INVALID_DATA".
std::string error_name(OTF2_ErrorCode code) {
    const std::string name = OTF2_Error_GetName(code);
    for (const std::string prefix : {"OTF2_ERROR_", "OTF2_"}) {
        if (name.rfind(prefix, 0) == 0) return name.substr(prefix.size());
    }
    // libotf2 names system errors by their number.
    int number = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (error == std::errc() && end == name.data() + name.size()) {
        return std::generic_category().message(number);
    }
    return name;
}

}  // namespace

ErrorCapture::ErrorCapture() : outer_(current_capture) {
    static std::once_flag installed;
    std::call_once(installed, [] { OTF2_Error_RegisterCallback(on_error, nullptr); });
    current_capture = this;
}

ErrorCapture::~ErrorCapture() { current_capture = outer_; }

void ErrorCapture::add(OTF2_ErrorCode code, std::string text) {
    // Negative codes are warnings. The first message is the cause, later ones the call chain.
    if (code <= OTF2_SUCCESS || first_code_ != OTF2_SUCCESS) return;
    first_code_ = code;
    first_text_ = std::move(text);
}

std::string ErrorCapture::reason(OTF2_ErrorCode code) const {
    if (first_code_ == OTF2_SUCCESS) return error_name(code);
    return first_text_.empty() ? error_name(first_code_)
                               : error_name(first_code_) + ", " + first_text_;
}

ErrorKind ErrorCapture::kind(OTF2_ErrorCode code) const {
    const OTF2_ErrorCode cause = first_code_ != OTF2_SUCCESS ? first_code_ : code;
    if (cause == OTF2_ERROR_FILE_COMPRESSION_NOT_SUPPORTED ||
        cause == OTF2_ERROR_FILE_SUBSTRATE_NOT_SUPPORTED) {
        return ErrorKind::unsupported;
    }
    const bool posix = cause >= OTF2_ERROR_E2BIG && cause <= OTF2_ERROR_EXDEV;
    const bool file = cause == OTF2_ERROR_FILE_INTERACTION || cause == OTF2_ERROR_FILE_CAN_NOT_OPEN;
    return posix || file ? ErrorKind::io : ErrorKind::corrupt;
}

}  // namespace tracefold::otf2
