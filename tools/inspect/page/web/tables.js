// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause

// Tables that can be sorted, the tree of call paths with its flame graph, the structure.

/** A table whose columns sort it: columns of {title, value(row), text(value), bar}. */
class SortedTable {
  constructor(columns, rows, sorted, options) {
    Object.assign(this, { columns, rows: rows.slice(), sorted, options, falling: sorted > 0 });
    this.head = el('tr', {}, columns.map((column, i) => el('th', { scope: 'col', ...activated(() => this.sort(i)) }, column.title)));
    this.body = el('tbody', {});
    this.table = el('table', { class: 'grid', id: options.id }, el('thead', {}, this.head), this.body);
    this.node = el('div', { class: 'grid-box' }, this.table, rows.length ? el('button', { type: 'button', class: 'csv', title: 'This table as CSV', onclick: () => this.save() }, 'CSV') : null);
    this.fill();
  }

  /** Hands the table out as a file: numbers with all digits, in seconds and bytes. */
  save() {
    const lines = [this.columns.map((column) => csvField(column.title)), ...this.rows.map((row) => this.columns.map((column) => csvField((column.raw || column.value)(row))))];
    const link = el('a', { download: `${this.options.id}.csv`, href: URL.createObjectURL(new Blob([lines.map((line) => line.join(',')).join('\n'), '\n'], { type: 'text/csv' })) });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  sort(column) {
    this.falling = this.sorted === column ? !this.falling : column > 0;
    this.sorted = column;
    this.fill();
  }

  fill() {
    const { value } = this.columns[this.sorted];
    const sign = this.falling ? -1 : 1;
    this.rows.sort((a, b) => {
      const [x, y] = [value(a), value(b)];
      return sign * (typeof x === 'string' ? x.localeCompare(y) : (x ?? -1) - (y ?? -1));
    });
    [...this.head.children].forEach((cell, i) => cell.setAttribute('aria-sort', i === this.sorted ? (this.falling ? 'descending' : 'ascending') : 'none'));
    this.body.replaceChildren(...this.rows.map((row) => this.lineOf(row)));
  }

  lineOf(row) {
    const cells = this.columns.map((column) => {
      const value = column.value(row);
      const bar = column.bar && value > 0 ? el('i', { style: `width: ${Math.min(100, value * 100)}%` }) : null;
      return el('td', { class: bar && 'bar-cell' }, column.text ? column.text(value) : String(value ?? ''), bar);
    });
    const chosen = this.options.chosen && this.options.chosen(row);
    const choose = () => {
      const at = this.rows.indexOf(row);
      this.options.click(row);
      this.fill();
      this.body.children[at]?.focus({ preventScroll: true });
    };
    return el('tr', { class: chosen && 'chosen', ...(this.options.click ? activated(choose) : {}) }, cells);
  }
}

/** A view whose content comes when it is shown first. */
class LateView {
  constructor(app, name, label) {
    this.app = app;
    this.selection = app.selection;
    this.node = el('section', { class: `view ${name}`, 'aria-label': label });
    this.built = false;
  }

  async shown() {
    if (this.built) return;
    this.built = true;
    this.node.replaceChildren(el('p', { class: 'hint' }, 'reading …'));
    const parts = [];
    for (const item of this.app.traces) {
      try {
        const content = await this.content(item);
        if (this.app.traces.length > 1) content.unshift(el('h2', {}, item.trace.name));
        parts.push(el('div', { class: 'part' }, content));
      } catch (error) {
        parts.push(el('p', { class: 'hint' }, `${item.trace.name}: ${error.message}`));
      }
    }
    this.node.replaceChildren(...(parts.length > 1 ? [el('div', { class: 'side' }, parts)] : [...parts[0].childNodes]));
    this.node.dataset.ready = '1';
    if (this.placed) this.placed();
  }

