// The ladder, a step at a time: a slider below bars of the steps' speeds, and beside a step's code
// its numbers, what its warps wait for, and its pictures. The numbers are those of the table below.
'use strict';

(() => {
  const host = document.querySelector('ladder-walk');
  const {fill, load, make, makeSwitch} = LadderSteps;
  const table = document.querySelector('table.steps');
  const heads = Array.from(table.tHead.rows[0].cells, (head) => head.textContent);
  const rows = Array.from(table.tBodies[0].rows, (row) => ({number: row.id.replace('step-', ''), row, cells: row.cells}));
  const kMain = ['time, ms', 'TFLOP/s', 'times the step before'];
  const kPictureWidth = 700;

  load(host.dataset.steps).then((steps) => {
    let at = 0, view = 'change';
    const fastest = Math.max(Number(host.dataset.yardstick), ...steps.map(({part}) => part));

    // --- what stays ------------------------------------------------------------------------------

    const bars = make('div', {className: 'walk-bars', ariaHidden: 'true'}, ...steps.map(({number, part}) => {
      const bar = make('span', {}, make('i', {}), number);
      bar.style.setProperty('--part', part / fastest);
      return bar;
    }));
    bars.style.setProperty('--yardstick', host.dataset.yardstick / fastest);
    const slider = make('input', {type: 'range', min: 1, max: steps.length, step: 1, ariaLabel: 'Step of the ladder'});
    const previous = make('button', {type: 'button'}, 'Step before'), next = make('button', {type: 'button'}, 'Next step');
    const where = make('p', {className: 'walk-where'});
    const title = make('h2', {id: 'step'});
    const idea = make('p', {className: 'walk-idea'});
    const facts = make('dl', {className: 'walk-facts'});
    const fragment = make('div', {className: 'fragment', role: 'region', ariaLabel: 'Code of the step', tabIndex: 0});
    const file = make('span', {});
    const choice = makeSwitch({label: 'What is shown of the code', view, canBeOff: false, choose: (wanted) => {
      view = wanted;
      showCode();
    }});
    const code = make('div', {className: 'walk-code'}, make('div', {className: 'code-caption'}, file, ' ', choice), fragment);
    const waits = make('div', {className: 'walk-waits'});
    const pictures = make('div', {className: 'walk-pictures'});
    host.append(make('div', {className: 'walk-slider'}, bars, slider),
      make('div', {className: 'walk-head'}, make('div', {}, where, title, idea), make('div', {className: 'walk-buttons'}, previous, next)),
      facts,
      make('div', {className: 'walk-body'}, code, make('div', {className: 'walk-side'}, waits, pictures)));
    addCopyButton(fragment);
    for (const {row} of rows) row.removeAttribute('id');  // links to a step lead here

    // --- what a step changes ---------------------------------------------------------------------

    function showCode() {
      const step = steps[at], isFirst = step.before === '';
      choice.hidden = isFirst;
      file.replaceChildren(make('a', {href: step.source}, step.file), isFirst ? '' : view === 'change' ? `, changes since ${step.before}` : '');
      fill(fragment, step, isFirst ? 'whole' : view);
      const first = fragment.querySelector('.added, .removed');
      if (first && view === 'whole') fragment.scrollTop = first.offsetTop - fragment.clientHeight / 3;
      fragment.tabIndex = 0;
    }

    function factOf(i) {
      const number = rows[at].cells[i];
      if (!number.textContent) return [];
      const value = make('dd', {innerHTML: number.innerHTML});  // with what its popover says
      return [make('div', {className: kMain.includes(heads[i]) ? 'main' : ''}, make('dt', {}, heads[i]), value)];
    }

    function showWaits(step) {
      const most = step.waits.reduce((sum, {value}) => sum + value, 0);
      const list = make('dl', {}, ...step.waits.map(({name, value, html}) => {
        const bar = make('span', {className: 'walk-wait'});
        bar.style.setProperty('--part', most > 0 ? value / most : 0);
        return make('div', {}, make('dt', {}, name), make('dd', {}, bar, make('span', {innerHTML: html})));
      }));
      waits.replaceChildren(...(step.waits.length > 0 ? [make('h3', {}, 'What a warp waits for, cycles an instruction'), list] : []));
    }

    /** A strip of a picture, as high as it is there. */
    function cropOf(picture, top, height, alt) {
      const image = make('img', {src: picture.src, alt, loading: 'lazy', width: kPictureWidth, height: picture.whole});
      const crop = make('div', {className: 'walk-crop'}, image);
      crop.style.setProperty('--top', top);
      crop.style.setProperty('--height', height);
      return crop;
    }

    function pictureOf(picture) {
      const crops = [cropOf(picture, picture.top, picture.height, picture.words)];
      if (picture.key < picture.whole) crops.push(cropOf(picture, picture.key, picture.whole - picture.key, ''));
      return make('figure', {}, make('div', {className: 'walk-scroll'}, ...crops),
        make('figcaption', {}, picture.href ? make('a', {href: picture.href}, picture.title) : picture.title));
    }

    function show(index) {
      at = Math.min(Math.max(index, 0), steps.length - 1);
      const step = steps[at], speed = rows[at].cells[heads.indexOf('TFLOP/s')].textContent;
      slider.value = at + 1;
      slider.setAttribute('aria-valuetext', `Step ${at + 1} of ${steps.length}: ${step.name}${speed ? `, ${speed} TFLOP/s` : ''}`);
      Array.from(bars.children).forEach((bar, i) => bar.classList.toggle('climbed', i <= at));
      Array.from(bars.children).forEach((bar, i) => bar.classList.toggle('here', i === at));
      where.textContent = `Step ${at + 1} of ${steps.length}`;
      title.textContent = step.name;
      idea.replaceChildren(`${step.idea}. `, make('a', {href: step.lesson}, 'Its lesson'));
      previous.disabled = at === 0;
      next.disabled = at === steps.length - 1;
      facts.replaceChildren(...heads.map((_, i) => i).slice(1).flatMap(factOf));
      showWaits(step);
      pictures.replaceChildren(...step.pictures.map(pictureOf));
      showCode();
      host.dispatchEvent(new Event('figures', {bubbles: true}));
      markScrollable();
    }

    /** The same, remembered in the address. */
    function goTo(index) {
      show(index);
      try { history.replaceState(null, '', `#step-${steps[at].number}`); } catch (error) { /* some disks */ }
    }

    slider.addEventListener('input', () => goTo(Number(slider.value) - 1));
    previous.addEventListener('click', () => goTo(at - 1));
    next.addEventListener('click', () => goTo(at + 1));

    const sizeThumb = () => slider.style.setProperty('--thumb', `${bars.clientWidth / steps.length}px`);
    new ResizeObserver(sizeThumb).observe(bars);

    function followAddress() {
      const index = rows.findIndex(({number}) => location.hash === `#step-${number}`);
      show(Math.max(index, 0));
      if (index >= 0) host.scrollIntoView();
    }
    addEventListener('hashchange', followAddress);
    followAddress();
  });
})();
