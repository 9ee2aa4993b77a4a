"use strict";
// Before anything is painted: the theme that was chosen, and whether the address names a reference.
(() => {
  const root = document.documentElement;
  try {
    const theme = localStorage.getItem("spectastic-theme");
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  } catch {
    // A browser may keep nothing for files; then the system's theme it is.
  }
  if (location.hash.startsWith("#KB-")) root.dataset.view = "detail";
})();
