// Remembers, in this browser only, what the reader has done: guesses, pages read to their end, and
// the last place. The list of pages and the home page show it.
'use strict';

const courseProgress = (() => {
  const kName = 'warp-by-warp';
  const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
  let kept = {};
  let canStore = true;  // otherwise remembered while the page is open

  /** Returns {guesses, read, last} as other windows have left it. */
  function all() {
    if (canStore) {
      try {
        kept = JSON.parse(localStorage.getItem(kName));
      } catch (error) {
        canStore = error instanceof SyntaxError;  // otherwise storage is forbidden
        if (canStore) kept = {};
      }
    }
    const {guesses, read, last} = isObject(kept) ? kept : {};
    kept = {
      guesses: isObject(guesses) ? guesses : {},
      read: isObject(read) ? read : {},
      last: isObject(last) ? last : null,
    };
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

  /** Calls back when another window, or this one on another page, may have changed something. */
  function whenElsewhere(call) {
    addEventListener('pageshow', (event) => { if (event.persisted) call(); });
    addEventListener('storage', ({key}) => { if (key === kName || key === null) call(); });
  }

  // --- guesses -----------------------------------------------------------------------------------

  /** Records a guess: {guess, near}. The guess is empty if the reader only looked at the answer. */
  function guessed(key) {
    const one = all().guesses[key];
    return isObject(one) && typeof one.guess === 'string' ? one : null;
  }

  const remember = (key, guess, near) => change(({guesses}) => { guesses[key] = {guess, near}; });

  const forget = (keys) => change(({guesses}) => keys.forEach((key) => delete guesses[key]));

  // --- chapters ----------------------------------------------------------------------------------

  const pageIn = (address) => address.split(/[?#]/)[0].split('/').pop().replace(/\.html$/, '');
  const here = pageIn(location.pathname);
  const chapterOf = (page) => (page.match(/^chapter_\d+/) || [''])[0];

  /** Returns the pages of the chapters: {page, label, link}. */
  const pages = Array.from(document.querySelectorAll('#site-nav a'), (link) => ({
    page: pageIn(link.getAttribute('href')),
    label: link.textContent,  // before ticks are added
    link,
  })).filter(({page}) => chapterOf(page));

  /** Returns how many predictions of some pages were opened, and how many guesses were near. */
  function scoreOf(some) {
    const {guesses} = all();
    const score = {opened: 0, near: 0};
    for (const {page} of some) {
      const ones = Object.keys(guesses).filter((key) => key.startsWith(`${page}/`)).map(guessed)
          .filter(Boolean);
      score.opened += ones.length;
      score.near += ones.filter(({near}) => near === true).length;
    }
    return score;
  }

  const pagesOfChapter = (name) => pages.filter(({page}) => chapterOf(page) === chapterOf(name));

  function make(name, className, ...children) {
    const node = document.createElement(name);
    node.className = className;
    node.append(...children);
    return node;
  }

  /** Returns a tick, and the text that is read aloud instead. */
  function tick(words) {
    const sign = make('span', '', '\u2713');
    sign.setAttribute('aria-hidden', 'true');
    return make('span', 'tick', sign, make('span', 'aloud', words));
  }

  function showTicks() {
    const {read} = all();
    for (const {page, link} of pages) {
      link.querySelector('.tick')?.remove();
      if (read[page]) link.append(tick(' read'));
    }
  }

  /** Shows on the home page what was done in each chapter and, above them, the last place. */
  function showHome() {
    document.querySelectorAll('.done, .last-place, .kept').forEach((node) => node.remove());
    const {read, last} = all();
    const table = document.querySelector('table.chapters');
    for (const link of table?.querySelectorAll('td:first-child a') ?? []) {
      const own = pagesOfChapter(pageIn(link.getAttribute('href')));
      const count = own.filter(({page}) => read[page]).length;
      const {opened, near} = scoreOf(own);
      const isWhole = count === own.length;
      const parts = [];
      if (count > 0) parts.push(isWhole ? 'read' : `${count} of ${own.length} pages read`);
      if (opened > 0) parts.push(`${near} of ${opened} near`);
      if (parts.length > 0)
        link.after(make('span', 'done', ...(isWhole ? [tick('')] : []), parts.join(' \u00b7 ')));
    }
    const at = pages.findIndex(({page}) => page === last?.page);
    const beginning = document.querySelector('.begin');
    if (at >= 0 && beginning) {
      const next = last.isEnd === true ? pages[at + 1] : undefined;
      const {label, link} = next ?? pages[at];
      const place = make('a', '', !next && last.section ? `${label}: ${last.section}` : label);
      place.href = link.getAttribute('href') + (!next && last.anchor ? `#${last.anchor}` : '');
      const words = next ? `You have read ${pages[at].label}. Next comes ` : 'You were last at ';
      beginning.after(make('p', 'last-place', words, place, '.'));
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
    const words = 'Ticks and guesses are kept in this browser only. ';
    table.parentElement.after(make('p', 'kept', words, button));
  }

  function show() {
    showTicks();
    if (here === 'index' || here === '') showHome();
  }

  // --- reading -----------------------------------------------------------------------------------

  function watchReading() {
    const end = document.querySelector('.pager');
    if (!end || !pages.some(({page}) => page === here)) return;
    const headings = Array.from(document.querySelectorAll('.textblock :is(h2, h3)[id]'));
    const aThird = () => innerHeight / 3;  // of the screen, where the reader is likely to look

    const isEnd = () => end.getBoundingClientRect().top < innerHeight;
    const keepPlace = () => {
      if (scrollY < aThird()) return;
      const heading = headings.filter((one) => one.getBoundingClientRect().top < aThird()).pop();
      change((everything) => {
        const anchor = heading?.id ?? '', section = heading?.textContent ?? '';
        everything.last = {page: here, anchor, section, isEnd: isEnd()};
      });
    };
    const keepRead = () => {
      if (scrollY < aThird() || !isEnd() || all().read[here]) return;
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
  whenElsewhere(show);

  const scoreOfChapter = () => scoreOf(pagesOfChapter(here));
  return {guessed, remember, forget, whenElsewhere, scoreOfChapter};
})();
