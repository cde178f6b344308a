// Lets the bars of the home page grow when they come into view.
'use strict';

(() => {
  const ladder = document.querySelector('.ladder');
  if (!ladder || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  ladder.classList.add('waiting');
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some(({isIntersecting}) => isIntersecting)) return;
    observer.disconnect();
    requestAnimationFrame(() => ladder.classList.remove('waiting'));
  }, {threshold: 0.4});
  observer.observe(ladder);
  addEventListener('beforeprint', () => ladder.classList.remove('waiting'));
})();
