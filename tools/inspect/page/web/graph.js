// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause

// The event flow graph: which call follows which, with loops as boxes.

/** The text of nodes has at least 11 pixels. */
const LEAST_SCALE = 0.92;
const NODE_HEIGHT = 40;
const LAYER_GAP = 30;
const LANE = 11;  // between edges that pass beside the nodes
const MANY_NODES = 30;

class GraphView extends LateView {
  async content({ source, trace }) {
    const graph = await source.document('graph');
    if (graph.unavailable) return this.unavailable(graph);
    return new FlowPicture(graph, source, trace, this.selection).parts();
  }
}

/** The number of locations in runs [start, stride, count]. */
function membersOf(runs) { return runs.reduce((sum, [, , count]) => sum + count, 0); }

/** The rows of the timeline of locations in runs. */
function rowsOfLocations(runs, trace) {
  const has = (location) => runs.some(([first, stride, count]) => location >= first && location < first + stride * count && (location - first) % stride === 0);
  return trace.rows.map((row, i) => [row[5], i]).filter(([location]) => has(location)).map(([, i]) => i);
}

/** Sums of times. */
function joinedTime(a, b) {
  if (!a || !b) return a || b;
  const total = a.total + b.total;
  const calls = a.total / (a.mean || 1) + b.total / (b.mean || 1);
  return { total, mean: calls ? total / calls : 0, minimum: Math.min(a.minimum, b.minimum), maximum: Math.max(a.maximum, b.maximum) };
}

/** A large graph with constructs of one kind at several places of the source as one node, in each loop. */
function joinedPlaces(graph) {
  if (graph.nodes.length <= MANY_NODES) return graph;
  const innermost = graph.nodes.map((_, index) => graph.loops.findLastIndex((loop) => loop.nodes.includes(index)));
  const known = new Map();
  const nodes = [];
  const numbers = graph.nodes.map((node, index) => {
    const base = node.name.replace(/ @.*$/, '');
    const key = base === node.name ? index : `${innermost[index]} ${base}`;
    if (!known.has(key)) { known.set(key, nodes.length); nodes.push({ ...node, base, names: [] }); }
    const sum = nodes[known.get(key)];
    if (sum.names.push(node.name) > 1) Object.assign(sum, { name: base, visits: sum.visits + node.visits, time: joinedTime(sum.time, node.time) });
    if (sum.names.length > 1 && membersOf(node.locations) > membersOf(sum.locations)) sum.locations = node.locations;
    return known.get(key);
  });
  const edges = new Map();
  for (const edge of graph.edges) {
    const [from, to] = [numbers[edge.from], numbers[edge.to]];
    const sum = edges.get(`${from} ${to}`);
    edges.set(`${from} ${to}`, sum ? { ...sum, count: sum.count + edge.count, time: joinedTime(sum.time, edge.time) } : { ...edge, from, to });
  }
  return { ...graph, nodes, edges: [...edges.values()], loops: graph.loops.map((loop) => ({ ...loop, nodes: [...new Set(loop.nodes.map((index) => numbers[index]))] })) };
}

/** The transitions that show the way through the program: to and from each call the most frequent one, and a tenth of its visits. */
function mainEdges({ nodes, edges }) {
  const [out, into] = [new Map(), new Map()];
  for (const edge of edges) {
    if (edge.from === edge.to) continue;
    if (!out.has(edge.from) || out.get(edge.from).count < edge.count) out.set(edge.from, edge);
    if (!into.has(edge.to) || into.get(edge.to).count < edge.count) into.set(edge.to, edge);
  }
  return edges.filter((edge) => edge.from === edge.to || out.get(edge.from) === edge || into.get(edge.to) === edge || edge.count >= 0.1 * Math.max(nodes[edge.from].visits || 0, nodes[edge.to].visits || 0));
}

