# SPDX-FileCopyrightText: 2026 The tracefold authors
# SPDX-License-Identifier: BSD-3-Clause
"""Event flow graphs for networkx."""


def _path_texts(paths):
    """Regions from the outermost inwards, joined by "/", by number; 0 is outside of all."""
    texts = [""]
    for path in paths[1:]:
        above = texts[path["parent"]]
        texts.append(f"{above}/{path['region']}" if above else path["region"])
    return texts


def _node(node, paths):
    if "kind" not in node:  # the start and the end
        return {"name": node["name"]}
    kept = ("name", "kind", "visits", "locations", "time", "after")
    attributes = {key: node[key] for key in kept if key in node}
    attributes["path"] = paths[node["path"]]
    attributes["arguments"] = {part["name"]: part["value"] for part in node["arguments"]}
    return attributes


def flow_graph(document):
    """The networkx.DiGraph of the JSON of trace_inspect graph."""
    import networkx as nx

    graph = nx.DiGraph(classes=document["classes"], loops=document["loops"])
    paths = _path_texts(document["paths"])
    for number, node in enumerate(document["nodes"]):
        graph.add_node(number, **_node(node, paths))
    for edge in document["edges"]:
        kept = {key: value for key, value in edge.items() if key not in ("from", "to")}
        graph.add_edge(edge["from"], edge["to"], **kept)
    return graph
