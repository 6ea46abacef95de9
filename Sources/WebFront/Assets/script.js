// Keys as in the terminal's reader, search while one types, and marks without a new page. Everything works without it.
"use strict";
(() => {
  // The path below which a proxy shows this server; empty without one.
  const base = document.documentElement.dataset.base ?? "";
  const isArticle = () => location.pathname.startsWith(base + "/articles/");
  const main = () => document.getElementById("main");
  const said = document.getElementById("said");
  const rows = () => [...document.querySelectorAll(".row")];
  const link = (row) => row.querySelector("h2 a, h2 button");
  const current = () => rows().find((row) => row.contains(document.activeElement))
    || rows().find((row) => row.hasAttribute("aria-current"));
  // The row that one is at is marked for who hears the page, too.
  const mark = (row) => {
    for (const other of rows()) other.removeAttribute("aria-current");
    row?.setAttribute("aria-current", "true");
  };
  document.addEventListener("focusin", (event) => {
    const row = event.target.closest(".row");
    if (row) mark(row);
  });
  const say = (words) => { said.textContent = ""; said.textContent = words; };
  // What no page says is seen as well.
  let shown;
  const tell = (words) => {
    say(words);
    clearTimeout(shown);
    said.className = "toast";
    shown = setTimeout(() => { said.className = "unseen"; }, 5000);
  };
  // What is known of this tab alone; nothing, where a browser keeps nothing.
  const tab = { get: (name) => { try { return sessionStorage.getItem(name); } catch { return null; } },
    set: (name, value) => { try { sessionStorage.setItem(name, value); } catch { /* Then not. */ } },
    take: (name) => { const value = tab.get(name); try { sessionStorage.removeItem(name); } catch { /* Then not. */ } return value; } };

  // Puts what a page shows in the place of what is shown, says what it says, and keeps the focus where it was.
  const show = (text, address) => {
    const page = new DOMParser().parseFromString(text, "text/html");
    const next = page.getElementById("main");
    if (!next) return false;
    const held = document.activeElement;
    const inside = main().contains(held);
    const place = rows().indexOf(current());
    const field = held?.name === "search" ? held : null;
    const caret = field?.selectionStart;
    // What is put into a page is heard or not, by browser: what there is to say is said below. Good news takes no room on the page, so
    // that the list stays where it is under the mouse.
    const notice = next.querySelector(".notice:not([hidden])");
    const isNews = notice && !notice.matches(".error");
    notice?.removeAttribute("role");
    if (isNews) notice.remove();
    const top = current()?.getBoundingClientRect().top;
    main().replaceWith(document.adoptNode(next));
    // How pages look may have been chosen on this one.
    document.documentElement.dataset.appearance = page.documentElement.dataset.appearance;
    document.body.dataset.width = page.body.dataset.width;
    const scheme = "meta[name=color-scheme]";
    document.querySelector(scheme).content = page.querySelector(scheme).content;
    // Who is signed in is told there, and may have changed.
    const menu = page.querySelector("header.top");
    if (menu) document.querySelector("header.top").replaceWith(document.adoptNode(menu));
    document.title = page.title;
    if (address) history.replaceState(history.state, "", address);
    if (field) {
      const search = document.querySelector('input[name="search"]');
      if (search) { search.value = field.value; search.focus(); search.setSelectionRange(caret, caret); }
    } else {
      const row = place < 0 ? null : rows()[Math.min(place, rows().length - 1)];
      if (row) mark(row);
      const end = held?.closest("form[aria-label]") && document.querySelector("main form[aria-label]");
      const same = held?.dataset.key && (row || end || document).querySelector(`[data-key="${held.dataset.key}"]`);
      if (inside) (same || (row && link(row)) || main()).focus({ preventScroll: true });
      if (row && top !== undefined) scrollBy({ top: row.getBoundingClientRect().top - top, behavior: "instant" });
    }
    if (notice) isNews ? tell(notice.textContent) : say(notice.textContent);
    return true;
  };

  // Deeds one after another, so that none is answered by the page of another.
  let deeds = Promise.resolve();
  const send = async (form, button) => {
    const data = new URLSearchParams(new FormData(form));
    if (button) data.set(button.name, button.value);
    let answer;
    try {
      answer = await fetch(form.action, { method: "POST", body: data, headers: { "X-Leads-To": "tell" } });
    } catch {
      // It may have got there: it is not sent twice.
      return say("The server did not answer. Reload the page to see whether the change was made.");
    }
    const leads = answer.headers.get("x-leads-to");
    if (!leads) return show(await answer.text()) || location.reload();
    const to = new URL(leads, location);
    if (to.pathname !== location.pathname) {
      if (["next-article", "previous-article", "next-unread"].includes(button?.dataset.key) && text()) tab.set("steps", steps() && steps() + 1);
      return location.assign(to);
    }
    try {
      const page = await fetch(to, { headers: { Accept: "text/html" } });
      if (!page.ok || !show(await page.text(), to.pathname + to.search)) location.assign(to);
    } catch { location.assign(to); }
  };
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.matches(".search")) {
      // Who sends it has typed the last word to its end, and is told of another where there is none.
      clearTimeout(pause);
      search?.abort();
      return;
    }
    if (form.method !== "post" || !form.matches("main .list, main .toolbar")) return;
    if (!document.querySelector("main article, main .list")) return;
    event.preventDefault();
    deeds = deeds.then(() => send(form, event.submitter)).catch(() => location.reload());
  });

  // The browser asks before a page is left on which the user has typed something that was not sent.
  let unsent = false;
  document.addEventListener("input", (event) => { unsent ||= !!event.target.closest(".fields"); });
  document.addEventListener("submit", () => { unsent = false; });
  addEventListener("beforeunload", (event) => { if (unsent) event.preventDefault(); });

  // The last word of a search is still being typed, where it is no part of a date and of no phrase.
  const unfinished = (text) =>
    /(^|\s)((title|author|by):)?[\p{L}\p{N}]+$/iu.test(text)
      && !/(^|\s)-?(since|after|before|until):\S*(\s+\S+){0,2}$/iu.test(text)
      && (text.match(/["“”„«»]/g) ?? []).length % 2 === 0 ? text + "*" : text;
  const searched = (form) => {
    const address = new URL(form.action);
    const data = new URLSearchParams(new FormData(form));
    data.set("search", unfinished(data.get("search")));
    address.search = data;
    return address;
  };
  let pause;
  let search;
  document.addEventListener("input", (event) => {
    if (event.target.name !== "search") return;
    clearTimeout(pause);
    const form = event.target.form;
    pause = setTimeout(async () => {
      search?.abort();
      search = new AbortController();
      const address = searched(form);
      try {
        const page = await fetch(address, { signal: search.signal, headers: { Accept: "text/html" } });
        const text = await page.text();
        if (page.redirected) return location.assign(page.url);
        if (page.ok && form.isConnected) show(text, address.pathname + address.search);
      } catch { /* The button still works. */ }
    }, 150);
  });
  // Enter keeps what typing has found.
  document.addEventListener("submit", (event) => {
    if (!event.target.elements.search) return;
    event.preventDefault();
    clearTimeout(pause);
    search?.abort();
    location.assign(searched(event.target));
  });

  // Where one is in a text: gone to when it is opened anew, and told when it is left.
  const text = () => document.querySelector(".text");
  const came = performance.getEntriesByType("navigation")[0]?.type;
  if (text()?.dataset.place && came === "navigate" && !location.hash) {
    const box = text().getBoundingClientRect();
    window.scrollTo({ top: scrollY + box.top + box.height * text().dataset.place / 1000 - 96, behavior: "instant" });
  }

  // Who comes back to a list is at the article that was read last.
  if (text() && isArticle()) tab.set("read", location.pathname);
  addEventListener("pageshow", (event) => {
    if (came === "navigate" && !event.persisted) return;
    const row = rows().find((row) => link(row)?.pathname === tab.get("read"));
    if (!row) return;
    mark(row);
    row.scrollIntoView({ block: "nearest" });
  });

  // How many pages to go back for what led here: those that one has turned over from article to article are not stopped at. None where
  // nothing here has led to the page.
  const steps = () => history.state?.steps ?? 0;
  if (came === "navigate") {
    const from = document.referrer && new URL(document.referrer);
    const isFromHere = from && from.origin === location.origin && from.pathname !== location.pathname;
    history.replaceState({ steps: Number(tab.take("steps") ?? (isFromHere ? 1 : 0)) }, "");
  }
  const back = () => {
    if (steps()) return history.go(-steps());
    const beneath = new URLSearchParams(location.search).get("in");
    const list = base + (beneath?.startsWith("/articles") ? beneath : "/articles");
    return list === location.pathname + location.search ? false : location.assign(new URL(list, location));
  };

  let told = null;
  document.addEventListener("visibilitychange", () => {
    const form = document.querySelector("main article .toolbar");
    if (document.visibilityState !== "hidden" || !text() || !form) return;
    const box = text().getBoundingClientRect();
    const place = Math.round(Math.min(1, Math.max(0, (96 - box.top) / box.height)) * 1000);
    if (place === (told ?? Number(text().dataset.place ?? 0))) return;
    told = place;
    const data = new URLSearchParams(new FormData(form));
    data.set("do", `left=${place}`);
    navigator.sendBeacon(form.action, data);
  });

  // What is shown once is copied whole, an address with the name of the server. Over plain HTTP, browsers let nobody.
  for (const button of navigator.clipboard ? document.querySelectorAll("[data-copy]") : []) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const { copy } = button.dataset;
      try {
        await navigator.clipboard.writeText(copy.startsWith("/") ? location.origin + base + copy : copy);
        tell("Copied.");
      } catch { tell("The browser does not allow copying. Select the text instead."); }
    });
  }

  const step = (by) => {
    const all = rows();
    if (!all.length) return window.scrollBy({ top: by * innerHeight * 0.4 });
    const at = current() ? all.indexOf(current()) : by > 0 ? -1 : all.length;
    const row = all[Math.max(0, Math.min(at + by, all.length - 1))];
    link(row)?.focus();
    row.scrollIntoView({ block: "nearest" });
  };
  // False where there is nothing to press.
  const press = (name) => {
    const isMark = ["read", "unread", "star", "later", "read-above"].includes(name);
    const button = (isMark && rows().length ? current() : document)?.querySelector(`[data-key="${name}"]`);
    button?.click();
    return !!button;
  };
  const seek = () => {
    const field = document.querySelector('input[name="search"]');
    field?.focus();
    return !!field;
  };
  const open = (path) => location.assign(base + path);
  // Miniflux marks an article and goes on from it.
  const toggleRead = (by) => (press("unread") || press("read")) && (rows().length ? step(by) : true);
  const neighbor = (by) => rows().length || !isArticle() ? step(by) : press(by > 0 ? "next-article" : "previous-article");
  const top = () => (rows().length ? link(rows()[0])?.focus() : undefined, scrollTo({ top: 0 }));
  // Each with its keys, those of Miniflux last.
  const table = [
    [["j"], "a row or a few lines down", () => step(1)], [["k"], "a row or a few lines up", () => step(-1)],
    [["n", "ArrowRight"], "the next row or article", () => neighbor(1)],
    [["p", "ArrowLeft"], "the previous row or article", () => neighbor(-1)],
    [["o"], "open the article", () => { const row = current(); if (!row) return false; link(row)?.click(); }],
    [["/"], "search", seek],
    [["J"], "next article", () => press("next-article")], [["K"], "previous article", () => press("previous-article")],
    [["]"], "next unread article", () => press("next-unread")],
    [["R"], "mark as read", () => press("read")], [["U"], "mark as unread", () => press("unread")],
    [["m"], "mark as read or unread, and go to the next", () => toggleRead(1)],
    [["M"], "mark as read or unread, and go to the previous", () => toggleRead(-1)],
    [["H"], "mark the articles down to this one as read", () => press("read-above")],
    [["A"], "mark the whole list as read", () => press("all-read")],
    [["*", "f"], "add or remove the star", () => press("star")],
    [["l", "s"], "save for later, or undo that", () => press("later")],
    [["v", "V"], "the original on the web", () => press("original")],
    [["h"], "the previous page of the list", () => press("earlier")],
    [["g g", "z t"], "the top of the page", top], [["G"], "the end of the page", () => scrollTo({ top: document.body.scrollHeight })],
    [["g u"], "unread articles", () => open("/articles?unread=yes")],
    [["g b"], "starred articles", () => open("/articles?starred=yes")],
    [["g h"], "articles that you have read", () => open("/articles?read=yes")],
    [["g f", "g c"], "the library overview", () => open("/library")], [["g s"], "the account", () => open("/account")],
    [["q"], "back", back], [["?"], "these keys", () => help()],
  ];
  const keys = new Map(table.flatMap(([names, words, act]) => names.map((name) => [name, [words, act]])));
  // What was pressed of several keys in a row.
  let begun = "";
  // Who speaks to the machine, or presses keys by accident, can do without (WCAG 2.2, 2.1.4).
  const store = { get: () => { try { return localStorage.getItem("keys"); } catch { return null; } },
    set: (value) => { try { localStorage.setItem("keys", value); } catch { /* For this page alone, then. */ } } };
  let isOn = store.get() !== "off";
  const element = (name, words, parent) => {
    const made = document.createElement(name);
    if (words) made.textContent = words;
    parent?.append(made);
    return made;
  };
  const dialog = element("dialog", null, document.body);
  dialog.setAttribute("aria-label", "Keys");
  const list = element("dl", null, dialog);
  for (const [names, words] of table) {
    const term = element("dt", null, list);
    names.forEach((name, index) => {
      if (index) term.append(", ");
      element("kbd", { ArrowLeft: "←", ArrowRight: "→" }[name] ?? name, term);
    });
    element("dd", words, list);
  }
  const buttons = element("p", null, dialog);
  buttons.className = "buttons";
  const toggle = element("button", null, buttons);
  const close = element("button", "Close", buttons);
  close.autofocus = true;
  close.addEventListener("click", () => dialog.close());
  const name = () => { toggle.textContent = isOn ? "Turn the keys off" : "Turn the keys on"; };
  toggle.addEventListener("click", () => { isOn = !isOn; store.set(isOn ? "on" : "off"); name(); });
  name();
  const help = () => dialog.showModal();
  const footer = element("footer", null, document.body);
  footer.className = "bottom";
  element("button", "Keys", footer).addEventListener("click", help);

  document.addEventListener("keydown", (event) => {
    if (!isOn || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.target.matches("input, select, textarea")) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    if (dialog.open) return;
    const name = begun + event.key;
    if (event.key === "Shift") return;
    begun = "";
    // What can be scrolled sideways is, by the arrows.
    if (event.key.startsWith("Arrow") && event.target.closest("[tabindex='0']")) return;
    if ([...keys.keys()].some((other) => other.startsWith(name + " "))) {
      begun = name + " ";
      return event.preventDefault();
    }
    const key = keys.get(name);
    if (key) {
      event.preventDefault();
      if (key[1]() === false) tell(`“${name}” (${key[0]}) does nothing here.`);
    } else if (event.key.length === 1 && event.key !== " ") {
      tell(`“${name}” does nothing here.`);
    }
  });
})();
