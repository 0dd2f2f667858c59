// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause

// The event flow graph: which call follows which, in layers from start to end.

/** The text of nodes has at least 11 pixels. */
const LEAST_SCALE = 0.92;

class GraphView extends LateView {
  async content({ source }) {
    const graph = await source.document('graph');
    if (graph.unavailable) return this.unavailable(graph);
    return new FlowPicture(graph, this.selection).parts();
  }
}

class FlowPicture {
  constructor(graph, selection) {
    this.graph = graph;
    this.selection = selection;
    this.place();
  }

  /** Layers by the longest way without the edges that lead back, then order by neighbours. */
  place() {
    const { nodes, edges } = this.graph;
    this.nodes = nodes.map((node, index) => ({ ...node, index, next: [], before: [], layer: 0 }));
    for (const edge of edges) {
      if (edge.from === edge.to) continue;
      this.nodes[edge.from].next.push(edge.to);
      this.nodes[edge.to].before.push(edge.from);
    }
    this.findBack();
    const order = this.order;
    for (const index of order) {
      const node = this.nodes[index];
      for (const to of node.next) if (!this.back.has(`${index}>${to}`)) this.nodes[to].layer = Math.max(this.nodes[to].layer, node.layer + 1);
    }
    const layers = [];
    for (const node of this.nodes) (layers[node.layer] = layers[node.layer] || []).push(node);
    this.layers = layers.filter(Boolean);
    this.layers.forEach((layer, i) => layer.forEach((node) => { node.layer = i; }));
    this.orderLayers();
  }

  /** A walk in depth tells edges that lead back to something that is still open. */
  findBack() {
    this.back = new Set();
    const state = new Uint8Array(this.nodes.length);
    const done = [];
    for (const root of [0, ...this.nodes.keys()]) {
      if (state[root]) continue;
      const stack = [[root, 0]];
      state[root] = 1;
      while (stack.length) {
        const top = stack[stack.length - 1];
        const [index, at] = top;
        const to = this.nodes[index].next[at];
        if (to === undefined) { state[index] = 2; done.push(index); stack.pop(); continue; }
        ++top[1];
        if (state[to] === 1) this.back.add(`${index}>${to}`);
        else if (state[to] === 0) { state[to] = 1; stack.push([to, 0]); }
      }
    }
    this.order = done.reverse();
  }

  orderLayers() {
    const measure = document.createElement('canvas').getContext('2d');
    measure.font = '12px system-ui, "DejaVu Sans", sans-serif';
    for (const node of this.nodes) {
      node.label = node.name;
      node.note = this.noteOf(node);
      node.width = Math.max(70, measure.measureText(node.label).width + 24, measure.measureText(node.note).width + 20);
    }
    const settle = () => {
      for (const layer of this.layers) {
        let x = 0;
        for (const node of layer) { node.x = x + node.width / 2; x += node.width + 26; }
        for (const node of layer) { node.x -= (x - 26) / 2; node.y = node.layer * 86; }
      }
    };
    settle();
    for (let round = 0; round < 8; ++round) {
      const near = round % 2 ? 'next' : 'before';
      for (const layer of this.layers) {
        for (const node of layer) {
          const xs = node[near].map((index) => this.nodes[index].x);
          node.wish = xs.length ? xs.reduce((a, b) => a + b, 0) / xs.length : node.x;
        }
        layer.sort((a, b) => a.wish - b.wish);
      }
      settle();
    }
  }

  noteOf(node) {
    if (node.visits === undefined) return '';
    return `${countText(node.visits)} ×${node.time ? `, ${timeText(node.time.total)}` : ''}`;
  }

  parts() {
    this.svg = svgEl('svg', { tabindex: 0, role: 'img', 'aria-label': 'Event flow graph; wheel zooms, drag moves' });
    this.layer = svgEl('g');
    this.svg.append(svgEl('defs', {}, svgEl('marker', { id: 'tip', viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: 'auto-start-reverse' },
      svgEl('path', { d: 'M0 0 L8 4 L0 8 z', fill: 'context-stroke' }))), this.layer);
    const most = Math.log1p(Math.max(1, ...this.graph.edges.map((edge) => edge.count || 0)));
    for (const edge of this.graph.edges) this.layer.append(this.edgeOf(edge, most));
    this.marks = this.nodes.map((node) => this.nodeOf(node));
    this.layer.append(...this.marks);
    this.selection.on('call', () => this.mark());
    this.mark();
    this.listen();
    const box = el('div', { class: 'graph-box' }, this.svg);
    requestAnimationFrame(() => this.fit());
    return [el('div', { class: 'tools' }, el('button', { type: 'button', onclick: () => this.fit() }, 'whole graph'),
      el('span', {}, `${this.nodes.length} nodes, ${this.graph.edges.length} edges; dashed: back edges`)), box];
  }

