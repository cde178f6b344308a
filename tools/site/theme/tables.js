// Large tables: a field that filters their rows, and a button that shades their numbers, so that a
// table of steps and sizes becomes a heat map. What is one already can be compared row by row.
'use strict';

(() => {
  const kFewestRows = 12;
  const numberOf = (cell) => {
    const text = cell.textContent.trim().replaceAll(',', '');
    return /^[-+]?\d+(\.\d+)?$/.test(text) ? Number(text) : null;
  };

  function make(name, properties, ...children) {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
  }

  /** The cells that are compared with each other: of the whole table if all heads are numbers. */
  function groupsOf(table, rows) {
    const heads = Array.from(table.querySelectorAll('thead th'));
    const columns = heads.map((head, i) => i).slice(1)
        .map((i) => rows.map((row) => row.cells[i]).filter((cell) => cell && numberOf(cell) !== null))
        .filter((cells) => cells.length * 2 > rows.length);
    const isOneKind = heads.slice(1).every((head) => numberOf(head) !== null || head.textContent === 'mean');
    return isOneKind ? [columns.flat()] : columns;
  }

  function shade(groups, isShaded) {
    for (const cells of groups) {
      const values = cells.map(numberOf);
      const least = Math.min(...values), most = Math.max(...values);
      cells.forEach((cell, i) => {
        cell.classList.toggle('heat', isShaded);
        cell.style.setProperty('--heat', most > least ? ((values[i] - least) / (most - least)).toFixed(3) : 0);
      });
    }
  }

  document.querySelectorAll('main .table-scroll > table.prose:not(.output, .kernels, .chapters)').forEach((table) => {
    const rows = Array.from(table.tBodies[0]?.rows ?? []);
    if (rows.length < kFewestRows) return;
    const groups = groupsOf(table, rows).filter((cells) => cells.length > 0);
    const words = rows.map((row) => row.cells[0].textContent.toLowerCase());
    const field = make('input', {type: 'search', placeholder: 'Filter rows', ariaLabel: 'Filter the rows of this table'});
    const count = make('output', {});
    field.addEventListener('input', () => {
      const wanted = field.value.toLowerCase().split(/\s+/).filter(Boolean);
      const shown = rows.filter((row, i) => {
        row.hidden = !wanted.every((word) => words[i].includes(word));
        return !row.hidden;
      });
      count.textContent = wanted.length > 0 ? `${shown.length} of ${rows.length} rows` : '';
    });
    const tools = make('div', {className: 'table-tools'}, field, count);
    if (table.matches('.heat')) {
      const button = make('button', {type: 'button', ariaPressed: 'false'}, 'Compare within each row');
      const heats = new Map(groups.flat().map((cell) => [cell, cell.style.getPropertyValue('--heat')]));
      button.addEventListener('click', () => {
        const isByRow = button.ariaPressed === 'false';
        button.ariaPressed = String(isByRow);
        for (const row of rows) {
          const cells = Array.from(row.cells).filter((cell) => heats.has(cell));
          const most = Math.max(...cells.map(numberOf));
          for (const cell of cells) cell.style.setProperty('--heat', isByRow ? (numberOf(cell) / most).toFixed(3) : heats.get(cell));
        }
      });
      field.after(button);
    } else if (groups.length > 1 || groups[0]?.length > rows.length) {
      const button = make('button', {type: 'button', ariaPressed: 'false'}, 'Shade the numbers');
      button.addEventListener('click', () => {
        const isShaded = button.ariaPressed === 'false';
        button.ariaPressed = String(isShaded);
        shade(groups, isShaded);
      });
      field.after(button);
    }
    table.parentElement.before(tools);
  });
})();
