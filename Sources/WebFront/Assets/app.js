// Makes the library an app: articles that were opened can be read without the server.
"use strict";
(() => {
  const base = document.documentElement.dataset.base ?? "";
  // Only encrypted sites and the machine itself may have a worker.
  if (!navigator.serviceWorker || !window.caches) return;
  navigator.serviceWorker.register(`${base}/worker.js`).catch(() => { /* The library works without it. */ });
  // A page without a user ends what an earlier user left, even if no worker saw the page.
  if (document.querySelector("meta[name=account]")?.content !== "none") return;
  caches.keys().then((names) => {
    for (const name of names) if (name.startsWith(`copies ${base}/ `)) caches.delete(name);
  }).catch(() => {});
})();
