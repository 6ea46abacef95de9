// Keeps the articles that the signed-in user opened last, and shows them while the server cannot be reached. The server puts the
// constant `assets`, the addresses of the files that pages load, before this text.
const base = new URL("./", self.location).pathname;
const limit = 50;
const shell = `shell ${base} ${assets.join(" ")}`;
const copies = `copies ${base} `;
// The user of the latest page. A slow page of a user who has logged out in the meantime is not stored.
let account;

const names = async (start) => (await caches.keys()).filter((name) => name.startsWith(start));
const drop = async (start, kept) => {
  for (const name of await names(start)) if (name !== kept) await caches.delete(name);
};
// One change after another: a page must not be stored in a cache that is being deleted.
let changes = Promise.resolve();
const inTurn = (change) => { changes = changes.then(change).catch(() => {}); return changes; };

self.addEventListener("install", (event) => {
  event.waitUntil((async () => {
    await (await caches.open(shell)).addAll([...assets, base + "offline"]);
    await self.skipWaiting();
  })());
});
self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    await drop(`shell ${base} `, shell);
    await self.registration.navigationPreload?.enable();
    await self.clients.claim();
  })());
});

const isArticle = (path) => path.startsWith(base + "articles/") && !path.slice(base.length + 9).includes("/");

// Forms belong to one browser key and time, so a copy has none.
const store = (path, user, response) => inTurn(async () => {
  const text = await response.text();
  if (account !== user) return;
  const body = text.replace(/<form\b[^]*?<\/form>/g, "").replace(/(<main\b[^>]*>)/,
    `$1<p class="notice" role="status">You are offline. This is the copy of ${new Date().toLocaleString()}.</p>`);
  const cache = await caches.open(copies + user);
  await cache.delete(path);
  const fields = ["content-type", "content-security-policy", "x-content-type-options", "referrer-policy"];
  await cache.put(path, new Response(body, { headers: fields.map((name) => [name, response.headers.get(name) ?? ""]) }));
  const paths = await cache.keys();
  for (const old of paths.slice(0, Math.max(0, paths.length - limit))) await cache.delete(old);
});

const copy = async (path) => {
  const [name] = await names(copies);
  return name && (await caches.open(name)).match(path);
};

const offline = async () => {
  const [name] = await names(copies);
  const cache = name && await caches.open(name);
  let rows = "";
  for (const request of cache ? (await cache.keys()).reverse() : []) {
    const text = await (await cache.match(request)).text();
    // The title is written as HTML already. The name of the library follows it.
    const title = text.match(/<title>([^]*?)<\/title>/)?.[1].replace(/ · [^·]*$/, "");
    rows += `<li class="row"><h2><a href="${new URL(request.url).pathname}">${title}</a></h2></li>`;
  }
  const page = await caches.match(base + "offline");
  if (!page) return Response.error();
  const text = (await page.text()).replace("<!--copies-->", () =>
    rows ? `<ol class="rows">${rows}</ol>` : "<p class=\"placeholder\">There are none yet.</p>");
  return new Response(text, { headers: page.headers });
};

const visit = async (event) => {
  const { pathname } = new URL(event.request.url);
  let response;
  try {
    response = await event.preloadResponse ?? await fetch(event.request);
  } catch {
    return (isArticle(pathname) && await copy(pathname)) || offline();
  }
  const user = response.headers.get("x-account");
  // A proxy answers in this way while the server is down.
  if (!user && [502, 504].includes(response.status)) return (isArticle(pathname) && await copy(pathname)) || response;
  if (user) {
    account = user;
    const isNobody = user === "none";
    event.waitUntil(inTurn(() => drop(copies, isNobody ? undefined : copies + user)));
    if (!isNobody && response.status === 200 && isArticle(pathname)) event.waitUntil(store(pathname, user, response.clone()));
  }
  return response;
};

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin) return;
  if (request.mode === "navigate") return event.respondWith(visit(event));
  if (assets.includes(pathname)) {
    event.respondWith(caches.match(request, { cacheName: shell }).then((response) => response ?? fetch(request)));
  }
});