  nodeOf(node) {
    const use = node.kind === 'record' ? 11 : useOfName(node.name);
    const group = svgEl('g', { class: `node use${use}`, transform: `translate(${node.x} ${node.y})` },
      svgEl('rect', { x: -node.width / 2, y: -19, width: node.width, height: 38, rx: 7, style: `fill: var(--use${use})` }));
    const name = svgEl('text', { 'text-anchor': 'middle', y: node.note ? -2 : 4 });
    name.textContent = shown(node.label);
    name.style.fontSize = '12px';
    group.append(name);
    if (node.note) {
      const note = svgEl('text', { 'text-anchor': 'middle', y: 12 });
      note.textContent = shown(node.note);
      note.style.fontSize = '12px';
      group.append(note);
    }
    group.addEventListener('pointermove', (event) => Tooltip.show(event, [el('b', {}, node.name), factTable([['visits', countText(node.visits)],
      ...(node.arguments || []).slice(0, 8).map((item) => [item.name, item.value]),
      ...(node.time ? [['time', timeText(node.time.total)], ['mean', timeText(node.time.mean)], ['min', timeText(node.time.minimum)], ['max', timeText(node.time.maximum)]] : [])])]));
    group.addEventListener('pointerleave', () => Tooltip.hide());
    group.addEventListener('click', () => this.selection.set({ call: this.selection.call === node.name ? '' : node.name }));
    return group;
  }

  edgeOf(edge, most) {
    const [a, b] = [this.nodes[edge.from], this.nodes[edge.to]];
    const back = edge.from === edge.to || b.layer <= a.layer;
    const share = Math.log1p(edge.count || 0) / most;
    let d;
    if (edge.from === edge.to) d = `M${a.x + a.width / 2} ${a.y - 8} c 34 -16 34 32 2 17`;
    else if (back) {
      const out = Math.max(a.x + a.width / 2, b.x + b.width / 2) + 26 + Math.abs(a.layer - b.layer) * 9;
      d = `M${a.x + a.width / 2} ${a.y} C ${out} ${a.y}, ${out} ${b.y}, ${b.x + b.width / 2 + 2} ${b.y}`;
    } else {
      const middle = (a.y + b.y) / 2;
      d = `M${a.x} ${a.y + 19} C ${a.x} ${middle}, ${b.x} ${middle}, ${b.x} ${b.y - 21}`;
    }
    const path = svgEl('path', { d, 'stroke-width': 1 + 2.6 * share, 'stroke-opacity': 0.35 + 0.6 * share, 'marker-end': 'url(#tip)' });
    if (back) path.setAttribute('stroke-dasharray', '5 3');
    const group = svgEl('g', { class: 'edge' }, path);
    group.addEventListener('pointermove', (event) => Tooltip.show(event, [el('b', {}, `${a.name} → ${b.name}`), factTable([['count', countText(edge.count)],
      ...(edge.time ? [['time between', timeText(edge.time.total)], ['mean', timeText(edge.time.mean)]] : [])])]));
    group.addEventListener('pointerleave', () => Tooltip.hide());
    return group;
  }

  mark() { this.marks.forEach((mark, i) => mark.classList.toggle('chosen', this.nodes[i].name === this.selection.call)); }

  fit() {
    const { width, height } = this.svg.getBoundingClientRect();
    const box = this.layer.getBBox();
    if (!width) { this.fitWhenSeen(); return; }
    if (!box.width) return;
    this.scale = Math.min(1.3, Math.max(width / (box.width + 40), LEAST_SCALE), Math.max(height / (box.height + 40), LEAST_SCALE));
    const wide = box.width * this.scale > width - 20;
    this.x = width / 2 - (wide ? this.nodes[0].x : box.x + box.width / 2) * this.scale;
    this.y = 16 - box.y * this.scale;
    this.move();
  }

  /** A view that is hidden has no size. */
  fitWhenSeen() {
    const seen = new ResizeObserver(() => {
      if (!this.svg.clientWidth) return;
      seen.disconnect();
      this.fit();
    });
    seen.observe(this.svg);
  }

  move() { this.layer.setAttribute('transform', `translate(${this.x} ${this.y}) scale(${this.scale})`); }

  zoom(factor, x, y) {
    const scale = Math.max(0.05, Math.min(6, this.scale * factor));
    this.x = x - (x - this.x) * scale / this.scale;
    this.y = y - (y - this.y) * scale / this.scale;
    this.scale = scale;
    this.move();
  }

  listen() {
    this.svg.addEventListener('wheel', (event) => {
      event.preventDefault();
      const frame = this.svg.getBoundingClientRect();
      this.zoom(Math.exp(-event.deltaY * 0.002), event.clientX - frame.left, event.clientY - frame.top);
    }, { passive: false });
    let drag = null;
    this.svg.addEventListener('pointerdown', (event) => { drag = { x: event.clientX - this.x, y: event.clientY - this.y }; });
    this.svg.addEventListener('pointermove', (event) => {
      if (!drag || !event.buttons) return;
      this.x = event.clientX - drag.x;
      this.y = event.clientY - drag.y;
      this.move();
    });
    this.svg.addEventListener('pointerup', () => { drag = null; });
    this.svg.addEventListener('keydown', (event) => {
      const by = { ArrowLeft: [40, 0], ArrowRight: [-40, 0], ArrowUp: [0, 40], ArrowDown: [0, -40] }[event.key];
      if (event.key === '+') this.zoom(1.25, this.svg.clientWidth / 2, this.svg.clientHeight / 2);
      if (event.key === '-') this.zoom(0.8, this.svg.clientWidth / 2, this.svg.clientHeight / 2);
      if (by) { event.preventDefault(); this.x += by[0]; this.y += by[1]; this.move(); }
    });
  }
}