  unavailable(document) { return [el('p', { class: 'hint' }, document.unavailable)]; }
}

/** The metric of a node of a profile: {inclusive, exclusive}. */
function metricOf(node, name) {
  const found = node.metrics.find((metric) => metric.metric === name);
  const none = { sum: 0, min: 0, max: 0, mean: 0 };
  return found || { inclusive: none, exclusive: none };
}

/** Call paths as a tree with sums, and as a flame graph. */
class CallTreeView extends LateView {
  async content({ source }) {
    let profile = await source.document('profile');
    if (profile.unavailable) profile = await source.document('visits');
    if (profile.unavailable) return this.unavailable(profile);
    return new CallTree(this, profile).parts();
  }
}

class CallTree {
  constructor(view, profile) {
    this.view = view;
    this.selection = view.selection;
    this.metric = profile.times ? 'time' : 'visits';
    this.nodes = profile.nodes.map((node) => ({ ...node, children: [], open: node.depth < 2 }));
    this.groups = profile.groups || [];
    this.roots = [];
    const known = new Map(this.nodes.map((node) => [node.node, node]));
    for (const node of this.nodes) {
      node.parts = metricOf(node, this.metric);
      if (node.parent === undefined) this.roots.push(node);
      else known.get(node.parent).children.push(node);
    }
    this.total = this.roots.reduce((sum, node) => sum + metricOf(node, this.metric).inclusive.sum, 0) || 1;
    this.sorted = 'inclusive';
    this.query = '';
    this.body = el('tbody', {});
    this.flame = el('canvas', { style: 'width: 100%; height: 60px', tabindex: 0, 'aria-label': 'Flame graph of the call paths' });
    this.focus = null;
  }

  parts() {
    const column = (name, title) => el('th', { scope: 'col', 'data-sort': name, ...activated(() => this.sort(name)) }, title);
    this.head = el('tr', {}, column('call', 'call path'), column('inclusive', `${this.metric}, inclusive`), column('exclusive', `${this.metric}, exclusive`), column('visits', 'visits'), column('bytes', 'bytes sent'), column('least', 'min over ranks'), column('most', 'max over ranks'), this.groups.length ? el('th', {}, 'by rank') : null);
    const filter = el('input', { type: 'search', placeholder: 'filter call paths', 'aria-label': 'Filter call paths', oninput: (event) => { this.query = event.target.value.toLowerCase(); this.fill(); this.paint(); } });
    const open = (all) => () => { for (const node of this.nodes) node.open = all; this.fill(); };
    this.selection.on('call', () => { this.fill(); this.paint(); });
    new ResizeObserver(() => this.paint()).observe(this.flame);
    this.flame.addEventListener('pointermove', (event) => this.hover(event));
    this.flame.addEventListener('pointerleave', () => Tooltip.hide());
    this.flame.addEventListener('click', (event) => this.click(event));
    this.fill();
    return [el('div', { class: 'tools' }, filter, el('button', { type: 'button', onclick: open(true) }, 'open all'), el('button', { type: 'button', onclick: open(false) }, 'close all'),
      el('button', { type: 'button', onclick: () => { this.focus = null; this.paint(); } }, 'whole flame graph')),
    el('div', { class: 'chart' }, this.flame), el('h2', {}, 'Call paths'), el('table', { class: 'grid tree-table', id: 'paths' }, el('thead', {}, this.head), this.body)];
  }

  sort(name) {
    this.rising = this.sorted === name ? !this.rising : name === 'call';
    this.sorted = name;
    this.fill();
  }

  value(node, name) {
    const main = metricOf(node, this.metric);
    return { call: node.call, inclusive: main.inclusive.sum, exclusive: main.exclusive.sum, visits: metricOf(node, 'visits').exclusive.sum,
      bytes: metricOf(node, 'bytes_sent').inclusive.sum, least: main.inclusive.min, most: main.inclusive.max }[name];
  }

  matches(node) { return this.query === '' || node.call.toLowerCase().includes(this.query) || node.children.some((child) => this.matches(child)); }

  fill() {
    for (const cell of this.head.children) if (cell.dataset.sort) cell.setAttribute('aria-sort', cell.dataset.sort === this.sorted ? (this.rising ? 'ascending' : 'descending') : 'none');
    const lines = [];
    const add = (nodes, depth) => {
      const sign = this.rising ? 1 : -1;
      const order = nodes.filter((node) => this.matches(node)).sort((a, b) => {
        const [x, y] = [this.value(a, this.sorted), this.value(b, this.sorted)];
        return sign * (typeof x === 'string' ? x.localeCompare(y) : x - y);
      });
      for (const node of order) {
        lines.push(this.lineOf(node, depth, lines.length));
        if ((node.open || this.query) && lines.length < 5000) add(node.children, depth + 1);
      }
    };
    add(this.roots, 0);
    this.body.replaceChildren(...lines);
  }