/** Nodes and loops in nested layers: every loop is laid out for itself, and is one item of what is around it. */
class FlowPicture {
  constructor(graph, source, trace, selection) {
    graph = joinedPlaces(graph);
    Object.assign(this, { graph, source, trace, selection });
    const measure = document.createElement('canvas').getContext('2d');
    measure.font = '12px system-ui, "DejaVu Sans", sans-serif';
    this.total = [...graph.nodes, ...graph.edges].reduce((sum, { time }) => sum + (time ? time.total : 0), 0);
    this.all = Math.max(...graph.nodes.map((node) => membersOf(node.locations || [])));
    this.word = new Set(trace.rows.map((row) => row[1])).size < this.all ? 'location' : 'rank';
    this.nodes = graph.nodes.map((node, index) => {
      const path = this.pathOf(graph, node);
      const region = path.split('/').pop();
      const within = node.kind === 'record' && region !== '';
      const item = { ...node, index, path, title: within ? region : node.name, call: within ? region : node.names && node.names.length > 1 ? '' : node.name };
      item.use = !node.kind || (node.kind === 'record' && !within) ? 11 : useOfName(within ? region : node.names ? node.names[0] : node.name);
      item.note = [within ? node.name : '', this.noteOf(item)].filter(Boolean).join(' · ');
      item.width = Math.max(80, measure.measureText(item.title).width + 28, measure.measureText(item.note).width + 28);
      item.height = node.kind ? NODE_HEIGHT : 24;
      return item;
    });
    this.root = { items: [], edges: [], depth: 0 };
    this.boxes = graph.loops.map((loop) => ({ loop, items: [], edges: [], title: [loop.text, loop.seconds && this.total ? `${timeText(loop.seconds)}, ${shareText(loop.seconds / this.total)}` : ''].filter(Boolean).join(' · ') }));
    const isBox = ({ loop }) => loop.nodes.length > 1;
    this.boxes.forEach((box) => {
      let { parent } = box.loop;
      while (parent !== undefined && !isBox(this.boxes[parent])) ({ parent } = graph.loops[parent]);
      box.parent = parent === undefined ? this.root : this.boxes[parent];
      box.depth = box.parent.depth + 1;
      box.least = measure.measureText(box.title).width + 24;
      for (const index of box.loop.nodes) if (isBox(box)) this.nodes[index].parent = box;
    });
    this.boxes = this.boxes.filter(isBox);
    for (const item of [...this.nodes, ...this.boxes]) (item.parent ||= this.root).items.push(item);
    this.edges = mainEdges(graph).map((edge) => this.placed(edge)).filter(Boolean);
    this.hidden = graph.edges.filter(({ from, to }) => from !== to).length - this.edges.length;
    this.lay(this.root);
    this.move(this.root, 0, 0);
  }

  pathOf({ paths }, { path }) {
    const regions = [];
    for (let at = path || 0; at; at = paths[at].parent) regions.unshift(paths[at].region);
    return regions.join('/');
  }

  noteOf(node) {
    if (node.visits === undefined) return '';
    const members = membersOf(node.locations);
    const often = `${countText(node.visits / members)} × ${members < this.all ? `on ${members} of ${this.all}` : `per ${this.word}`}`;
    return node.time && node.time.total ? `${often} · ${timeText(node.time.total)}${this.total ? `, ${shareText(node.time.total / this.total)}` : ''}` : often;
  }

  /** An edge with the items that it joins in the innermost box around both ends. */
  placed(edge) {
    const [a, b] = [this.nodes[edge.from], this.nodes[edge.to]];
    if (a === b) { a.again = edge; return null; }
    const around = (item) => { const all = []; for (let at = item; at; at = at.parent) all.push(at); return all; };
    const [first, second] = [around(a), around(b)];
    const box = first.find((item) => item !== a && second.includes(item) && item.items);
    const result = { ...edge, a, b, box, from: first[first.indexOf(box) - 1], to: second[second.indexOf(box) - 1] };
    box.edges.push(result);
    return result;
  }

