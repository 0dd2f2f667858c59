// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/error.hpp"
#include "base/types.hpp"

#include <memory>
#include <string>

#include <otf2/otf2.h>

namespace tracefold::otf2 {

/// Advice for damaged files; the end of a message.
inline constexpr const char* kDamageAdvice =
    "; restore it from a backup, or keep its intact part with trace_compress --rescue";

/// Captures libotf2's messages on this thread instead of printing them. The handler is
/// process-global and stays installed after the first use; it ignores threads without a capture.
class ErrorCapture {
  public:
    ErrorCapture();
    ~ErrorCapture();
    ErrorCapture(const ErrorCapture&) = delete;
    ErrorCapture& operator=(const ErrorCapture&) = delete;

    void add(OTF2_ErrorCode code, std::string text);

    /// The reason of the last failure: the first message, or the name of `code`.
    [[nodiscard]] std::string reason(OTF2_ErrorCode code) const;
    [[nodiscard]] ErrorKind kind(OTF2_ErrorCode code) const;

    /// Throws "`what`: reason" unless `code` is OTF2_SUCCESS.
    void check(OTF2_ErrorCode code, const std::string& what) const {
        if (code != OTF2_SUCCESS) throw Error(kind(code), what + ": " + reason(code));
    }

  private:
    ErrorCapture* outer_;
    OTF2_ErrorCode first_code_ = OTF2_SUCCESS;
    std::string first_text_;
};

/// An error in a damaged file, with the number of records before the damage.
class DamageError : public Error {
  public:
    DamageError(const std::string& message, u64 records)
        : Error(ErrorKind::corrupt, message), records_(records) {}

    [[nodiscard]] u64 records() const { return records_; }

  private:
    u64 records_;
};

template <auto kDelete>
struct Deleter {
    template <class T>
    void operator()(T* handle) const {
        kDelete(handle);
    }
};

using ReaderHandle = std::unique_ptr<OTF2_Reader, Deleter<OTF2_Reader_Close>>;
using EventCallbacks =
    std::unique_ptr<OTF2_EvtReaderCallbacks, Deleter<OTF2_EvtReaderCallbacks_Delete>>;
using GlobalDefinitionCallbacks =
    std::unique_ptr<OTF2_GlobalDefReaderCallbacks, Deleter<OTF2_GlobalDefReaderCallbacks_Delete>>;
using LocalDefinitionCallbacks =
    std::unique_ptr<OTF2_DefReaderCallbacks, Deleter<OTF2_DefReaderCallbacks_Delete>>;

}  // namespace tracefold::otf2
