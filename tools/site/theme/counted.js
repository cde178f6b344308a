// Leads on from the anchors of the time when the kernels of a chapter stood on one page.
'use strict';

(() => {
  const name = decodeURIComponent(location.hash.slice(1));
  if (!name.startsWith('profile-')) return;
  const rows = Array.from(document.querySelectorAll('tr[data-profile]'))
      .filter(({dataset: {profile}}) => name === profile || name.startsWith(`${profile}-`))
      .sort((a, b) => a.dataset.profile.length - b.dataset.profile.length);
  const link = rows.pop()?.querySelector('a');
  if (link) location.replace(link.href + location.hash);
})();
