// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay_mpi/proof/gather_proof.hpp"

#include "io/bytes.hpp"

namespace tracefold {

namespace {

void put_text(ByteWriter& out, const std::string& text) {
    out.put_varint(text.size());
    out.put_bytes(text);
}

std::string get_text(ByteReader& in) { return std::string(in.get_bytes(in.get_varint())); }

std::string encoded(const ProofResult& result) {
    ByteWriter out;
    out.put_varint(result.calls);
    out.put_varint(result.parts);
    out.put_varint(result.differences);
    out.put_varint(result.fingerprint);
    out.put_varint(result.first.size());
    for (const std::string& sentence : result.first) put_text(out, sentence);
    out.put_varint(result.substitutes.size());
    for (const auto& [names, count] : result.substitutes) {
        put_text(out, names.first);
        put_text(out, names.second);
        out.put_varint(count);
    }
    return out.take();
}

ProofResult decoded(const std::string& bytes) {
    ByteReader in(bytes, "the proof of another process");
    ProofResult result;
    result.calls = in.get_varint();
    result.parts = in.get_varint();
    result.differences = in.get_varint();
    result.fingerprint = in.get_varint();
    for (u64 left = in.get_count(1); left > 0; --left) result.first.push_back(get_text(in));
    for (u64 left = in.get_count(3); left > 0; --left) {
        std::string recorded = get_text(in);
        std::string issued = get_text(in);
        result.substitutes[{std::move(recorded), std::move(issued)}] = in.get_varint();
    }
    return result;
}

}  // namespace

ProofResult gather_proof(Communicator& world, const ProofResult& mine) {
    ProofResult all;
    for (const std::string& part : world.gather(encoded(mine), 0)) all.merge(decoded(part));
    return all;
}

}  // namespace tracefold
