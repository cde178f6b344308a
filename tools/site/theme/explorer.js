// Gives the explorer the colours that the reader chose on other pages; alone, it uses the system's.
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
  // A page opened from a disk may not read its own rules.
}