  /** Layers by the longest way without the edges that lead back, ordered by neighbours; all relative to the box. */
  lay(box) {
    for (const item of box.items) if (item.items) this.lay(item);
    const after = new Map(box.items.map((item) => [item, []]));
    for (const edge of box.edges) after.get(edge.from).push(edge);
    for (const list of after.values()) list.sort((a, b) => b.count - a.count);
    const state = new Map();
    const order = [];
    const visit = (item) => {
      state.set(item, 1);
      for (const edge of after.get(item)) {
        if (state.get(edge.to) === 1) edge.back = true;
        else if (!state.has(edge.to)) visit(edge.to);
      }
      state.set(item, 2);
      order.unshift(item);
    };
    const entered = (item) => this.graph.edges.reduce((sum, { from, to, count }) => sum + (this.isIn(to, item) && !this.isIn(from, box) ? count : 0), 0);
    const starts = box === this.root ? box.items : box.items.slice().sort((a, b) => entered(b) - entered(a));
    for (const item of starts) if (!state.has(item)) visit(item);
    for (const item of order) item.layer = 0;
    for (const item of order) for (const edge of after.get(item)) if (!edge.back) edge.to.layer = Math.max(edge.to.layer, item.layer + 1);
    const layers = [];
    for (const item of order) (layers[item.layer] ||= []).push(item);
    const right = this.giveLanes(box.edges.filter((edge) => edge.back));
    const left = -this.giveLanes(box.edges.filter((edge) => !edge.back && edge.to.layer > edge.from.layer + 1));
    const gap = 22;
    const widthOf = (layer) => layer.reduce((sum, item) => sum + item.width + gap, -gap);
    const inner = Math.max(box.least || 0, ...layers.map(widthOf));
    const side = box === this.root ? 0 : 14;
    for (let round = 0; round < 4; ++round) {
      for (const layer of layers) {
        const wish = new Map(layer.map((item) => {
          const near = box.edges.filter(({ from, to }) => from === item || to === item).map(({ from, to }) => (from === item ? to : from)).filter((other) => other.layer !== item.layer && other.left !== undefined);
          return [item, near.length ? near.reduce((sum, other) => sum + other.left + other.width / 2, 0) / near.length : inner / 2];
        }));
        layer.sort((a, b) => wish.get(a) - wish.get(b));
        let at = side - left * LANE + (inner - widthOf(layer)) / 2;
        for (const item of layer) { item.left = at; at += item.width + gap; }
      }
    }
    let top = box === this.root ? 0 : 34;
    for (const layer of layers) {
      const tall = Math.max(...layer.map((item) => item.height));
      for (const item of layer) item.top = top + (tall - item.height) / 2;
      top += tall + LAYER_GAP;
    }
    Object.assign(box, { inner: inner + side, width: inner + 2 * side + (right - left) * LANE, height: top - LAYER_GAP + side, right: inner + side - left * LANE });
  }

  /** Lanes beside the nodes, from 1, for edges that do not overlap; returns how many. */
  giveLanes(edges) {
    const span = ({ from, to }) => [Math.min(from.layer, to.layer), Math.max(from.layer, to.layer)];
    const lanes = [];
    for (const edge of edges.sort((a, b) => span(a)[1] - span(a)[0] - span(b)[1] + span(b)[0])) {
      const [first, last] = span(edge);
      let lane = lanes.findIndex((taken) => taken.every(([from, to]) => last < from || first > to));
      if (lane < 0) lane = lanes.push([]) - 1;
      lanes[lane].push([first, last]);
      edge.lane = lane + 1;
    }
    return lanes.length;
  }

  isIn(index, box) {
    for (let at = this.nodes[index]; at; at = at.parent) if (at === box) return true;
    return false;
  }

  /** From places in boxes to places in the picture. */
  move(box, left, top) {
    box.x = left;
    box.y = top;
    for (const item of box.items) {
      if (item.items) this.move(item, left + item.left, top + item.top);
      else Object.assign(item, { x: left + item.left, y: top + item.top });
    }
  }