  lineOf(node, depth, lines) {
    const text = this.metric === 'time' ? timeText : countText;
    const share = this.value(node, 'inclusive') / this.total;
    const twist = el('button', { class: `twist ${node.children.length ? '' : 'leaf'}`, type: 'button', 'aria-expanded': String(node.open), 'aria-label': `${node.call}: open or close`,
      onclick: (event) => { event.stopPropagation(); node.open = !node.open; this.fill(); } }, node.open ? '▾' : '▸');
    const chosen = this.selection.call === node.call;
    const found = this.query && node.call.toLowerCase().includes(this.query);
    return el('tr', { class: [chosen && 'chosen', found && 'found'].filter(Boolean).join(' ') || null, ...activated(() => { this.selection.set({ call: chosen ? '' : node.call }); this.body.children[lines]?.focus({ preventScroll: true }); }) },
      el('td', { style: `padding-left: ${6 + depth * 18}px` }, twist, node.call),
      el('td', { class: 'bar-cell' }, `${text(this.value(node, 'inclusive'))} · ${shareText(share)}`, el('i', { style: `width: ${share * 100}%` })),
      el('td', {}, text(this.value(node, 'exclusive'))), el('td', {}, countText(this.value(node, 'visits'))), el('td', {}, this.value(node, 'bytes') ? byteText(this.value(node, 'bytes')) : ''),
      el('td', {}, text(this.value(node, 'least'))), el('td', {}, text(this.value(node, 'most'))), this.groups.length ? el('td', {}, this.stripOf(node)) : null);
  }

  /** A heat map of one line: a cell per rank. */
  stripOf(node) {
    const values = node.parts.inclusive_groups;
    if (!values) return '';
    const canvas = el('canvas', { width: Math.min(100, Math.max(60, values.length * 6)), height: 12, role: 'img', 'aria-label': 'time by rank' });
    const context = canvas.getContext('2d');
    const most = Math.max(...values, 1e-30);
    const cell = canvas.width / values.length;
    values.forEach((value, i) => {
      context.fillStyle = `rgba(${Colours.known.heat}, ${0.06 + 0.94 * value / most})`;
      context.fillRect(i * cell, 0, Math.max(cell - (cell > 3 ? 0.7 : 0), 0.6), 12);
    });
    canvas.addEventListener('pointermove', (event) => {
      const i = Math.min(values.length - 1, Math.floor(event.offsetX / canvas.clientWidth * values.length));
      Tooltip.show(event, [el('b', {}, node.call), factTable([['rank', this.groups[i]], [this.metric, this.metric === 'time' ? timeText(values[i]) : countText(values[i])]])]);
    });
    canvas.addEventListener('pointerleave', () => Tooltip.hide());
    return canvas;
  }

  /** Boxes of the flame graph: {node, left, width, depth} as shares of what is in focus. */
  layout() {
    const boxes = [];
    const place = (nodes, left, scale, depth) => {
      for (const node of nodes.slice().sort((a, b) => this.value(b, 'inclusive') - this.value(a, 'inclusive'))) {
        const width = this.value(node, 'inclusive') * scale;
        if (width < 0.0004) continue;
        boxes.push({ node, left, width, depth });
        place(node.children, left, scale, depth + 1);
        left += width;
      }
    };
    const roots = this.focus ? [this.focus] : this.roots;
    const total = roots.reduce((sum, node) => sum + this.value(node, 'inclusive'), 0) || 1;
    place(roots, 0, 1 / total, 0);
    return boxes;
  }

  paint() {
    this.boxes = this.layout();
    const levels = this.boxes.reduce((most, box) => Math.max(most, box.depth + 1), 1);
    this.flame.style.height = `${levels * 20 + 26}px`;
    const { context, width, height } = prepared(this.flame);
    context.clearRect(0, 0, width, height);
    context.font = '12px system-ui, "DejaVu Sans", sans-serif';
    context.textBaseline = 'middle';
    for (const { node, left, width: share, depth } of this.boxes) {
      const dim = (this.query && !node.call.toLowerCase().includes(this.query)) || (this.selection.call && this.selection.call !== node.call);
      context.globalAlpha = dim ? 0.38 : 1;
      const use = useOfName(node.call);
      context.fillStyle = WAITING_USES.includes(use) ? Colours.fill(context, use) : Colours.of(use, node.call);
      context.fillRect(left * width, depth * 20 + 2, Math.max(0.6, share * width - 1), 18);
      context.globalAlpha = 1;
      context.fillStyle = dim ? Colours.known.text : useOfName(node.call) || !document.documentElement.classList.contains('dark') ? Colours.known.ink : Colours.known.text;
      if (share * width > 36) context.fillText(Timeline.prototype.fitted(context, node.call, share * width - 9, LEAST_LETTERS), left * width + 5, depth * 20 + 11);
    }
    context.globalAlpha = 1;
    const whole = this.value(this.focus || { metrics: [] }, 'inclusive') || this.total;
    const area = { left: 0, right: width, top: 0, bottom: levels * 20 + 4 };
    const text = this.metric === 'time' ? timeText : countText;
    paintAxes(context, area, { labels: [] }, axisTicks(0, whole, width / 150).map((value) => [value / whole * width, text(value)]));
  }

