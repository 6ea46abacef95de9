// Keys as in the terminal's reader, search while one types, and marks without a new page. Everything works without it.
"use strict";
(() => {
  const main = () => document.getElementById("main");
  const rows = () => [...document.querySelectorAll(".row")];
  const link = (row) => row.querySelector("h2 a, h2 button");
  const current = () => rows().find((row) => row.contains(document.activeElement))
    || rows().find((row) => row.hasAttribute("aria-current"));

  // Puts what a page shows in the place of what is shown, and keeps the focus where it was.
  const show = (text, address, remember) => {
    const page = new DOMParser().parseFromString(text, "text/html");
    const next = page.getElementById("main");
    if (!next) return false;
    const place = current() ? rows().indexOf(current()) : -1;
    const field = document.activeElement?.name === "search" ? document.activeElement : null;
    const caret = field?.selectionStart;
    const typed = field?.value;
    main().replaceWith(document.adoptNode(next));
    document.title = page.title;
    if (address) history[remember ? "pushState" : "replaceState"](null, "", address);
    if (field) {
      const search = document.querySelector('input[name="search"]');
      if (search) { search.value = typed; search.focus(); search.setSelectionRange(caret, caret); }
    } else if (place >= 0) {
      const row = rows()[Math.min(place, rows().length - 1)];
      if (row) link(row)?.focus();
    }
    return true;
  };

  let last = 0;
  const fetchPage = async (address, options) => {
    const turn = ++last;
    const answer = await fetch(address, { credentials: "same-origin", ...options });
    const text = await answer.text();
    return turn === last ? { answer, text } : null;
  };

  // What is sent from a list or an article, when nothing has to be asked first.
  const send = async (form, button) => {
    const data = new URLSearchParams(new FormData(form));
    if (button) data.set(button.name, button.value);
    const place = location.pathname;
    try {
      const got = await fetchPage(form.action, { method: "POST", body: data });
      if (!got) return;
      const leads = new URL(got.answer.url);
      if (leads.pathname === place && got.answer.redirected) show(got.text, leads.pathname + leads.search, false);
      else if (got.answer.redirected) location.assign(leads);
      else { form.dataset.plain = "1"; form.requestSubmit(button); }
    } catch { form.dataset.plain = "1"; form.requestSubmit(button); }
  };
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.dataset.plain || form.method !== "post" || !form.matches(".list, .toolbar")) return;
    if (form.matches(".toolbar") && !document.querySelector("article, .list")) return;
    event.preventDefault();
    send(form, event.submitter);
  });

  let pause;
  document.addEventListener("input", (event) => {
    if (event.target.name !== "search") return;
    clearTimeout(pause);
    const form = event.target.form;
    pause = setTimeout(async () => {
      const address = new URL(form.action);
      address.search = new URLSearchParams(new FormData(form));
      try {
        const got = await fetchPage(address);
        if (got?.answer.ok) show(got.text, address.pathname + address.search, false);
      } catch { /* The button still works. */ }
    }, 150);
  });

  const step = (by) => {
    const all = rows();
    if (!all.length) return window.scrollBy({ top: by * innerHeight * 0.4 });
    const at = current() ? all.indexOf(current()) : by > 0 ? -1 : all.length;
    const row = all[Math.max(0, Math.min(at + by, all.length - 1))];
    link(row)?.focus();
    row.scrollIntoView({ block: "nearest" });
  };
  const press = (name) => {
    const row = current();
    const scope = row && ["read", "star", "later"].includes(name) ? row : document;
    const found = scope.querySelector(`[data-key="${name}"]`);
    found?.click();
  };
  const keys = {
    j: ["next row", () => step(1)], k: ["row before", () => step(-1)],
    "/": ["search", () => document.querySelector('input[name="search"]')?.focus()],
    n: ["next article", () => press("next")], p: ["article before", () => press("previous")],
    u: ["next unread", () => press("next-unread")], m: ["read or unread", () => press("read")],
    "*": ["star", () => press("star")], l: ["later", () => press("later")],
    o: ["original", () => press("original")], b: ["back", () => history.back()],
    "?": ["these keys", () => help()],
  };
  const help = () => {
    let dialog = document.querySelector("dialog");
    if (!dialog) {
      dialog = document.createElement("dialog");
      dialog.setAttribute("aria-label", "Keys");
      const list = document.createElement("dl");
      for (const [key, [words]] of Object.entries(keys)) {
        const term = document.createElement("dt");
        const name = document.createElement("kbd");
        name.textContent = key;
        term.append(name);
        const text = document.createElement("dd");
        text.textContent = words;
        list.append(term, text);
      }
      dialog.append(list);
      document.body.append(dialog);
      dialog.addEventListener("click", () => dialog.close());
    }
    dialog.showModal();
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.target.matches("input, select, textarea")) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    const key = keys[event.key];
    if (!key || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    key[1]();
  });
})();
