// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause

// The view of timelines, one below the other for several files, with what is selected below them.

class TimelineView {
  constructor(app) {
    this.app = app;
    this.selection = app.selection;
    this.node = el('section', { class: 'view timeline', 'aria-label': 'Timeline' });
    this.timelines = [];
    this.tools = el('div', { class: 'tools' });
    this.details = el('div', { class: 'details', 'aria-live': 'polite' });
    this.chosen = el('div', {});
    this.sums = el('div', {});
    this.details.append(el('button', { type: 'button', class: 'close', title: 'Clear the selection (Esc)', 'aria-label': 'Clear the selection',
      onclick: () => this.selection.set({ box: null, window: null, call: '' }) }, '×'), this.chosen, this.sums);
  }

  build() {
    this.node.append(this.tools);
    const isNew = this.selection.from === null;
    for (const { trace, source } of this.app.traces) {
      if (this.app.traces.length > 1) this.node.append(el('div', { class: 'file-name' }, trace.name));
      const canvas = el('canvas', { 'aria-label': `Timeline of ${trace.name}; arrow keys move, plus and minus zoom` });
      this.node.append(el('div', { class: 'lanes' }, canvas));
      new Timeline(trace, source, this.selection, canvas, this.timelines);
    }
    this.node.append(this.details);
    this.active = this.first;
    if (isNew && this.timelines.length > 1) this.first.showHome();
    this.buildTools();
    this.selection.on('box', () => this.showChosen());
    this.selection.on('window', () => this.showSums());
    this.selection.on('rows', () => this.showSums());
    this.selection.on('goto', (box) => this.goTo(box));
    this.selection.on('active', (line) => { this.active = line; });
    this.showChosen();
    this.showSums();
  }

  get first() { return this.timelines[0]; }

  buildTools() {
    const { trace } = this.first;
    const by = el('select', { 'aria-label': 'Group rows', onchange: (event) => { for (const line of this.timelines) line.setGrouping(event.target.value); } },
      el('option', { value: 'none' }, 'single rows'), el('option', { value: 'node' }, 'rows by node'), el('option', { value: 'class' }, 'rows by rank class'));
    by.value = this.first.by;
    const fold = (closed) => () => {
      for (const line of this.timelines) {
        line.collapsed = new Set(closed ? line.groups.map((item) => item.name) : []);
        line.arrange();
        line.refresh();
      }
    };
    const hasProgram = this.app.traces.some((item) => item.trace.window.join() !== item.trace.program.join());
    const arrows = el('input', { type: 'checkbox', id: 'arrows', checked: true, onchange: (event) => { for (const line of this.timelines) { line.arrows = event.target.checked; line.refresh(); } } });
    const exact = this.first.source.marks.map(([from, to], i, all) => el('button', { type: 'button', title: 'Range with single calls', onclick: () => this.first.show(from, to) },
      all.length === 3 ? ['begin', 'middle', 'end'][i] : `part ${i + 1}`));
    this.tools.append(by, el('button', { type: 'button', onclick: fold(true) }, 'collapse'), el('button', { type: 'button', onclick: fold(false) }, 'expand'),
      el('button', { type: 'button', id: 'run', title: 'From the end of MPI_Init to the begin of MPI_Finalize (Home)', onclick: () => this.first.showHome() }, hasProgram ? 'main part' : 'whole program'),
      hasProgram ? el('button', { type: 'button', id: 'program', onclick: () => this.first.showProgram() }, 'whole program') : '', this.counters = el('span', {}),
      ...(exact.length ? [el('span', {}, 'single calls:'), ...exact] : []), el('label', { id: 'with-messages' }, arrows, ' messages'), this.legend(trace));
  }

  legend(trace) {
    this.seenUses = new Set();
    this.legendBox = el('span', { class: 'legend' });
    const put = () => {
      const late = this.timelines.some((line) => line.messages.length);
      for (const line of this.timelines) {
        for (const kept of line.data.values()) {
          for (const answer of kept) {
            for (const use of answer.uses || []) this.seenUses.add(use);
            for (const box of answer.boxes || []) this.seenUses.add(box.use);
          }
        }
      }
      const text = [...this.seenUses].sort((a, b) => a - b).join() + late;
      if (text === this.legendText) return;
      this.legendText = text;
      this.legendBox.replaceChildren(...[...this.seenUses].sort((a, b) => a - b).map((use) =>
        el('span', {}, swatch(use), trace.uses[use])), ...(late ? [el('span', {}, swatch(1, true), 'waits for a message')] : []));
    };
    setInterval(put, 300);
    return this.legendBox;
  }