  parts() {
    this.svg = svgEl('svg', { tabindex: 0, role: 'group', 'aria-label': 'Event flow graph; wheel, plus and minus zoom, drag and arrow keys move' });
    this.layer = svgEl('g');
    this.svg.append(svgEl('defs', {}, svgEl('marker', { id: 'tip', viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 9, markerHeight: 9, markerUnits: 'userSpaceOnUse', orient: 'auto-start-reverse' },
      svgEl('path', { d: 'M0 0 L8 4 L0 8 z', fill: 'context-stroke' }))), this.layer);
    const most = Math.log1p(Math.max(1, ...this.edges.map((edge) => edge.count || 0)));
    this.layer.append(...this.boxes.map((box) => this.boxOf(box)), ...this.edges.map((edge) => this.edgeOf(edge, most)), ...this.boxes.map((box) => svgEl('text', { class: 'loop-title', x: box.x + 12, y: box.y + 19 }, box.title)));
    this.marks = this.nodes.map((node) => this.nodeOf(node));
    this.layer.append(...this.marks);
    this.selection.on('call', () => this.mark());
    this.listen();
    this.side = el('aside', { class: 'graph-side', 'aria-label': 'Details of the flow graph', tabindex: 0 });
    this.showCosts();
    this.mark();
    requestAnimationFrame(() => this.open());
    return [el('div', { class: 'tools' }, el('button', { type: 'button', class: 'whole', onclick: () => this.fit() }, 'whole graph'),
      el('button', { type: 'button', onclick: () => this.open() }, 'most time'),
      el('span', {}, [counted(this.nodes.filter((node) => node.kind).length, 'call'), counted(this.boxes.length, 'loop')].join(', '),
        `; width: how often; dashed: back to an earlier call${this.hidden ? `; without ${counted(this.hidden, 'rare transition')}` : ''}`)),
    el('div', { class: 'graph-parts' }, el('div', { class: 'graph-box' }, this.svg), this.side)];
  }

  boxOf(box) {
    return svgEl('g', { class: 'loop-box' }, svgEl('rect', { x: box.x, y: box.y, width: box.width, height: box.height, rx: 9 }));
  }

