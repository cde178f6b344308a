// The rail above the pages of a ladder: shows which step the reader is at, and how far up it is.
// The speed of a step shows once the reader has come to it.
'use strict';

(() => {
  const rail = document.querySelector('.rail');
  const links = Array.from(rail.querySelectorAll('ol a'));
  const where = rail.querySelector('.rail-where');
  const before = where.textContent;
  const sectionOf = (link) => document.getElementById(link.hash.slice(1));
  const onPage = links.filter((link) => link.getAttribute('href').startsWith('#') && sectionOf(link));

  /** The step whose section is at the top of the screen or above it, if any. */
  function current() {
    const top = rail.getBoundingClientRect().bottom + innerHeight / 4;
    return onPage.filter((link) => sectionOf(link).getBoundingClientRect().top < top).pop();
  }

  let shown = null;
  function show() {
    const here = current();
    if (here === shown) return;
    shown = here;
    const at = links.indexOf(here);
    links.forEach((link, i) => {
      if (link === here) link.setAttribute('aria-current', 'step');
      else link.removeAttribute('aria-current');
      if (onPage.includes(link)) link.classList.toggle('climbed', i <= at);
    });
    where.textContent = before;
    if (!here) return;
    const [, name] = here.textContent.match(/^\d+ (.*)/);
    const speed = Number(here.dataset.speed) > 0 ? `, ${here.dataset.speed} TFLOP/s` : '';
    where.textContent = `Step ${at + 1} of ${links.length}: ${name}${speed}`;
  }

  rail.addEventListener('keydown', (event) => {
    const at = links.indexOf(document.activeElement);
    const to = {ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: links.length - 1}[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    links[to]?.focus();
  });
  addEventListener('scroll', show, {passive: true});
  addEventListener('resize', show);
  show();
})();