  shown() {
    for (const line of this.timelines) { line.arrange(); line.refresh(); }
    if (!this.knowsCounters) this.offerCounters();
    this.knowsCounters = true;
  }

  /** A choice of counters below the rows, if there are any. */
  async offerCounters() {
    const all = await Promise.all(this.app.traces.map(({ source }) => source.document('metric-series')));
    const names = [...new Set(all.flatMap((found) => (found.series || []).filter(({ columns }) => columns.some(Boolean)).map(({ metric }) => metric)))];
    if (!names.length) return;
    const choose = (name) => {
      this.timelines.forEach((line, i) => {
        const item = (all[i].series || []).find(({ metric }) => metric === name);
        line.counter = item ? { item, from: all[i].from, to: all[i].to } : null;
        line.arrange();
        line.refresh();
      });
    };
    this.counters.append(el('select', { id: 'counters', 'aria-label': 'Counter below the rows', onchange: (event) => choose(event.target.value) },
      el('option', { value: '' }, 'no counter'), names.map((name, i) => el('option', { value: name, selected: i === 0 }, name))));
    choose(names[0]);
  }

  /** The panel is open while something is selected. */
  openPanel() { this.details.hidden = !this.selection.box && !this.selection.window; }

  async showChosen() {
    const { box } = this.selection;
    this.openPanel();
    if (!box) { this.chosen.replaceChildren(); return; }
    const line = this.lineOf(box);
    if (!line || !line.trace.rows[box[0]]) return;
    const { source, trace } = line;
    let told;
    let found;
    try {
      [told, found] = await Promise.all([source.call(box[0], box[1]), source.received(box[0], box[1])]);
    } catch (error) {
      this.chosen.replaceChildren(el('h2', {}, 'Call'), el('p', { class: 'hint' }, error.message));
      return;
    }
    if (this.selection.box !== box) return;
    told.rate = trace.ticks_per_second;
    const length = told.listed.duration || (told.region_ticks || 1) / told.rate;
    const where = line.labelOf(box[0]);
    const facts = [['where', this.timelines.length > 1 ? `${where} of ${trace.name}` : where], ['begin', momentText(told.listed.begin, length)]];
    if (told.listed.duration !== undefined) facts.push(['duration', timeText(told.listed.duration, true)]);
    facts.push(...moreFacts(told));
    this.chosen.replaceChildren(el('h2', {}, told.listed.name),
      this.messagesOf(found, line, box), el('dl', {}, facts.flatMap(([name, value]) => [el('dt', {}, name), el('dd', {}, String(value))])),
      el('p', {}, el('button', { type: 'button', onclick: () => this.goTo(box) }, 'zoom to call'), ' ',
        el('button', { type: 'button', onclick: () => this.app.show('calls') }, 'show in call tree')));
  }

  /** What the call waited for, and the other messages that it receives and sends, with buttons that lead to the other call. */
  messagesOf(found, line, box) {
    const { trace } = line;
    if (found.unavailable) return trace.rows[box[0]][1] === null ? null : el('p', { class: 'hint' }, `Messages: ${found.unavailable}.`);
    const isOwn = (end) => end && end.call === box[1] && end.location === trace.rows[box[0]][0];
    const size = ({ bytes, tag }) => `${byteText(bytes)}, tag ${tag}`;
    const received = found.messages.filter((message) => isOwn(message.received)).sort((a, b) => (b.late || 0) - (a.late || 0));
    const sent = found.messages.filter((message) => isOwn(message.sent));
    const lines = [
      ...received.map((message) => [message.late ? 'waited' : 'received', message.late ? waitSentence(message) : `${size(message)}, from rank ${message.sender}, sent before`, message.sent]),
      ...sent.map((message) => ['sent', `${size(message)}, ${message.receiver === undefined ? 'never received' : `to rank ${message.receiver}${message.late ? `, which waited ${timeText(message.late)}` : ''}`}`, message.received])];
    const go = (end) => {
      const row = trace.rows.findIndex(([label]) => label === end.location);
      if (row < 0) return;
      const other = line.boxOf(row, end.call);
      this.selection.set({ box: other, call: '' });
      this.goTo(other);
    };
    const most = 8;
    return el('ul', { class: 'messages' }, lines.slice(0, most).map(([word, text, other]) => el('li', {}, el('b', {}, word), ' ', el('span', { class: word }, text), ' ',
      other ? el('button', { type: 'button', onclick: () => go(other) }, other.name) : null)),
    lines.length > most ? el('li', { class: 'hint' }, `and ${lines.length - most} more messages`) : null);
  }

