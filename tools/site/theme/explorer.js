// The explorer in the colours that the reader chose on the other pages; alone, it takes the system's.
'use strict';

try {
  const chosen = localStorage.getItem('theme');
  for (const sheet of chosen ? document.styleSheets : []) {
    for (const rule of sheet.cssRules) {
      if (rule.media?.mediaText !== '(prefers-color-scheme: dark)') continue;
      rule.media.mediaText = chosen === 'dark' ? 'screen' : 'not all';
      document.documentElement.style.colorScheme = chosen;
    }
  }
} catch (error) {
  // Opened from a disk, the page may not look at its own rules.
}
