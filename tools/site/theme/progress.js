// What the reader has done, remembered in this browser and nowhere else: guesses, pages read to their
// end, and the last place. The list of pages and the home page show it.
'use strict';

const courseProgress = (() => {
  const kName = 'warp-by-warp';
  const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
  let kept = {};
  let canStore = true;  // else it is kept as long as the page is open

  /** {guesses, read, last}, as other windows have left it. */
  function all() {
    if (canStore) {
      try {
        kept = JSON.parse(localStorage.getItem(kName));
      } catch (error) {
        canStore = error instanceof SyntaxError;  // it is allowed, but somebody wrote something else there
        if (canStore) kept = {};
      }
    }
    const {guesses, read, last} = isObject(kept) ? kept : {};
    kept = {guesses: isObject(guesses) ? guesses : {}, read: isObject(read) ? read : {}, last: isObject(last) ? last : null};
    return kept;
  }

  function change(edit) {
    edit(all());
    try {
      if (canStore) localStorage.setItem(kName, JSON.stringify(kept));
    } catch (error) {
      canStore = false;
    }
  }

  // --- guesses ---------------------------------------------------------------------------------------

  /** What was guessed there: {guess, near}, where the guess is empty if the answer was only looked at. */
  function guessed(key) {
    const one = all().guesses[key];
    return isObject(one) && typeof one.guess === 'string' ? one : null;
  }

  const remember = (key, guess, near) => change(({guesses}) => { guesses[key] = {guess, near}; });

  const forget = (keys) => change(({guesses}) => keys.forEach((key) => delete guesses[key]));

  // --- chapters --------------------------------------------------------------------------------------

  const pageIn = (address) => address.split(/[?#]/)[0].split('/').pop().replace(/\.html$/, '');
  const here = pageIn(location.pathname);
  const chapterOf = (page) => (page.match(/^chapter_\d+/) || [''])[0];

  /** The pages of the chapters: {page, label, predictions, link}. */
  const pages = Array.from(document.querySelectorAll('#site-nav a'), (link) => ({
    page: pageIn(link.getAttribute('href')),
    label: link.textContent,
    predictions: Number(link.dataset.predictions || 0),
    link,
  })).filter(({page}) => chapterOf(page));

  /** What became of the predictions of some pages: how many there are, were opened, and were near. */
  function scoreOf(some) {
    const {guesses} = all();
    const score = {predictions: 0, opened: 0, near: 0};
    for (const {page, predictions} of some) {
      const ones = Object.keys(guesses).filter((key) => key.startsWith(`${page}/`)).map(guessed).filter(Boolean);
      score.predictions += predictions;
      score.opened += ones.length;
      score.near += ones.filter(({near}) => near === true).length;
    }
    return score;
  }

  const scoreOfChapter = (page) => scoreOf(pages.filter((other) => chapterOf(other.page) === chapterOf(page)));

  function make(name, className, ...children) {
    const node = document.createElement(name);
    node.className = className;
    node.append(...children);
    return node;
  }

  /** A tick that is read aloud as what it says. */
  function tick() {
    const sign = make('span', '', '\u2713');
    sign.setAttribute('aria-hidden', 'true');
    return make('span', 'tick', sign, make('span', 'aloud', ' read'));
  }

  function showTicks() {
    const {read} = all();
    for (const {page, link} of pages) {
      link.querySelector('.tick')?.remove();
      if (read[page]) link.append(tick());
    }
  }

  /** On the home page: below each chapter what was done, and above all of them the last place. */
  function showHome() {
    document.querySelectorAll('.done, .last-place, .kept').forEach((node) => node.remove());
    const {read, last} = all();
    const table = document.querySelector('table.chapters');
    for (const link of table?.querySelectorAll('td:first-child a') ?? []) {
      const own = pages.filter(({page}) => chapterOf(page) === chapterOf(pageIn(link.getAttribute('href'))));
      const count = own.filter(({page}) => read[page]).length;
      const {opened, near} = scoreOf(own);
      const line = make('span', 'done');
      if (count > 0 && count === own.length) line.append(tick(), ' read');
      else if (count > 0) line.append(`${count} of ${own.length} pages read`);
      if (opened > 0) line.append(count > 0 ? ', ' : '', `near enough in ${near} of ${opened}`);
      line.querySelector('.aloud')?.remove();
      if (line.firstChild) link.after(line);
    }
    const place = pages.find(({page}) => page === last?.page);
    if (place && document.querySelector('.begin')) {
      const link = make('a', '', last.section ? `${place.label}: ${last.section}` : place.label);
      link.href = place.link.getAttribute('href') + (last.anchor ? `#${last.anchor}` : '');
      document.querySelector('.begin').after(make('p', 'last-place', 'You were last at ', link, '.'));
    }
    if (!table || !document.querySelector('.done, .last-place')) return;
    const button = make('button', 'as-link', 'Forget them');
    button.type = 'button';
    button.addEventListener('click', () => {
      change((everything) => Object.assign(everything, {guesses: {}, read: {}, last: null}));
      show();
      table.parentElement.focus();
    });
    table.parentElement.tabIndex = -1;
    table.parentElement.after(make('p', 'kept', 'Ticks and guesses are kept in this browser only. ', button));
  }

  function show() {
    showTicks();
    if (here === 'index' || here === '') showHome();
  }

  // --- reading ---------------------------------------------------------------------------------------

  function watchReading() {
    const end = document.querySelector('.pager');
    if (!end || !pages.some(({page}) => page === here)) return;
    const headings = Array.from(document.querySelectorAll('.textblock :is(h2, h3)[id]'));
    const aScreen = () => innerHeight / 3;

    const keepPlace = () => {
      if (scrollY < aScreen()) return;
      const heading = headings.filter((one) => one.getBoundingClientRect().top < aScreen()).pop();
      change((everything) => {
        everything.last = {page: here, anchor: heading?.id ?? '', section: heading?.textContent ?? ''};
      });
    };
    const keepRead = () => {
      if (scrollY < aScreen() || end.getBoundingClientRect().top > innerHeight || all().read[here]) return;
      change(({read}) => { read[here] = true; });
      showTicks();
    };
    let waiting = 0;
    addEventListener('scroll', () => {
      clearTimeout(waiting);
      waiting = setTimeout(() => { keepPlace(); keepRead(); }, 400);
    }, {passive: true});
  }

  show();
  watchReading();
  addEventListener('pageshow', (event) => { if (event.persisted) show(); });
  addEventListener('storage', (event) => { if (event.key === kName || event.key === null) show(); });

  return {guessed, remember, forget, scoreOf: (page) => scoreOf(pages.filter((one) => one.page === page)), scoreOfChapter, here, kName};
})();