  /** The timeline of a selected call. */
  lineOf(box) { return this.timelines[box[2] || 0]; }

  /** Statistics of what is selected, else of the program. */
  async showSums() {
    clearTimeout(this.sumTimer);
    this.sumTimer = setTimeout(() => this.loadSums(), 150);
  }

  async loadSums() {
    const { window, rows } = this.selection;
    this.openPanel();
    if (!window) { this.sums.replaceChildren(); return; }
    const parts = [];
    for (const [i, { source, trace }] of this.app.traces.entries()) {
      const chosen = rows.size ? [...rows].sort((a, b) => a - b).filter((row) => row < trace.rows.length) : this.timelines[i].visibleRows();
      if (!chosen.length) continue;
      const sums = await source.statistics(chosen, ...this.timelines[i].ownWindow());
      if (this.selection.window !== window) return;
      parts.push(this.app.traces.length > 1 ? el('h2', {}, trace.name) : '', ...this.tableOf(sums, trace, chosen));
    }
    this.sums.replaceChildren(...parts);
  }

  tableOf(sums, trace, rows) {
    const seconds = 1 / trace.ticks_per_second;
    const length = sums.to - sums.from;
    const all = length * rows.length;
    const uses = sums.uses.map((ticks, use) => [trace.uses[use], ticks]).filter(([, ticks]) => ticks > 0).sort((a, b) => b[1] - a[1]);
    const table = new SortedTable([
      { title: 'call', value: (row) => row.name },
      { title: 'calls', value: (row) => row.calls, text: countText },
      { title: 'time', value: (row) => row.ticks, text: (ticks) => timeText(ticks * seconds, true) },
      { title: 'share', value: (row) => row.ticks / all, text: shareText, bar: true },
      { title: 'min', value: (row) => row.least, text: (ticks) => timeText(ticks * seconds, true) },
      { title: 'max', value: (row) => row.most, text: (ticks) => timeText(ticks * seconds, true) },
    ], sums.names, 2, { id: 'sums', chosen: (row) => row.name === this.selection.call, click: (row) => this.selection.set({ call: row.name }) });
    return [el('h2', {}, `${timeText(length * seconds, true)} of ${rows.length} ${rows.length === 1 ? 'row' : 'rows'}`),
      el('p', {}, uses.map(([name, ticks]) => `${name} ${shareText(ticks / all)}`).join(', ')), table.node];
  }

  async goTo(box) {
    const [row, call] = box;
    const line = this.lineOf(box);
    if (!line) return;
    const { source, trace } = line;
    const told = await source.call(row, call);
    const rate = trace.ticks_per_second;
    const begin = told.listed.begin * rate;
    const length = Math.max(told.region_ticks || (told.listed.duration || 0) * rate, 16);
    line.reveal(row);
    line.show(begin - length * 2, begin + length * 3);
  }

  /** Finds the next call, in the file that was looked at last, and shows it. */
  async find(text, backwards) {
    const search = parsedSearch(text);
    if (!search.name) return;
    const line = this.active;
    const { source, trace } = line;
    const tick = this.lastFound && this.lastFound.text === text && this.lastFound.line === line ? this.lastFound.begin : (backwards ? line.to : line.from);
    const chosen = [...this.selection.rows].filter((row) => row < trace.rows.length).sort((a, b) => a - b);
    const rows = chosen.length ? chosen : line.visibleRows();
    const found = await source.find(rows.length ? rows : [0], { name: search.name, least: search.least * trace.ticks_per_second, tick, backwards });
    if (!found.found) {
      this.app.tell(`no ${backwards ? 'earlier' : 'later'} call of ${text} on ${rows.length} ${rows.length === 1 ? 'row' : 'rows'}`);
      return;
    }
    this.lastFound = { text, line, begin: found.begin };
    this.app.tell(`${found.name} on ${line.labelOf(found.row)}: ${timeText(found.duration / trace.ticks_per_second, true)}`);
    this.selection.set({ box: line.boxOf(found.row, found.call), call: found.name });
    line.reveal(found.row);
    const length = Math.min(line.to - line.from, Math.max(found.duration * 12, 64));
    const middle = found.begin + found.duration / 2;
    line.show(middle - length / 2, middle + length / 2);
  }
}

/** "MPI_Allreduce > 1 ms" in parts. */
function parsedSearch(text) {
  const found = /^(.*?)(?:\s*(?:>|longer than)\s*([^>]+))?$/.exec(text.trim());
  const least = found[2] ? parsedTime(found[2]) : 0;
  return { name: found[1].trim(), least: Number.isNaN(least) ? 0 : least };
}
