// Popovers: where a number comes from, and what a word of the glossary means. They are shown on
// hover, on focus and on a tap. Without this script, browsers show the same as the titles of both.
'use strict';

(() => {
  const kHover = 150;  // milliseconds, so that nothing flickers on the pointer's way
  const kLinger = 200;  // time for the pointer to get to the popover
  const kEdge = 8;  // pixels between the popover and what is around it
  const kWidest = 380;

  const marked = Array.from(document.querySelectorAll('main :is(.figure, a)[title]'));
  if (marked.length === 0) return;
  const lines = new Map(marked.map((element) => [element, element.title.split('\n')]));
  marked.forEach((element) => element.removeAttribute('title'));
  const isLink = (element) => element.localName === 'a';

  const box = document.createElement('div');
  box.id = 'tip';
  box.setAttribute('role', 'tooltip');
  box.hidden = true;
  document.body.append(box);

  let shown = null, waiting = 0, pointer = 'mouse';

  function place() {
    if (!shown) return;
    const [word] = shown.getClientRects();
    const {clientWidth, clientHeight} = document.documentElement;
    if (!word || word.bottom < 0 || word.top > clientHeight) return hide();
    box.style.maxWidth = `${Math.min(kWidest, clientWidth - 2 * kEdge)}px`;
    const {width, height} = box.getBoundingClientRect();
    const left = Math.min(word.left, clientWidth - width - kEdge);
    const below = word.bottom + kEdge;
    const fits = below + height < clientHeight || word.top < height + 2 * kEdge;
    box.style.left = `${Math.max(kEdge, left)}px`;
    box.style.top = `${fits ? below : word.top - kEdge - height}px`;
  }

  function hide() {
    clearTimeout(waiting);
    if (!shown) return;
    shown.removeAttribute('aria-describedby');
    shown = null;
    box.hidden = true;
  }

  function show(element) {
    clearTimeout(waiting);
    if (shown === element) return;
    hide();
    shown = element;
    const [heading, ...rest] = lines.get(element);
    const title = document.createElement('strong');
    title.textContent = heading;
    box.replaceChildren(title, ...rest.map((line) => {
      const paragraph = document.createElement('p');
      paragraph.textContent = line;
      return paragraph;
    }));
    if (isLink(element) && pointer !== 'mouse') {
      const link = document.createElement('a');
      link.href = element.href;
      link.textContent = element.closest('.rail') ? 'Go to this step' : 'In the glossary';
      box.append(link);
    }
    element.setAttribute('aria-describedby', box.id);
    box.hidden = false;
    place();
  }

  const later = (milliseconds, call) => {
    clearTimeout(waiting);
    waiting = setTimeout(call, milliseconds);
  };

  // --- keys -------------------------------------------------------------------------------------

  // Of the numbers of a paragraph or table, one is a stop of the Tab key; arrows lead to the others.
  const blockOf = (element) => element.closest('.rungs') ?? element.closest('table, p, li, dd') ?? document.body;
  const blocks = Map.groupBy(marked.filter((element) => !isLink(element)), blockOf);
  blocks.forEach((figures) => figures.forEach((figure, i) => { figure.tabIndex = i === 0 ? 0 : -1; }));

  function step(figure, by) {
    const figures = blocks.get(blockOf(figure));
    const next = figures[figures.indexOf(figure) + by];
    if (!next) return;
    figure.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }

  document.addEventListener('keydown', (event) => {
    pointer = 'keys';
    if (event.key === 'Escape') return hide();
    const figure = document.activeElement;
    const by = {ArrowLeft: -1, ArrowRight: 1}[event.key];
    if (!by || !lines.has(figure) || isLink(figure)) return;
    event.preventDefault();
    step(figure, by);
  });

  // --- pointer ----------------------------------------------------------------------------------

  const markedAt = (target) => {
    const element = target instanceof Element ? target.closest('.figure, main a') : null;
    return element && lines.has(element) ? element : null;
  };

  document.addEventListener('pointerdown', (event) => { pointer = event.pointerType; }, true);

  document.addEventListener('pointerover', (event) => {
    if (event.pointerType !== 'mouse') return;
    pointer = 'mouse';
    const element = markedAt(event.target);
    if (element) later(kHover, () => show(element));
    else if (box.contains(event.target)) clearTimeout(waiting);
    else later(kLinger, () => { if (shown !== document.activeElement) hide(); });
  });

  // A tap on a word shows what it means; the popover has the link. A second tap follows it.
  document.addEventListener('click', (event) => {
    const element = markedAt(event.target);
    if (!element) {
      if (!box.contains(event.target)) hide();
      return;
    }
    if (isLink(element) && (pointer !== 'touch' || shown === element)) return;
    event.preventDefault();
    show(element);
  }, true);

  document.addEventListener('focusin', (event) => {
    const element = markedAt(event.target);
    // A finger's tap comes to the word by itself, after this.
    if (element && pointer !== 'touch') show(element);
    else if (!element && !box.contains(event.target)) hide();
  });
  addEventListener('scroll', place, {passive: true, capture: true});
  addEventListener('resize', place);
})();
