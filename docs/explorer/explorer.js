'use strict';

/** The page around ExplorerModel: settings in the form and in the address, results as words and SVG. */
(() => {
  const model = ExplorerModel;
  const {make, draw, ranges, laneLabel, verdict, figures} = ExplorerParts;
  const names = Object.keys(model.settings);
  const element = (id) => document.getElementById(id);
  let settings = model.fromHash(location.hash);

  // --- pictures ---

  function picture(width, height, description) {
    const svg = draw(document.createDocumentFragment(), 'svg',
                     {width, height, viewBox: `0 0 ${width} ${height}`, role: 'img', 'font-size': 11});
    svg.setAttribute('aria-label', description);
    return svg;
  }

  function cell(svg, x, y, width, height, className, tip, label) {
    const box = draw(svg, 'rect', {x, y, width, height, class: className});
    draw(box, 'title', {}, tip);
    if (label)
      draw(svg, 'text', {x: x + width / 2, y: y + height / 2 + 4, 'text-anchor': 'middle', class: 'on-use',
                         'pointer-events': 'none'}, label);
  }

  /** Lines of memory, one below the other; those between that are not touched are left out. */
  function drawLines(width) {
    const list = model.accesses(settings);
    const visits = model.sectorVisits(settings, list);
    const lines = [...new Set([...visits.keys()].map((sector) => Math.floor(sector * model.kSector / model.kLine)))]
        .sort((a, b) => a - b);
    const perRow = width < 560 ? 2 : 4;  // sectors
    const isRepeated = [...visits.values()].some((count) => count > 1);
    const left = 62, gap = 4, boxHeight = 20, rowHeight = isRepeated ? 40 : 26;
    const sectorWidth = Math.floor((width - left - gap * perRow) / perRow);
    const byteWidth = sectorWidth / model.kSector;
    const rowsPerLine = 4 / perRow;
    const lanesAt = new Map();
    for (const {lane, address} of list) lanesAt.set(address, [...(lanesAt.get(address) || []), lane]);

    let y = 18, before = null;
    const places = lines.map((line) => {
      if (before !== null && line > before + 1) y += 14;
      const place = {line, y, skipped: before !== null && line > before + 1};
      before = line;
      y += rowsPerLine * rowHeight + (rowsPerLine > 1 ? 6 : 0);
      return place;
    });
    const svg = picture(width, y + 4, element('verdict').textContent);
    draw(svg, 'text', {x: 0, y: 11, class: 'address'}, 'byte');
    for (let i = 0; i < perRow; ++i)
      draw(svg, 'text', {x: left + i * (sectorWidth + gap), y: 11, class: 'address'}, `+${i * model.kSector}`);
    for (const {line, y: top, skipped} of places) {
      if (skipped) draw(svg, 'text', {x: left, y: top - 4, class: 'address'}, '\u22ee');
      for (let part = 0; part < 4; ++part) {
        const sector = line * 4 + part;
        const x = left + part % perRow * (sectorWidth + gap);
        const rowY = top + Math.floor(part / perRow) * rowHeight;
        if (part % perRow === 0)
          draw(svg, 'text', {x: 0, y: rowY + 14, class: 'address'}, String(sector * model.kSector));
        const count = visits.get(sector) || 0;
        cell(svg, x, rowY, sectorWidth, boxHeight, count > 0 ? 'moved' : 'sector',
             `sector ${sector}, bytes ${sector * model.kSector} to ${sector * model.kSector + 31}: ` +
                 (count === 0 ? 'not touched' : count === 1 ? 'moved' : `visited ${count} times`));
        for (let at = sector * model.kSector; at < (sector + 1) * model.kSector; at += 1) {
          const lanes = lanesAt.get(at);
          if (!lanes) continue;
          const cellWidth = settings.bytes * byteWidth;
          cell(svg, x + (at % model.kSector) * byteWidth, rowY, cellWidth, boxHeight, 'use',
               `byte ${at}: ${lanes.length > 1 ? 'lanes' : 'lane'} ${ranges(lanes)}`, laneLabel(lanes, cellWidth));
        }
        if (count > 1)
          draw(svg, 'text', {x: x + sectorWidth, y: rowY + boxHeight + 12, 'text-anchor': 'end'}, `${count} visits`);
      }
    }
    return svg;
  }

  /** A row of 32 banks for each pass. */
  function drawPasses(width) {
    const passes = model.passes(settings);
    const perRow = width < 560 ? 16 : 32;
    const left = 54, rowHeight = 24, boxHeight = 20;
    const bankWidth = Math.floor((width - left - 2) / perRow);
    const rowsPerPass = model.kBanks / perRow;
    const passHeight = rowsPerPass * rowHeight + (rowsPerPass > 1 ? 6 : 0);
    const svg = picture(width, 18 + passes.length * passHeight + 4, element('verdict').textContent);
    draw(svg, 'text', {x: 0, y: 11, class: 'address'}, 'bank');
    for (let bank = 0; bank < perRow; ++bank)
      draw(svg, 'text', {x: left + (bank + .5) * bankWidth, y: 11, class: 'address', 'text-anchor': 'middle'},
           String(bank));
    passes.forEach((banks, pass) => {
      const top = 18 + pass * passHeight;
      draw(svg, 'text', {x: 0, y: top + 14, class: 'address'}, `pass ${pass + 1}`);
      banks.forEach((word, bank) => {
        const x = left + bank % perRow * bankWidth, y = top + Math.floor(bank / perRow) * rowHeight;
        if (!word) cell(svg, x, y, bankWidth, boxHeight, 'idle', `bank ${bank}: idle`);
        else
          cell(svg, x, y, bankWidth, boxHeight, 'use',
               `bank ${bank}, word ${word.word}: ${word.lanes.length > 1 ? 'lanes' : 'lane'} ${ranges(word.lanes)}`,
               laneLabel(word.lanes, bankWidth));
      });
    });
    return svg;
  }

  // --- words ---

  function legend() {
    const key = (className, text) => make('span', {}, make('i', {class: className}), text);
    return settings.memory === 'shared' ?
        [key('use', 'a word of 4 bytes, and the lanes that it serves'), key('', 'bank idle')] :
        [key('use', 'asked for, and by which lane'), key('moved', 'moved as well'), key('', 'not moved')];
  }

  function fillTable() {
    const shared = settings.memory === 'shared';
    const heads = ['lane', 'x', 'y', 'row', 'column', 'element', 'byte', ...(shared ? ['bank'] : ['sector', 'line'])];
    const rows = model.accesses(settings).map((a) => [
      a.lane, a.x, a.y, a.row, a.col, a.index, a.address,
      ...(shared ? [Math.floor(a.address / model.kBank) % model.kBanks] :
                   [Math.floor(a.address / model.kSector), Math.floor(a.address / model.kLine)])]);
    element('lanes-table').replaceChildren(
        make('thead', {}, make('tr', {}, ...heads.map((head) => make('th', {scope: 'col'}, head)))),
        make('tbody', {}, ...rows.map((row) => make('tr', {}, ...row.map((value) => make('td', {}, String(value)))))));
  }

  // --- the page ---

  function drawPicture() {
    const width = Math.floor(element('figure').clientWidth);
    if (width === 0 || model.problem(settings)) return;
    element('picture').replaceChildren(settings.memory === 'shared' ? drawPasses(width) : drawLines(width));
  }

  function show() {
    const problem = model.problem(settings);
    element('verdict').classList.toggle('refused', problem !== '');
    element('by').disabled = settings.order === 'straight';
    element('code').textContent = model.code(settings);
    const hash = model.toHash(settings);
    for (const link of document.querySelectorAll('#presets a'))
      if (link.getAttribute('href') === `#${hash}`) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    if (problem) {
      element('verdict').textContent = problem;
      for (const id of ['figures', 'picture', 'legend', 'lanes-table']) element(id).replaceChildren();
      return;
    }
    const cost = model.cost(settings);
    element('verdict').textContent = verdict(settings, cost);
    element('figures').replaceChildren(...figures(settings, cost).map(([name, value]) =>
        make('div', {}, make('dt', {}, name), make('dd', {id: `figure-${name.replace(/ /g, '-')}`}, String(value)))));
    element('legend').replaceChildren(...legend());
    fillTable();
    drawPicture();
  }

  /** Shows the settings in the form, unless the reader is typing there. */
  function fillForm() {
    for (const name of names) {
      const field = element(name);
      if (field !== document.activeElement || field.tagName === 'SELECT') field.value = settings[name];
    }
  }

  function remember() {
    const hash = model.toHash(settings);
    history.replaceState(null, '', hash ? `#${hash}` : location.pathname + location.search);
  }

  for (const name of names) {
    const field = element(name), setting = model.settings[name];
    if (!setting.choices) [field.min, field.max, field.step] = [setting.least, setting.most, 1];
    field.addEventListener('input', () => {
      const value = model.read(name, field.value);
      if (value === undefined) return;  // half typed; the browser marks it
      settings = {...settings, [name]: value};
      remember();
      show();
    });
    // What was left half typed goes back to what is shown.
    field.addEventListener('blur', fillForm);
  }
  element('form').addEventListener('submit', (event) => event.preventDefault());
  element('reset').addEventListener('click', () => {
    settings = {...model.defaults};
    remember();
    fillForm();
    show();
  });
  window.addEventListener('hashchange', () => {
    settings = model.fromHash(location.hash);
    fillForm();
    show();
  });

  function presetLink(preset) {
    const label = [];
    if (preset.kernel) label.push(make('code', {}, preset.kernel));
    if (preset.what) label.push(preset.kernel ? ` ${preset.what}` : preset.what);
    return make('a', {href: `#${model.toHash(preset.settings)}`}, ...label);
  }

  const groups = new Map();
  for (const preset of [...model.presets].sort((a, b) => a.chapter < b.chapter ? -1 : a.chapter > b.chapter ? 1 : 0)) {
    const title = preset.chapter.replace(/_/g, ' ');
    groups.set(title, [...(groups.get(title) || []), preset]);
  }
  groups.set('and more', model.patterns);
  const list = make('dl');
  for (const [title, presets] of groups)
    list.append(make('dt', {}, title), make('dd', {}, ...presets.map(presetLink)));
  element('presets').append(list);

  if (matchMedia('(max-width: 859px)').matches) element('presets').open = false;
  new ResizeObserver(drawPicture).observe(element('figure'));
  fillForm();
  show();
  document.documentElement.classList.add('drawn');
})();
