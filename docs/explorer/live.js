'use strict';

/**
 * <live-figure>: a picture of a lesson that the reader moves, with mouse, finger and keys.
 *
 * Its attribute data-figure is what docs/pictures/pictures.json calls "live", and inside it stands
 * the still picture, which remains where no script runs and on paper.
 */
(() => {
  const model = ExplorerModel, shuffle = ExplorerShuffle, figure = ExplorerFigure;
  const {make, draw, laneLabel} = ExplorerParts;
  const kNarrow = 560;  // pixels; below them a warp has two rows of lanes
  const kLabelHeight = 15;  // pixels of a row that a number fits into
  const kEdge = 2;  // at the right, for the line around what is lit
  const clamp = (value, least, most) => Math.min(Math.max(value, least), most);

  /** Rows of memory below the lanes: as many as are touched, and never fewer than `fewest`. */
  function rowsIn(height, needed, fewest) {
    const rows = Math.max(needed, fewest);
    return {rows, rowHeight: height / rows};
  }

  /** The 32 lanes, with the middle of the lower edge of each. */
  function drawLanes(svg, width, left, s, lit) {
    const perRow = width < kNarrow ? model.kWarp / 2 : model.kWarp;
    const boxWidth = (width - left) / perRow, boxHeight = 20;
    const active = new Set(model.accesses(s).map(({lane}) => lane));
    draw(svg, 'text', {x: 0, y: 14, class: 'address'}, 'lane');
    return Array.from({length: model.kWarp}, (_, lane) => {
      const x = left + lane % perRow * boxWidth, y = Math.floor(lane / perRow) * (boxHeight + 2);
      const isActive = active.has(lane);
      draw(svg, 'rect', {x, y, width: boxWidth, height: boxHeight, ...(isActive ? {'data-lane': lane} : {}),
                         class: !isActive ? 'idle' : lane === lit ? 'lane lit' : 'lane'});
      draw(svg, 'text', {x: x + boxWidth / 2, y: y + 14, 'text-anchor': 'middle',
                         class: lane === lit ? 'on-lit' : isActive ? 'on-lane' : 'address'}, lane);
      return {x: x + boxWidth / 2, y: y + boxHeight};
    });
  }

  const lanesHeight = (width) => width < kNarrow ? 42 : 20;

  /** The line from a lane to what it asks for. */
  function connect(svg, from, to) {
    const middle = (from.y + to.y) / 2;
    draw(svg, 'path', {class: 'thread', d: `M${from.x} ${from.y}C${from.x} ${middle} ${to.x} ${middle} ${to.x} ${to.y}`});
  }

  /** The free space around what stands in a row. */
  const thinOf = (rowHeight) => rowHeight > 8 ? 1 : 0.5;

  /** The address of a row, in those rows that have room for one. */
  function drawAddress(svg, {rowHeight, top}, row, text) {
    const every = Math.ceil(kLabelHeight / rowHeight);
    if (row % every > 0) return;
    draw(svg, 'text', {x: 0, y: top + row * rowHeight + (every > 1 ? rowHeight : Math.min(rowHeight - 6, 14)), class: 'address'}, text);
  }

  /** What some lanes ask for, with their numbers; nothing where it has been pulled out of the picture. */
  function drawUse(svg, {rows, rowHeight, top}, {x, y}, width, lanes, lit, marks) {
    if (y >= top + rows * rowHeight - 1) return;
    const isLit = lanes.includes(lit), thin = thinOf(rowHeight);
    draw(svg, 'rect', {x, y: y + thin, width, height: rowHeight - 2 * thin, class: `use ${isLit ? 'lit' : marks}`,
                       'data-lane': isLit ? lit : lanes[lanes.length - 1]});
    if (rowHeight >= kLabelHeight)
      draw(svg, 'text', {x: x + width / 2, y: y + rowHeight / 2 + 4, 'text-anchor': 'middle', class: isLit ? 'on-lit' : 'on-use'},
           laneLabel(lanes, width));
  }

  // Each kind: where things lie at a width (`kept` are the rows while somebody pulls: what is below
  // the finger must not move away), and how they are drawn.

  /** Sectors and lines of global memory. */
  const request = {
    legend: [['use', 'asked for, and by which lane'], ['moved', 'moved as well'], ['sector', 'a sector that stays']],

    layout(s, width, kept) {
      const perRow = width < kNarrow ? 2 : 4, gap = 4, left = 40;
      const top = lanesHeight(width) + 52;
      const last = Math.max(...model.accesses(s).map(({address}) => address)) + s.bytes - 1;
      const needed = (Math.floor(last / model.kLine) + 1) * 4 / perRow;
      const {rows, rowHeight} = kept || (perRow === 2 ? rowsIn(264, needed, 12) : rowsIn(216, needed, 9));
      const sectorWidth = (width - left - gap * (perRow - 1)) / perRow;
      return {rows, rowHeight, perRow, gap, left, top, sectorWidth, byteWidth: sectorWidth / model.kSector,
              height: top + rows * rowHeight + 4};
    },

    elementAt(s, at, x, y) {
      const row = clamp(Math.floor((y - at.top) / at.rowHeight), 0, at.rows - 1);
      const part = clamp(Math.floor((x - at.left) / (at.sectorWidth + at.gap)), 0, at.perRow - 1);
      const byte = Math.floor((x - at.left - part * (at.sectorWidth + at.gap)) / at.byteWidth);
      const sector = row * at.perRow + part;
      return Math.floor((sector * model.kSector + clamp(byte, 0, model.kSector - 1)) / s.bytes);
    },

    draw(svg, s, at, width, lit) {
      const {rows, rowHeight, perRow, gap, left, top, sectorWidth, byteWidth} = at;
      const list = model.accesses(s);
      const visits = model.sectorVisits(s, list);
      const lanes = drawLanes(svg, width, left, s, lit);
      const place = (byte) => {
        const sector = Math.floor(byte / model.kSector);
        return {x: left + sector % perRow * (sectorWidth + gap) + byte % model.kSector * byteWidth,
                y: top + Math.floor(sector / perRow) * rowHeight};
      };
      const thin = thinOf(rowHeight);
      draw(svg, 'text', {x: 0, y: top - 10, class: 'address'}, 'byte');
      for (let part = 0; part < perRow; ++part)
        draw(svg, 'text', {x: left + part * (sectorWidth + gap), y: top - 10, class: 'address'}, `+${part * model.kSector}`);
      for (let row = 0; row < rows; ++row) {
        drawAddress(svg, at, row, row * perRow * model.kSector);
        for (let part = 0; part < perRow; ++part) {
          const {x, y} = place((row * perRow + part) * model.kSector);
          draw(svg, 'rect', {x, y: y + thin, width: sectorWidth, height: rowHeight - 2 * thin,
                             class: visits.has(row * perRow + part) ? 'moved' : 'sector'});
        }
      }
      const together = new Map();
      for (const {lane, address} of list) together.set(address, [...(together.get(address) || []), lane]);
      for (const [address, some] of together) drawUse(svg, at, place(address), s.bytes * byteWidth, some, lit, '');
      const own = list.find(({lane}) => lane === lit);
      if (!own) return;
      const {x, y} = place(own.address), first = place(Math.floor(own.address / model.kSector) * model.kSector);
      if (y >= top + rows * rowHeight - 1) return;
      draw(svg, 'rect', {x: first.x, y: first.y + thin, width: sectorWidth, height: rowHeight - 2 * thin, class: 'around'});
      connect(svg, lanes[lit], {x: x + s.bytes * byteWidth / 2, y: y + thin});
    },
  };

  /** Rows of shared memory, and the banks below one another. */
  const banks = {
    legend: [['use', 'in the first wavefront'], ['later', 'waits for a later one']],

    layout(s, width, kept) {
      const left = 40, top = lanesHeight(width) + 52;
      const last = Math.max(...model.accesses(s).map(({address}) => address)) + s.bytes - 1;
      const needed = Math.floor(last / model.kLine) + 1;
      const {rows, rowHeight} = kept || rowsIn(208, needed, 8);
      return {rows, rowHeight, left, top, bankWidth: (width - left) / model.kBanks, height: top + rows * rowHeight + 4};
    },

    elementAt(s, at, x, y) {
      const row = clamp(Math.floor((y - at.top) / at.rowHeight), 0, at.rows - 1);
      const bank = clamp(Math.floor((x - at.left) / at.bankWidth), 0, model.kBanks - 1);
      return Math.floor((row * model.kBanks + bank) * model.kBank / s.bytes);
    },

    draw(svg, s, at, width, lit) {
      const {rows, rowHeight, left, top, bankWidth} = at;
      const lanes = drawLanes(svg, width, left, s, lit);
      const passes = model.passes(s);
      const words = passes.flatMap((all, pass) => all.filter(Boolean).map((word) => ({...word, pass})));
      const mine = words.filter((word) => word.lanes.includes(lit));
      const thin = thinOf(rowHeight), everyBank = bankWidth > kLabelHeight ? 1 : 4;
      const place = (word) => ({x: left + word % model.kBanks * bankWidth, y: top + Math.floor(word / model.kBanks) * rowHeight});
      for (const {word} of mine)
        draw(svg, 'rect', {x: place(word).x, y: top, width: bankWidth, height: rows * rowHeight, class: 'band'});
      draw(svg, 'text', {x: 0, y: top - 10, class: 'address'}, 'bank');
      for (let bank = 0; bank < model.kBanks; bank += everyBank)
        draw(svg, 'text', {x: left + (bank + .5) * bankWidth, y: top - 10, class: 'address', 'text-anchor': 'middle'}, bank);
      let grid = '';  // one shape for all of memory: hundreds of them would make the page heavy
      for (let row = 0; row < rows; ++row) {
        drawAddress(svg, at, row, row * model.kBanks);
        for (let bank = 0; bank < model.kBanks; ++bank)
          grid += `M${left + bank * bankWidth} ${top + row * rowHeight + thin}h${bankWidth}v${rowHeight - 2 * thin}h${-bankWidth}z`;
      }
      draw(svg, 'path', {d: grid, class: 'idle'});
      for (const {word, lanes: some, pass} of words) drawUse(svg, at, place(word), bankWidth, some, lit, pass > 0 ? 'later' : '');
      if (mine.length === 0) return;
      const {x, y} = place(mine[0].word);
      if (y < top + rows * rowHeight - 1) connect(svg, lanes[lit], {x: x + bankWidth / 2, y: y + thin});
    },
  };

  /** What lanes hold after each shuffle, and where the lane that is lit has it from. */
  const shuffles = {
    legend: [['whole', 'the sum'], ['use', 'a part of it'], ['later', 'some lane counted twice'], ['undefined', 'undefined']],

    layout(s, width) {
      const left = 40, top = 4, rowHeight = 46, boxHeight = 22;
      return {left, top, rowHeight, boxHeight, boxWidth: (width - left) / model.kWarp, height: top + shuffle.kSteps * rowHeight + boxHeight + 4};
    },

    /** The number of shuffles that are done above a point. */
    elementAt: (s, at, x, y) => clamp(Math.round((y - at.top - at.boxHeight / 2) / at.rowHeight), 0, shuffle.kSteps),

    draw(svg, s, at, width, lit) {
      const {left, top, rowHeight, boxHeight, boxWidth} = at;
      const rows = shuffle.held(s), tree = lit === null ? [] : shuffle.treeOf(s, lit);
      const sign = {xor: '^', down: '+', up: '\u2212'}[s.form];
      const middle = (lane) => left + (lane + .5) * boxWidth, roof = (step) => top + step * rowHeight;
      for (let step = 1; step <= s.steps; ++step)
        for (const lane of tree[step] || []) {
          const source = shuffle.sourceOf(s, step, lane);
          for (const from of new Set([lane, source === null ? lane : source]))
            draw(svg, 'path', {class: 'thread', d: `M${middle(from)} ${roof(step - 1) + boxHeight}L${middle(lane)} ${roof(step)}`});
        }
      for (let step = 0; step <= shuffle.kSteps; ++step) {
        draw(svg, 'text', {x: 0, y: roof(step) + 15, class: 'address'}, step === 0 ? 'lane' : `${sign} ${shuffle.offsetOf(s, step)}`);
        for (let lane = 0; lane < model.kWarp; ++lane) {
          const isThere = step <= s.steps && lane < s.lanes, counts = isThere && rows[step][lane];
          const state = isThere ? shuffle.stateOf(s, lane, counts) : '';
          const isOnTree = isThere && tree[step]?.has(lane);
          draw(svg, 'rect', {x: left + lane * boxWidth, y: roof(step), width: boxWidth, height: boxHeight,
                             ...(isThere ? {'data-lane': lane} : {}),
                             class: (isThere ? `use ${{repeated: 'later', part: '', whole: 'whole', undefined: 'undefined'}[state]}` : 'idle') +
                                 (isOnTree ? ' around' : '')});
          if (boxWidth < kLabelHeight || !isThere) continue;
          const text = step === 0 ? lane : counts ? counts.reduce((sum, count) => sum + count, 0) : '?';
          draw(svg, 'text', {x: left + (lane + .5) * boxWidth, y: roof(step) + 15, 'text-anchor': 'middle', class: 'on-use'}, text);
        }
      }
    },
  };

  const kinds = {request, banks, shuffles};

  class LiveFigure extends HTMLElement {
    connectedCallback() {
      if (this.described) return;
      // In a fold it is built when the fold is opened: until then nobody sees it.
      const fold = this.closest('details:not([open])');
      if (fold) return void fold.addEventListener('toggle', () => this.connectedCallback(), {once: true});
      this.described = JSON.parse(this.dataset.figure);
      this.kind = {...figure.kindOf(this.described), ...kinds[this.described.kind]};
      this.lit = this.described.lit ?? null;
      this.build([...this.children]);
      this.show(figure.settingsOf(this.described, this.described.states[0]));
      new ResizeObserver(() => this.drawPicture()).observe(this.picture);
    }

    build(still) {
      const {title, sliders, states} = this.described;
      this.picture = make('div', {class: 'live-picture', tabindex: 0, role: 'slider', 'aria-label': 'Lane',
                                  'aria-valuemin': 0, 'aria-valuemax': model.kWarp - 1, 'aria-orientation': 'horizontal'});
      this.words = make('p', {class: 'live-lane'});
      this.facts = make('dl', {class: 'live-facts'});
      this.verdict = make('p', {class: 'live-verdict', role: 'status', 'aria-live': 'polite'});
      this.code = make('code');
      this.buttons = states.map((state) => {
        const button = make('button', {type: 'button'}, state.words);
        button.addEventListener('click', () => this.show(figure.settingsOf(this.described, state)));
        return {button, hash: figure.toHash(this.described, figure.settingsOf(this.described, state))};
      });
      this.sliders = sliders.map((slider) => this.makeSlider(slider));
      const key = ([className, text]) => make('span', {}, make('i', {class: className}), text);
      this.append(make('figure', {class: 'live-view'},
          make('figcaption', {}, title),
          make('div', {class: 'live-states', role: 'group', 'aria-label': 'What the text speaks of'}, ...this.buttons.map(({button}) => button)),
          this.picture,
          make('p', {class: 'live-legend'}, ...this.kind.legend.map(key)),
          make('p', {class: 'live-code'}, this.code), this.words,
          make('div', {class: 'live-sliders'}, ...this.sliders.map(({row}) => row)),
          this.facts, this.verdict,
          make('details', {class: 'live-still'}, make('summary', {}, 'As a still picture'), ...still)));
      this.listen();
    }

    makeSlider(slider) {
      const values = figure.valuesOf(slider);
      const input = make('input', {type: 'range', min: 0, max: values.length - 1, step: 1, 'data-setting': slider.name});
      const output = make('output');
      input.addEventListener('input', () => this.show({...this.settings, [slider.name]: values[input.value]}));
      for (const event of ['focus', 'blur']) input.addEventListener(event, () => this.lightTerms());
      return {slider, values, input, output, row: make('label', {class: 'live-slider'}, make('span', {}, slider.words), input, output)};
    }

    listen() {
      const laneOf = (event) => event.target.dataset.lane === undefined ? null : Number(event.target.dataset.lane);
      const point = (event) => {
        const box = this.picture.getBoundingClientRect();
        return [event.clientX - box.left, event.clientY - box.top];
      };
      this.picture.addEventListener('pointerover', (event) => {
        // A finger comes and presses at once: what it is about to press must not be drawn anew.
        if (event.pointerType !== 'touch' && laneOf(event) !== null && !this.pull) this.light(laneOf(event));
      });
      this.picture.addEventListener('pointerdown', (event) => {
        const lane = laneOf(event);
        if (lane === null) return;
        const isPulled = event.target.classList.contains('use');
        // The picture stays while what was pressed is drawn anew.
        if (isPulled) this.picture.setPointerCapture(event.pointerId);
        this.light(lane);
        if (!isPulled) return;
        event.preventDefault();
        this.picture.focus({preventScroll: true});
        this.pull = {lane, kept: this.layout};
      });
      this.picture.addEventListener('pointermove', (event) => {
        if (!this.pull) return;
        const element = this.kind.elementAt(this.settings, this.layout, ...point(event));
        this.show(figure.pulled(this.described, this.settings, this.pull.lane, element));
      });
      for (const end of ['pointerup', 'pointercancel', 'lostpointercapture'])
        this.picture.addEventListener(end, () => {
          if (!this.pull) return;
          this.pull = null;
          this.drawPicture();
        });
      this.picture.addEventListener('keydown', (event) => {
        const lanes = this.kind.lanes(this.settings);
        const now = this.lit === null ? -1 : lanes.indexOf(this.lit);
        const steps = {ArrowRight: now + 1, ArrowLeft: now - 1, Home: 0, End: lanes.length - 1, PageDown: now + 8, PageUp: now - 8};
        if (event.key in steps) this.light(lanes[clamp(steps[event.key], 0, lanes.length - 1)]);
        else if (event.key === 'ArrowUp' || event.key === 'ArrowDown') this.step(event.key === 'ArrowUp' ? 1 : -1);
        else return;
        event.preventDefault();
      });
    }

    /** Moves the first slider by so much. */
    step(by) {
      const {slider, values} = this.sliders[0];
      const to = clamp(values.indexOf(this.settings[slider.name]) + by, 0, values.length - 1);
      this.show({...this.settings, [slider.name]: values[to]});
    }

    light(lane) {
      if (lane === this.lit) return;
      this.lit = lane;
      this.tell();
      this.drawPicture();
    }

    /** Marks the words of the code that a slider sets while it has the focus, else all that the lit lane has a value of. */
    lightTerms() {
      const focused = this.sliders.find(({input}) => input === document.activeElement);
      const term = focused && (this.described.termOf?.[focused.slider.name] ?? focused.slider.name);
      for (const word of this.code.querySelectorAll('[data-term]'))
        word.classList.toggle('lit', focused ? word.dataset.term === term : this.lit !== null);
    }

    /** What is to be said of the lane that is lit. */
    tell() {
      const hint = 'Point at a lane, or pull one along. Arrow keys: left and right for a lane, up and down to pull.';
      const words = this.lit === null ? hint : figure.laneWords(this.described, this.settings, this.lit);
      this.words.textContent = words;
      this.picture.setAttribute('aria-valuenow', this.lit ?? 0);
      this.picture.setAttribute('aria-valuetext', words);
      this.lightTerms();
    }

    show(settings) {
      this.settings = settings;
      if (!this.kind.lanes(settings).includes(this.lit)) this.lit = null;
      this.dataset.state = figure.toHash(this.described, settings);
      for (const {button, hash} of this.buttons) button.setAttribute('aria-pressed', String(hash === this.dataset.state));
      for (const {slider, values, input, output} of this.sliders) {
        const text = String(settings[slider.name]);
        input.value = values.indexOf(settings[slider.name]);
        input.setAttribute('aria-valuetext', text);
        output.textContent = text;
      }
      this.code.replaceChildren(...figure.codeOf(this.described, settings)
          .map(({text, term}) => term === null ? text : make('span', {'data-term': term}, text)));
      this.facts.replaceChildren(...this.kind.figures(settings).filter(([name]) => this.described.facts.includes(name))
          .map(([name, value]) => make('div', {}, make('dt', {}, name), make('dd', {}, String(value)))));
      this.verdict.textContent = this.kind.verdict(settings);
      this.tell();
      this.drawPicture();
    }

    drawPicture() {
      const whole = Math.floor(this.picture.clientWidth), width = whole - kEdge;
      if (whole === 0) return;
      this.layout = this.kind.layout(this.settings, width, this.pull?.kept);
      const {height} = this.layout;
      const svg = draw(document.createDocumentFragment(), 'svg',
                       {width: whole, height, viewBox: `0 0 ${whole} ${height}`, 'font-size': 11, 'aria-hidden': 'true'});
      this.kind.draw(svg, this.settings, this.layout, width, this.lit);
      this.picture.replaceChildren(svg);
    }
  }

  customElements.define('live-figure', LiveFigure);
})();
