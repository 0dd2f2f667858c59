// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "exporters/chakra_file.hpp"

namespace tracefold {

namespace {

constexpr std::string_view kVersion = "1.0.0";

// Fields of the messages GlobalMetadata, Node and AttributeProto.
constexpr u32 kMetadataVersion = 1;
constexpr u32 kNodeId = 1;
constexpr u32 kNodeName = 2;
constexpr u32 kNodeType = 3;
constexpr u32 kNodeDataDeps = 5;
constexpr u32 kNodeDurationMicros = 7;
constexpr u32 kNodeAttr = 10;
constexpr u32 kAttributeName = 1;
constexpr u32 kInt32Val = 7;
constexpr u32 kInt64Val = 9;
constexpr u32 kBoolVal = 27;
constexpr u32 kStringVal = 29;

// Enumerators of NodeType.
constexpr u32 kComputation = 4;
constexpr u32 kSend = 5;
constexpr u32 kReceive = 6;
constexpr u32 kCollective = 7;

}  // namespace

ChakraFile::ChakraFile(const std::filesystem::path& path) : file_(path) {
    node_.put_text(kMetadataVersion, kVersion);
    write(node_);
}

ChakraFile::NodeId ChakraFile::add_computation(std::string_view name, u64 microseconds,
                                               Dependencies after) {
    begin_node(name, kComputation, after);
    node_.put_number(kNodeDurationMicros, microseconds);
    put_processor();
    return end_node();
}

ChakraFile::NodeId ChakraFile::add_send(std::string_view name, u32 rank, u32 peer, u32 tag,
                                        u64 bytes, Dependencies after) {
    return add_transfer(name, kSend, rank, peer, tag, bytes, after);
}

ChakraFile::NodeId ChakraFile::add_receive(std::string_view name, u32 rank, u32 peer, u32 tag,
                                           u64 bytes, Dependencies after) {
    return add_transfer(name, kReceive, peer, rank, tag, bytes, after);
}

ChakraFile::NodeId ChakraFile::add_collective(std::string_view name, ChakraCollective kind,
                                              u32 group, u64 bytes, Dependencies after) {
    begin_node(name, kCollective, after);
    put_processor();
    put_attribute("comm_type", kInt64Val, static_cast<u64>(kind));
    put_attribute("comm_size", kInt64Val, bytes);
    if (group != 0) put_attribute("pg_name", std::to_string(group));
    return end_node();
}

ChakraFile::NodeId ChakraFile::add_transfer(std::string_view name, u32 type, u32 source,
                                            u32 destination, u32 tag, u64 bytes,
                                            Dependencies after) {
    begin_node(name, type, after);
    put_processor();
    put_attribute("comm_src", kInt32Val, source);
    put_attribute("comm_dst", kInt32Val, destination);
    put_attribute("comm_tag", kInt32Val, tag);
    put_attribute("comm_size", kInt64Val, bytes);
    return end_node();
}

/// A rank is what ASTRA-sim calls an NPU: its statistics refuse work of a processor beside it.
void ChakraFile::put_processor() { put_attribute("is_cpu_op", kBoolVal, 0); }

void ChakraFile::begin_node(std::string_view name, u32 type, Dependencies after) {
    node_.clear();
    node_.put_number(kNodeId, ++last_);
    node_.put_text(kNodeName, name);
    node_.put_number(kNodeType, type);
    node_.put_numbers(kNodeDataDeps, after);
}

ChakraFile::NodeId ChakraFile::end_node() {
    write(node_);
    return last_;
}

void ChakraFile::put_attribute(std::string_view name, u32 value_field, u64 value) {
    attribute_.clear();
    attribute_.put_text(kAttributeName, name);
    attribute_.put_number(value_field, value);
    node_.put_text(kNodeAttr, attribute_.bytes());
}

void ChakraFile::put_attribute(std::string_view name, std::string_view value) {
    attribute_.clear();
    attribute_.put_text(kAttributeName, name);
    attribute_.put_text(kStringVal, value);
    node_.put_text(kNodeAttr, attribute_.bytes());
}

void ChakraFile::write(const ProtobufMessage& message) {
    delimited_.clear();
    delimited_.put_delimited(message.bytes());
    file_ << delimited_.bytes();
}

}  // namespace tracefold
