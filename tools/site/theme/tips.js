// Popovers: where a number comes from, and what a word of the glossary means. They are shown on
// hover, on focus and on a tap. Without this script, browsers show the same as the titles of both.
'use strict';

(() => {
  const kHover = 150;  // milliseconds, so that nothing flickers on the pointer's way
  const kLinger = 200;  // time for the pointer to get to the popover
  const kEdge = 8;  // pixels between the popover and what is around it
  const kWidest = 380;

  const hasTip = (element) => element.dataset.tip !== undefined;
  const isLink = (element) => element.localName === 'a';

  const box = document.createElement('div');
  box.id = 'tip';
  box.setAttribute('role', 'tooltip');
  box.hidden = true;

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
    const [heading, ...rest] = element.dataset.tip.split('\n');
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
  const blockOf = (element) => element.closest('.rungs, .walk-facts, .walk-waits, .dots') ?? element.closest('table, p, li, dd') ?? document.body;

  /** Takes the titles of numbers and words inside an element, which has just come, for popovers. */
  function mark(root) {
    const marked = Array.from(root.querySelectorAll(':is(.figure, a)[title], :is(.figure, .dot)[data-tip]'));
    for (const element of marked.filter(({title}) => title)) {
      element.dataset.tip = element.title;
      element.removeAttribute('title');
    }
    if (marked.length > 0 && !box.isConnected) document.body.append(box);
    const blocks = Map.groupBy(marked.filter((element) => !isLink(element)), blockOf);
    blocks.forEach((figures) => figures.forEach((figure, i) => { figure.tabIndex = i === 0 ? 0 : -1; }));
  }
  document.querySelectorAll('main').forEach(mark);
  document.addEventListener('figures', (event) => { hide(); mark(event.target); });

  function step(figure, by) {
    const block = blockOf(figure);
    const figures = Array.from(block.querySelectorAll('.figure, .dot')).filter((one) => hasTip(one) && !one.matches('.faded') && blockOf(one) === block);
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
    if (!by || !hasTip(figure) || isLink(figure)) return;
    event.preventDefault();
    step(figure, by);
  });

  // --- pointer ----------------------------------------------------------------------------------

  const markedAt = (target) => {
    const element = target instanceof Element ? target.closest('.figure, .dot, main a') : null;
    return element && hasTip(element) ? element : null;
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
