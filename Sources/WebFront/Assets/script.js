// Keys as in the terminal's reader, search while one types, and marks without a new page. Everything works without it.
"use strict";
(() => {
  // The path below which a proxy shows this server; empty without one.
  const root = document.documentElement.dataset;
  const base = root.base ?? "";
  const $ = (selector, parent = document) => parent.querySelector(selector);
  const $$ = (selector, parent = document) => [...parent.querySelectorAll(selector)];
  const focused = () => document.activeElement;
  const isInRows = () => !!focused().closest(".rows");
  const on = (name, act) => document.addEventListener(name, act);
  // The page that is shown. The address may already be that of the next one.
  const here = () => location.pathname + location.search;
  let opened = here();
  const isArticle = () => location.pathname.startsWith(base + "/articles/");
  const main = () => $("#main");
  const said = $("#said");
  // The panes, in their order on the page. Without room beside the main part, the others are hidden.
  const paneNames = ["header.side", "#list", "#main", "#reading"];
  const isShown = (element) => !!element?.getClientRects().length;
  const area = (element) => element.getBoundingClientRect();
  const jump = (top) => scrollTo({ top, behavior: "instant" });
  const reveal = (element) => element?.scrollIntoView({ block: "nearest" });
  const panes = () => paneNames.map((name) => $(name)).filter((pane) => isShown(pane) && (pane.matches("#main") || $("a", pane)));
  // The pane that keys act on: the one with the focus.
  const pane = () => panes().find((pane) => pane.contains(focused())) ?? main();
  const rows = (parent = pane()) => $$(".row", parent);
  const link = (row) => $("h2 a, h2 button", row);
  const current = (all = rows()) => all.find((row) => row.contains(focused()))
    || all.find((row) => row.hasAttribute("aria-current"));
  // The row of the article that is shown, or was read last.
  const rowOfArticle = (list = $("#list")) => {
    const path = isArticle() ? location.pathname : tab.get("read");
    return list && rows(list).find((row) => link(row)?.pathname === path);
  };
  // Screen readers announce the current row.
  const mark = (row) => {
    for (const other of rows(row.closest("ol"))) other.removeAttribute("aria-current");
    row.setAttribute("aria-current", "true");
  };
  on("focusin", (event) => {
    const row = event.target.closest(".row");
    if (row) mark(row);
  });
  const say = (words) => { said.textContent = ""; said.textContent = words; };
  // A message that is on no page is also visible for some seconds.
  let shown;
  const tell = (words) => {
    say(words);
    clearTimeout(shown);
    said.className = "toast";
    shown = setTimeout(() => { said.className = "unseen"; }, 5000);
  };
  // Values of this tab or of the browser, which may refuse to store them.
  const stored = (kind) => {
    const attempt = (act) => { try { return act(window[kind]); } catch { return; } };
    return { get: (name) => attempt((all) => all.getItem(name)), set: (name, value) => attempt((all) => all.setItem(name, value)) };
  };
  const tab = stored("sessionStorage");

  // The other state of a mark, by the action of its button, and the label of that action.
  const flips = { read: ["unread", "Mark as unread"], unread: ["read", "Mark as read"], star: ["unstar", "Unstar"],
    unstar: ["star", "Star"], later: ["not-later", "Not later"], "not-later": ["later", "Later"] };
  const flip = (button) => {
    const [, id, row] = /^!([a-z-]+)(.*)/.exec(button?.value) ?? [];
    const [next, label] = flips[id] ?? [];
    if (!next) return;
    button.value = `!${next}${row}`;
    button.classList.toggle("on");
    button.title = $("span", button).textContent = label;
    if (!id.endsWith("read")) return;
    button.dataset.key = next;
    button.closest(".row").classList.toggle("unread", next === "read");
  };
  const showRead = (row) => flip($("[data-key=read]", row));
  // Rows stay where they are, even if the list no longer contains them, such as an unread article that was opened.
  const merge = (old, made) => {
    if (!old || !made || old.dataset.list !== made.dataset.list) return;
    for (const row of rows(old)) {
      const next = $("#" + $("h2", row).id, made)?.closest(".row");
      if (next) row.replaceWith(next);
      else row.removeAttribute("aria-current");
      if (!next && old.dataset.list.includes("unread=")) showRead(row);
    }
    made.replaceWith(old);
  };

  // Returns another page, or nothing if it cannot be shown in place of this one. A redirect, such as to the login, is followed.
  const load = async (address, fields, signal) => {
    try {
      const page = await fetch(address, { signal, headers: { Accept: "text/html", ...fields } });
      if (page.redirected) return location.assign(page.url);
      return page.ok && await page.text();
    } catch { return; }
  };
  // Shows the panes of another page in place of these, says its notice, and keeps the focus and the positions of the lists.
  const show = (text, address) => {
    const page = new DOMParser().parseFromString(text, "text/html");
    const next = page.getElementById("main");
    if (!next) return false;
    const held = focused();
    const from = held?.closest(paneNames.join());
    const place = from ? rows(from).indexOf(current(rows(from))) : -1;
    const field = held?.name === "search" ? held : null;
    const caret = field?.selectionStart;
    // Not all browsers announce an alert that is inserted, so the notice is said below. A success takes no room on the page, so that
    // the list stays under the pointer.
    const notice = $(".notice:not([hidden])", next);
    const isNews = notice && !notice.matches(".error");
    notice?.removeAttribute("role");
    if (isNews) notice.remove();
    const top = place < 0 ? 0 : area(rows(from)[place]).top;
    const positions = ["header.side", "#list"].map((name) => $(name)?.scrollTop ?? (isArticle() ? 0 : scrollY));
    merge($(".rows"), $(".rows", page));
    for (const name of paneNames) {
      const old = $(name);
      const made = $(name, page);
      // The response to an article does not repeat the list that is shown.
      if (name === "#list" && !made && page.body.dataset.panes === "article") continue;
      if (made) dialog.before(document.adoptNode(made));
      old?.remove();
    }
    ["header.side", "#list"].forEach((name, index) => { if ($(name)) $(name).scrollTop = positions[index]; });
    Object.assign(document.body.dataset, page.body.dataset);
    // The user may have changed the appearance on this page.
    delete root.size;
    Object.assign(root, page.documentElement.dataset);
    const scheme = "meta[name=color-scheme]";
    $(scheme).content = $(scheme, page).content;
    document.title = page.title;
    if (address) history.replaceState(history.state, "", address);
    opened = here();
    $("#list .list")?.setAttribute("action", opened);
    arrange();
    const now = from && $(from.id ? "#" + from.id : "header.side");
    if (field) {
      const search = $('input[name="search"]');
      if (search) { search.value = field.value; search.focus(); search.setSelectionRange(caret, caret); }
    } else if (now) {
      const all = rows(now);
      const row = place < 0 ? null : all[Math.min(place, all.length - 1)];
      if (row) mark(row);
      const same = held.dataset.key && $(`[data-key="${held.dataset.key}"]`, (held.closest(".row") && row) || now);
      (same || (row && link(row)) || main()).focus({ preventScroll: true });
      if (row && now === main()) jump(scrollY + area(row).top - top);
    }
    if (notice) isNews ? tell(notice.textContent) : say(notice.textContent);
    return true;
  };

  // In a wide window, an article opens beside its list, which stays where it is.
  const isWide = matchMedia("(min-width: 70rem)");
  // A narrow window hides panes. Its main part takes their focus, and returns it when the window is wide again.
  let hidden = null;
  isWide.addEventListener("change", () => {
    const held = focused();
    if (isWide.matches) {
      if (hidden?.isConnected && held === main()) hidden.focus({ preventScroll: true });
      hidden = null;
    } else if (held !== document.body && !isShown(held)) {
      hidden = held;
      main().focus({ preventScroll: true });
    }
  });
  // If the window changes its width, the focus stays at its height, or else the first part in view.
  let [anchor, height, frame, width] = [null, 0, 0, innerWidth];
  const top = (element) => area(element).top;
  const isSeen = (element) => area(element).bottom > 96 && top(element) < innerHeight;
  const hold = () => {
    const held = focused();
    anchor = held.closest("main > *") && isSeen(held) ? held : $$("main .row, .text > *, .places li").find(isSeen);
    height = anchor && top(anchor);
  };
  for (const name of ["scroll", "focusin"]) on(name, () => { cancelAnimationFrame(frame); frame = requestAnimationFrame(hold); });
  addEventListener("resize", () => {
    if (innerWidth === width) return;
    width = innerWidth;
    if (!anchor?.isConnected) return;
    jump(scrollY + top(anchor) - height);
    if (!isSeen(anchor)) (anchor.closest(".row") ?? anchor).scrollIntoView({ block: "nearest", behavior: "instant" });
  });
  const busy = async (request) => {
    document.body.dataset.busy = "";
    try { return await request; } finally { delete document.body.dataset.busy; }
  };
  const turn = async (address, isOfList = !focused().closest(".text, article")) => {
    const list = $("#list")?.scrollTop ?? scrollY;
    leave();
    const shown = isArticle() && rowOfArticle();
    if (shown) { mark(shown); showRead(shown); }
    const kept = shown ? $("#list .rows").dataset.list : "pane";
    const place = location.href;
    const page = await busy(load(address, { "X-Opens": kept }));
    // The user may have gone elsewhere in the meantime.
    if (location.href !== place) return;
    if (!page || !show(page)) return location.assign(address);
    const pane = $("#list") ?? main();
    pane.scrollTop = list;
    const row = rowOfArticle(pane) ?? (isArticle() ? null : current(rows(pane)));
    if (row) mark(row);
    if (row && isArticle()) showRead(row);
    jump($("#list") ? 0 : list);
    if (isOfList && row && $("#list")) link(row).focus({ preventScroll: true });
    reveal(row);
    arrive();
  };
  const visit = (to, isOfList) => {
    history.pushState({ steps: isArticle() && !steps() ? 0 : steps() + 1 }, "", to.href);
    return turn(to.href, isOfList);
  };
  on("click", (event) => {
    for (const menu of $$(".menu[open]")) if (!menu.contains(event.target)) menu.open = false;
    if (event.target.closest(".keys")) return help();
    const to = event.target.closest(".row h2 a");
    if (!to || !isWide.matches || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    visit(to);
  });
  // Going back to another part of the same page is left to the browser.
  addEventListener("popstate", () => { if (here() !== opened) turn(location.href); });

  // Deeds one after another, so that none is answered by the page of another.
  let deeds = Promise.resolve();
  const send = async (form, button, data) => {
    const key = button?.dataset.key;
    const isMove = /^(next|previous)/.test(key);
    // An earlier move has replaced the article, so this one begins there.
    if (isMove && !form.isConnected) return press(key);
    let answer;
    try {
      answer = await busy(fetch(form.action, { method: "POST", body: data, headers: { "X-Leads-To": "tell" } }));
    } catch {
      // The server may have received it, so it is not sent again.
      if (button.matches(".row .mark")) flip(button);
      return tell("The server did not answer. Reload the page to see whether the change was made.");
    }
    const leads = answer.headers.get("x-leads-to");
    if (!leads) return show(await answer.text()) || location.reload();
    const to = new URL(leads, location);
    if (to.pathname !== location.pathname) {
      if (isWide.matches && to.pathname.startsWith(base + "/articles/")) return visit(to, isInRows());
      if (isMove && text()) tab.set("steps", steps() && steps() + 1);
      return location.assign(to);
    }
    const page = await load(to);
    if (!page || !show(page, to.pathname + to.search)) location.assign(to);
  };
  on("submit", (event) => {
    const form = event.target;
    if (form.matches(".search")) {
      // The last word is complete, so a search that finds nothing may suggest another.
      clearTimeout(pause);
      search?.abort();
      return;
    }
    if (form.method !== "post" || !form.matches(".list, .toolbar")) return;
    if (!$("main article, .list")) return;
    event.preventDefault();
    const button = event.submitter;
    const data = new URLSearchParams(new FormData(form, button));
    // The mark is shown at once. A button of the article stands for that of its row, too.
    if (button.matches(".row .mark")) flip(button);
    else if (button.matches(".bar .mark")) flip(rowOfArticle()?.querySelector(`[data-key="${button.dataset.key}"]`));
    deeds = deeds.then(() => send(form, button, data)).catch(() => location.reload());
  });

  // The browser asks before a page is left on which the user has typed something that was not sent.
  let unsent = false;
  on("input", (event) => { unsent ||= !!event.target.closest(".fields"); });
  on("submit", () => { unsent = false; });
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
  on("input", (event) => {
    if (event.target.name !== "search") return;
    clearTimeout(pause);
    const form = event.target.form;
    pause = setTimeout(async () => {
      search?.abort();
      search = new AbortController();
      const address = searched(form);
      const text = await load(address, {}, search.signal);
      // Without a response, the button still works.
      if (text && form.isConnected) show(text, address.pathname + address.search);
    }, 150);
  });
  // Enter keeps what typing has found.
  on("submit", (event) => {
    if (!event.target.elements.search) return;
    event.preventDefault();
    clearTimeout(pause);
    search?.abort();
    location.assign(searched(event.target));
  });

  // An article opens at the position where the user left it.
  const text = () => $("main .text");
  const came = performance.getEntriesByType("navigation")[0]?.type;
  let told = null;
  const arrive = () => {
    told = null;
    if (text() && isArticle()) tab.set("read", location.pathname);
    if (!text()?.dataset.place || location.hash) return;
    const box = area(text());
    jump(scrollY + box.top + box.height * text().dataset.place / 1000 - 96);
  };
  const leave = () => {
    const form = $("main article .toolbar");
    if (!text() || !form) return;
    const box = area(text());
    const place = Math.round(Math.min(1, Math.max(0, (96 - box.top) / box.height)) * 1000);
    if (place === (told ?? Number(text().dataset.place ?? 0))) return;
    told = place;
    const data = new URLSearchParams(new FormData(form));
    data.set("do", `left=${place}`);
    navigator.sendBeacon(form.action, data);
  };
  on("visibilitychange", () => { if (document.visibilityState === "hidden") leave(); });
  // The text may open where its notice is out of sight.
  const notice = $("main .notice");
  if (came === "navigate") arrive();
  else if (text() && isArticle()) tab.set("read", location.pathname);
  if (notice && !isSeen(notice)) tell(notice.textContent);
  const arrange = () => { for (const button of $$(".keys")) button.hidden = false; };
  // The list stays at the article that was read last.
  reveal($("#list .row[aria-current]"));
  addEventListener("pageshow", (event) => {
    if (came === "navigate" && !event.persisted) return;
    const row = rowOfArticle(main());
    if (!row) return;
    mark(row);
    reveal(row);
  });

  // How many pages to go back for what led here: those that one has turned over from article to article are not stopped at. None where
  // nothing here has led to the page.
  const steps = () => history.state?.steps ?? 0;
  if (came === "navigate") {
    const from = document.referrer && new URL(document.referrer);
    const isNear = from && from.origin === location.origin && from.pathname !== location.pathname;
    history.replaceState({ steps: Number(tab.get("steps") || (isNear ? 1 : 0)) }, "");
    tab.set("steps", "");
  }
  const back = () => {
    if (steps()) return history.go(-steps());
    const beneath = new URLSearchParams(location.search).get("in");
    const list = base + (beneath?.startsWith("/articles") ? beneath : "/articles");
    return list === here() ? false : location.assign(new URL(list, location));
  };

  // A copied path gets the name of the server. Browsers do not allow copying over plain HTTP.
  for (const button of navigator.clipboard ? $$("[data-copy]") : []) {
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
    const side = pane().matches(".side") && $$("nav a", pane());
    const all = side || rows();
    if (!all.length) return scrollBy(0, by * innerHeight * 0.4);
    const now = side ? side.find((link) => link === focused() || link.ariaCurrent) : current();
    const at = now ? all.indexOf(now) : by > 0 ? -1 : all.length;
    const next = all[Math.max(0, Math.min(at + by, all.length - 1))];
    (side ? next : link(next))?.focus();
    reveal(next);
  };
  const nextPane = () => {
    const all = panes();
    if (all.length < 2) return false;
    const next = all[(all.indexOf(pane()) + 1) % all.length];
    const row = current(rows(next)) ?? rows(next)[0];
    (row ? link(row) : $("nav [aria-current], nav a", next) ?? main()).focus();
  };
  // False where there is nothing to press.
  const press = (name) => {
    const isMark = /^((un)?read|star|later)/.test(name);
    // Beside an article, its list has a button for the next unread one, too, which begins at the first.
    const parts = isMark && rows().length ? [current()] : isArticle() ? [main(), pane()] : [pane(), main()];
    const button = parts.map((part) => part && $(`[data-key="${name}"]`, part)).find(Boolean);
    button?.click();
    return !!button;
  };
  // Beside a list, the next article is that of the next row, also if the list on the server no longer contains it.
  const follow = (by) => {
    const row = isShown($("#list")) && rowOfArticle();
    const all = row ? rows($("#list")) : [];
    const next = all[all.indexOf(row) + by];
    return next ? visit(link(next), isInRows()) : press(by > 0 ? "next-article" : "previous-article");
  };
  const seek = () => {
    const field = $('input[name="search"]');
    if (!isShown(field)) return false;
    field.focus();
  };
  const open = (path) => location.assign(base + path);
  // Miniflux marks an article and goes on from it.
  const toggleRead = (by) => (press("unread") || press("read")) && (rows().length ? step(by) : true);
  const neighbor = (by) => rows().length || !isArticle() ? step(by) : follow(by);
  const toTop = () => (rows().length ? link(rows()[0])?.focus() : undefined, scrollTo(0, 0));
  // Each with its keys, those of Miniflux last: a function, the path of a page, or the name of a button.
  const table = [
    [["j"], "a row or a few lines down", () => step(1)], [["k"], "a row or a few lines up", () => step(-1)],
    [["n", "ArrowRight"], "the next row or article", () => neighbor(1)],
    [["p", "ArrowLeft"], "the previous row or article", () => neighbor(-1)],
    [["o"], "open the article", () => { const row = current(); if (!row) return false; link(row)?.click(); }],
    [["/"], "search", seek],
    [["J"], "next article", () => follow(1)], [["K"], "previous article", () => follow(-1)],
    [["]"], "next unread article", "next-unread"],
    [["R"], "mark as read", "read"], [["U"], "mark as unread", "unread"],
    [["m"], "mark as read or unread, and go to the next", () => toggleRead(1)],
    [["M"], "mark as read or unread, and go to the previous", () => toggleRead(-1)],
    [["H"], "mark the articles down to this one as read", "read-above"],
    [["A"], "mark the whole list as read", "all-read"],
    [["*", "f"], "add or remove the star", "star"],
    [["l", "s"], "save for later, or undo that", "later"],
    [["v", "V"], "the original on the web", "original"],
    [["h"], "the previous page of the list", "earlier"],
    [["g g", "z t"], "the top of the page", toTop], [["G"], "the end of the page", () => scrollTo(0, document.body.scrollHeight)],
    [["g u"], "unread articles", "/articles?unread=yes"],
    [["g b"], "starred articles", "/articles?starred=yes"],
    [["g h"], "articles that you have read", "/articles?read=yes"],
    [["g f", "g c"], "the library overview", "/library"], [["g s"], "the account", "/account"],
    [["w"], "the next pane", nextPane], [["q"], "back", back], [["?"], "these keys", () => help()],
  ];
  const keys = new Map(table.flatMap(([names, words, act]) => names.map((name) => [name, [words, act]])));
  // The pressed keys of a sequence that is not complete.
  let begun = "";
  // Users of speech input must be able to turn the keys off (WCAG 2.2, 2.1.4).
  const store = stored("localStorage");
  let isOn = store.get("keys") !== "off";
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
  toggle.addEventListener("click", () => { isOn = !isOn; store.set("keys", isOn ? "on" : "off"); name(); });
  name();
  const help = () => dialog.showModal();
  arrange();

  on("keydown", (event) => {
    const menu = event.key === "Escape" && $(".menu[open]");
    if (menu) {
      menu.open = false;
      return $("summary", menu).focus();
    }
    if (!isOn || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.target.matches("input, select, textarea")) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    if (dialog.open) return;
    const name = begun + event.key;
    if (event.key === "Shift") return;
    begun = "";
    // The arrows scroll a region that is wider than the page.
    if (event.key.startsWith("Arrow") && event.target.closest("[tabindex='0']")) return;
    if ([...keys.keys()].some((other) => other.startsWith(name + " "))) {
      begun = name + " ";
      return event.preventDefault();
    }
    const key = keys.get(name);
    if (key) {
      event.preventDefault();
      const act = key[1];
      if ((act.call ? act() : act[0] === "/" ? open(act) : press(act)) === false) tell(`“${name}” (${key[0]}) does nothing here.`);
    } else if (event.key.length === 1 && event.key !== " ") {
      tell(`“${name}” does nothing here.`);
    }
  });
})();