  nodeOf(node) {
    const { x, y, width, height, use } = node;
    const share = this.total && node.time ? node.time.total / this.total : 0;
    const group = svgEl('g', { class: 'node' }, svgEl('rect', { class: 'plate', x, y, width, height, rx: 6 }),
      svgEl('rect', { class: 'use', x, y, width: 7, height, rx: 3, style: `fill: var(--use${use})` }));
    if (share > 0.002) group.append(svgEl('rect', { x: x + 9, y: y + height - 5, width: Math.max(2, (width - 12) * share), height: 4, style: `fill: var(--use${use})` }));
    const text = (content, at, kind) => svgEl('text', { class: kind, x: x + 7 + (width - 7) / 2, y: y + at, 'text-anchor': 'middle' }, content);
    group.append(text(node.title, 16, 'name'));
    if (node.note) group.append(text(node.note, 31, 'note'));
    if (!node.kind) return group;
    group.setAttribute('tabindex', 0);
    group.setAttribute('role', 'button');
    group.addEventListener('pointermove', (event) => Tooltip.show(event, [el('b', {}, node.name), factTable([['in', node.path], ['visits', countText(node.visits)],
      ['one after the other', node.again ? countText(node.again.count) : ''],
      ...(node.time ? [['time', timeText(node.time.total)], ['mean', timeText(node.time.mean)], ['min', timeText(node.time.minimum)], ['max', timeText(node.time.maximum)]] : [])])]));
    group.addEventListener('pointerleave', () => Tooltip.hide());
    group.addEventListener('click', () => this.showVariants(this.chosen === node ? null : node));
    group.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      group.dispatchEvent(new MouseEvent('click'));
    });
    return group;
  }

  edgeOf(edge, most) {
    const { a, b, box } = edge;
    const share = Math.log1p(edge.count || 0) / most;
    const [middleA, middleB] = [a.x + a.width / 2, b.x + b.width / 2];
    let d;
    if (edge.back) {
      const lane = box.x + box.right + edge.lane * LANE;
      const [y, y2] = [a.y + a.height / 2 + 5, b.y + b.height / 2 - 5];
      d = `M${a.x + a.width} ${y} C ${lane + 4} ${y}, ${lane} ${y}, ${lane} ${y - 14} L ${lane} ${y2 + 14} C ${lane} ${y2}, ${lane + 4} ${y2}, ${b.x + b.width + 2} ${y2}`;
    } else if (edge.lane) {
      const lane = box.x + box.right - box.inner - 2 - edge.lane * LANE;
      const [y, y2] = [a.y + a.height / 2, b.y + b.height / 2];
      d = `M${a.x} ${y} C ${lane} ${y}, ${lane} ${y}, ${lane} ${y + 14} L ${lane} ${y2 - 14} C ${lane} ${y2}, ${lane} ${y2}, ${b.x - 2} ${y2}`;
    } else {
      const [y, y2] = [a.y + a.height, b.y - 1];
      const bend = Math.min(60, (y2 - y) / 2);
      d = `M${middleA} ${y} C ${middleA} ${y + bend}, ${middleB} ${y2 - bend}, ${middleB} ${y2}`;
    }
    const path = svgEl('path', { d, 'stroke-width': 1 + 4 * share, 'stroke-opacity': 0.4 + 0.5 * share, 'marker-end': 'url(#tip)' });
    if (edge.back) path.setAttribute('stroke-dasharray', '5 3');
    const group = svgEl('g', { class: 'edge' }, path);
    group.addEventListener('pointermove', (event) => Tooltip.show(event, [el('b', {}, `${a.name} → ${b.name}`), factTable([['count', countText(edge.count)],
      ...(edge.time ? [['time between', timeText(edge.time.total)], ['mean', timeText(edge.time.mean)]] : [])])]));
    group.addEventListener('pointerleave', () => Tooltip.hide());
    return group;
  }

  /** The calls with most time, or visits. */
  showCosts() {
    const value = (node) => (this.total ? (node.time ? node.time.total : 0) : node.visits || 0);
    const nodes = this.nodes.filter((node) => node.kind && value(node) > 0).sort((a, b) => value(b) - value(a)).slice(0, 10);
    const whole = this.total || this.nodes.reduce((sum, node) => sum + (node.visits || 0), 0) || 1;
    this.side.replaceChildren(el('h2', {}, this.total ? 'Most time' : 'Most visits'), el('ol', { class: 'costs' }, nodes.map((node) => el('li', {},
      el('button', { type: 'button', onclick: () => { this.showVariants(node); this.centre(node); } }, swatch(node.use), node.title),
      el('span', {}, ` ${this.total ? timeText(value(node)) : countText(value(node))}, ${shareText(value(node) / whole)}`)))),
    el('p', { class: 'hint' }, 'Click a call for its variants by arguments and ranks.'));
  }

  /** A call with all its arguments, and the ranks that make it with them. */
  async showVariants(node) {
    this.chosen = null;
    this.selection.set({ call: node ? node.call : '' });
    this.chosen = node;
    this.mark();
    if (!node) { this.showCosts(); return; }
    const head = [el('h2', {}, node.title), factTable([['record', node.title === node.name ? '' : node.name], ['in', node.path], ['visits', countText(node.visits)], ...(node.time ? [['time', timeText(node.time.total)], ['mean', timeText(node.time.mean)], ['max', timeText(node.time.maximum)]] : [])])];
    this.side.replaceChildren(...head, el('p', { class: 'hint' }, 'reading …'));
    const found = await this.source.document('graph-variants');
    if (this.chosen !== node) return;
    const rows = found.unavailable ? [] : found.nodes.filter((one) => (node.names ? node.names.includes(one.name) : one.name === node.name) && one.visits && this.pathOf(found, one) === node.path);
    const label = (row) => [row.name === node.name ? '' : row.name.slice(node.name.length), ...(row.arguments || []).filter(({ name, value }) => name !== 'comm' || value !== 'MPI_COMM_WORLD').map(({ name, value }) => (name === 'bytes' ? value : `${name} ${value}`))].filter(Boolean).join(', ');
    const where = (row) => {
      const labels = rowsOfLocations(row.locations, this.trace).map((i) => this.trace.rows[i][0]);
      return labels.every((text) => /^\d+$/.test(text)) ? rowList(labels.map(Number)) : `${labels.slice(0, 3).join(', ')}${labels.length > 3 ? ` and ${labels.length - 3} more` : ''}`;
    };
    const table = new SortedTable([{ title: 'arguments', value: label }, { title: 'ranks', value: where }, { title: 'visits', value: (row) => row.visits, text: countText },
      ...(this.total ? [{ title: 'time', value: (row) => (row.time ? row.time.total : 0), text: timeText }] : [])], rows, this.total ? 3 : 2,
    { id: 'variants', click: (row) => this.selection.set({ rows: new Set(rowsOfLocations(row.locations, this.trace)) }) });
    this.side.replaceChildren(...head, el('h3', {}, `${counted(rows.length, 'variant')} by arguments and ranks`),
      ...(found.unavailable ? [el('p', { class: 'hint' }, found.unavailable)] : [table.node]),
      el('button', { type: 'button', onclick: () => this.showVariants(null) }, 'all calls'));
  }

  mark() {
    if (this.chosen && this.chosen.call !== this.selection.call) this.chosen = null;
    this.marks.forEach((mark, i) => mark.classList.toggle('chosen', this.chosen ? this.chosen === this.nodes[i] : this.nodes[i].call !== '' && this.nodes[i].call === this.selection.call));
  }

  /** Opens with the loop, or else the call, that takes most time in view. */
  open() {
    const cost = ({ loop, time, visits }) => (loop ? loop.seconds || loop.entries * loop.iterations : time ? time.total : visits || 0);
    const costliest = (items) => items.reduce((best, item) => (!best || cost(item) > cost(best) ? item : best), null);
    this.fit(costliest(this.boxes) || costliest(this.nodes));
  }

  /** As large as the picture allows and its text needs; `item` is in view. */
  fit(item) {
    const { width, height } = this.svg.getBoundingClientRect();
    if (!width) { this.fitWhenSeen(item); return; }
    const { width: wide, height: tall } = this.root;
    const whole = Math.min(width / (wide + 50), height / (tall + 40));
    this.scale = Math.min(1.25, item ? Math.max(whole, LEAST_SCALE) : whole);
    this.x = (width - wide * this.scale) / 2;
    this.y = Math.max(16, (height - tall * this.scale) / 2);
    if (item && whole < this.scale) {
      const middle = Math.min(item.width / 2, width / 2 / this.scale - 20);
      if (wide * this.scale > width - 40) this.x = Math.min(20, Math.max(width - 20 - wide * this.scale, width / 2 - (item.x + middle) * this.scale));
      if (tall * this.scale > height - 32) this.y = Math.min(16, Math.max(height - 16 - tall * this.scale, Math.max(40, (height - item.height * this.scale) / 2) - item.y * this.scale));
    }
    this.apply();
  }

  centre(node) {
    const { width, height } = this.svg.getBoundingClientRect();
    this.x = width / 2 - (node.x + node.width / 2) * this.scale;
    this.y = height / 2 - (node.y + node.height / 2) * this.scale;
    this.apply();
  }

  /** A view that is hidden has no size. */
  fitWhenSeen(item) {
    const seen = new ResizeObserver(() => {
      if (!this.svg.clientWidth) return;
      seen.disconnect();
      this.fit(item);
    });
    seen.observe(this.svg);
  }

  apply() { this.layer.setAttribute('transform', `translate(${this.x} ${this.y}) scale(${this.scale})`); }

  zoom(factor, x, y) {
    const scale = Math.max(0.05, Math.min(6, this.scale * factor));
    this.x = x - (x - this.x) * scale / this.scale;
    this.y = y - (y - this.y) * scale / this.scale;
    this.scale = scale;
    this.apply();
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
      this.apply();
    });
    this.svg.addEventListener('pointerup', () => { drag = null; });
    this.svg.addEventListener('focusin', ({ target }) => {
      const node = this.nodes[this.marks.indexOf(target)];
      if (!node || !target.matches(':focus-visible')) return;
      const frame = this.svg.getBoundingClientRect();
      const seen = target.getBoundingClientRect();
      if (seen.left < frame.left || seen.right > frame.right || seen.top < frame.top || seen.bottom > frame.bottom) this.centre(node);
    });
    this.svg.addEventListener('keydown', (event) => {
      const by = { ArrowLeft: [40, 0], ArrowRight: [-40, 0], ArrowUp: [0, 40], ArrowDown: [0, -40] }[event.key];
      if (event.key === '+') this.zoom(1.25, this.svg.clientWidth / 2, this.svg.clientHeight / 2);
      if (event.key === '-') this.zoom(0.8, this.svg.clientWidth / 2, this.svg.clientHeight / 2);
      if (by) { event.preventDefault(); this.x += by[0]; this.y += by[1]; this.apply(); }
    });
  }
}
