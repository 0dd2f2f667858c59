// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "context_mixing/trained_model.hpp"

#include "context_mixing/detail/trained_states.hpp"
#include "core/error.hpp"

#include <bit>
#include <string>
#include <string_view>

namespace tracefold {

namespace {

const TrainedState& trained_state_of(SectionKind kind) {
    for (const TrainedState& learnt : trained_states()) {
        if (learnt.kind == kind) return learnt;
    }
    throw Error(ErrorKind::internal, "there is no model of this kind of section");
}

/// The bytes that little-endian words stand for; `swapped` keeps them where this machine's differ.
std::string_view bytes_of(std::span<const u64> words, [[maybe_unused]] std::string& swapped) {
    if constexpr (std::endian::native == std::endian::little) {
        return {reinterpret_cast<const char*>(words.data()), words.size_bytes()};
    }
    ByteWriter bytes;
    for (const u64 word : words) bytes.put_u64le(word);
    return swapped = bytes.take();
}

}  // namespace

ByteModel trained_model(SectionKind kind, std::size_t size) {
    std::string swapped;
    ModelStateReader state(bytes_of(trained_state_of(kind).words, swapped));
    ByteModel model(size);
    model.load(state);
    return model;
}

}  // namespace tracefold