  at(event) {
    const x = event.offsetX / this.flame.clientWidth;
    const depth = Math.floor((event.offsetY - 2) / 20);
    return this.boxes.find((box) => box.depth === depth && x >= box.left && x < box.left + box.width);
  }

  hover(event) {
    const box = this.at(event);
    if (!box) { Tooltip.hide(); return; }
    const text = this.metric === 'time' ? timeText : countText;
    const { node } = box;
    Tooltip.show(event, [el('b', {}, node.call), factTable([['inclusive', `${text(this.value(node, 'inclusive'))}, ${shareText(this.value(node, 'inclusive') / this.total)}`],
      ['exclusive', text(this.value(node, 'exclusive'))], ['visits', countText(this.value(node, 'visits'))]])]);
  }

  click(event) {
    const box = this.at(event);
    if (!box) return;
    if (this.focus === box.node) this.focus = null;
    else if (box.node.children.length) this.focus = box.node;
    this.selection.set({ call: box.node.call });
    this.paint();
  }
}

/** The program as trace_inspect structure prints it: a listing per group of ranks that run the same. */
class StructureView extends LateView {
  async content({ source, trace }) {
    const structure = await source.document('structure');
    if (structure.unavailable) return this.unavailable(structure);
    const fold = (open) => () => { for (const node of this.node.querySelectorAll('details')) node.open = open; };
    return [el('div', { class: 'tools' }, el('button', { type: 'button', onclick: fold(true) }, 'open all'), el('button', { type: 'button', onclick: fold(false) }, 'close all')),
      ...structure.groups.map((group, i) => this.groupOf(group, i, trace)), structure.left_out ? el('p', { class: 'hint' }, structure.left_out) : ''];
  }

  groupOf(group, number, trace) {
    const members = membersOf(group.locations);
    const words = [`${countText(group.calls)} calls`, group.seconds ? `${timeText(group.seconds / members)} per location` : '', group.difference || ''].filter(Boolean).join(' · ');
    const show = () => {
      this.selection.set({ rows: new Set(rowsOfLocations(group.locations, trace)) });
      this.app.show('timeline');
    };
    const tree = el('ul', { class: 'tree top' });
    // Lists of open loops and regions, by level.
    const open = [[0, tree]];
    group.lines.forEach((line, i) => {
      while (open.length > 1 && open[open.length - 1][0] >= line.level) open.pop();
      const [, list] = open[open.length - 1];
      const next = group.lines[i + 1];
      const opens = next && next.level > line.level;
      const row = this.lineOf(line, group.seconds, opens);
      if (!opens) { list.append(el('li', {}, row)); return; }
      const inner = el('ul', { class: 'tree' });
      list.append(el('li', {}, el('details', { open: true }, el('summary', {}, row), inner)));
      open.push([line.level, inner]);
    });
    return el('details', { class: 'group', open: number < 2 && !group.difference }, el('summary', {}, el('b', {}, group.participants), el('span', { class: 'hint' }, ` · ${words}`)),
      el('button', { type: 'button', onclick: show }, 'show these ranks in the timeline'), tree);
  }

  lineOf({ name, text, seconds }, total, opens) {
    const isLoop = name === 'loop';
    const isCall = name && !isLoop;
    const choose = () => this.selection.set({ call: this.selection.call === name ? '' : name });
    const parts = isLoop ? [el('span', { class: 'loop' }, text)] : isCall && text.startsWith(name) ? [el('span', {}, name), el('span', { class: 'what' }, text.slice(name.length))] : [el('span', { class: 'what' }, text)];
    const share = total && seconds ? el('span', { class: 'share' }, `${timeText(seconds)} · ${shareText(seconds / total)}`, el('i', { style: `width: ${Math.min(100, seconds / total * 100)}%` })) : null;
    const line = el('div', { class: 'line', 'data-call': isCall ? name : null, ...(!isCall ? {} : opens ? { onclick: choose } : activated(choose)) }, isCall ? swatch(/^[a-z]+(Begin|End)$/i.test(name) && !functionUses.has(name) ? 11 : useOfName(name)) : null, parts, share);
    if (isCall) {
      const mark = () => line.classList.toggle('chosen', this.selection.call === name);
      this.selection.on('call', mark);
      mark();
    }
    return line;
  }
}
