// Plots of dots: buttons that hide groups, and a field that filters all plots of the page by name.
'use strict';

(() => {
  const figures = Array.from(document.querySelectorAll('figure.dots'));
  if (figures.length === 0) return;
  const hidden = new Set();  // groups
  let wanted = [];
  const updates = [];

  const make = (name, properties, ...children) => {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
  };
  const nameOf = (dot) => dot.dataset.tip.split('\n')[0].toLowerCase();
  const groupOf = (element) => Array.from(element.classList).find((one) => one.startsWith('group-'));

  function update() {
    for (const one of updates) one();
  }

  for (const figure of figures) {
    const dots = Array.from(figure.querySelectorAll('.dot'));
    const field = make('input', {type: 'search', placeholder: 'Filter shapes', ariaLabel: 'Filter the dots by their names'});
    const count = make('output', {});
    field.addEventListener('input', () => {
      wanted = field.value.toLowerCase().split(/\s+/).filter(Boolean);
      update();
    });
    figure.prepend(make('div', {className: 'table-tools'}, field, count));
    const buttons = Array.from(figure.querySelectorAll('.dots-key li'), (item) => {
      const group = groupOf(item);
      const button = make('button', {type: 'button', ariaPressed: 'true'}, item.textContent);
      button.addEventListener('click', () => {
        if (!hidden.delete(group)) hidden.add(group);
        update();
      });
      item.replaceChildren(button);
      return {button, group};
    });
    updates.push(() => {
      if (document.activeElement !== field) field.value = wanted.join(' ');
      for (const {button, group} of buttons) button.ariaPressed = String(!hidden.has(group));
      const shown = dots.filter((dot) => {
        // Words of letters or digits are whole numbers: "16" is no part of "4160".
        const names = nameOf(dot).split(/\s+/);
        const isShown = !hidden.has(groupOf(dot)) && wanted.every((word) => names.includes(word));
        dot.classList.toggle('faded', !isShown);
        return isShown;
      });
      const isWhole = shown.length === dots.length;
      count.textContent = isWhole ? '' : `${shown.length} of ${dots.length} shapes`;
    });
  }
})();
