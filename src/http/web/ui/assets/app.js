// The script of the web application. It only adds convenience: every page works without it.
// biome-ignore-all lint/suspicious/noRedundantUseStrict: pages load it as a classic script.
"use strict";
// Reloading the response of a form requests the page instead of submitting the form again.
history.replaceState(null, "", location.href);
// Has screen readers say a text, also the same one again.
const announcements = document.getElementById("announcements");
const announce = (text) => {
  announcements.textContent = "";
  setTimeout(() => {
    announcements.textContent = text;
  }, 100);
};
for (const button of document.querySelectorAll("[data-copy]")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const target = document.getElementById(button.dataset.copy);
    const text = target.value ?? target.textContent;
    const label = button.textContent;
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = button.dataset.copied;
    } catch {
      const range = document.createRange();
      range.selectNodeContents(target);
      getSelection().removeAllRanges();
      getSelection().addRange(range);
      button.textContent = button.dataset.failed;
    }
    announce(button.textContent);
    setTimeout(() => {
      button.textContent = label;
    }, 2000);
  });
}
for (const button of document.querySelectorAll("[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => print());
}
// Suggests the time zone of the browser, which may have another name than in the list: Asia/Kolkata or Asia/Calcutta.
for (const zone of document.querySelectorAll("[data-local-zone] select")) {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  if (zone.value !== "UTC") continue;
  zone.add(new Option(timeZone), 0);
  zone.selectedIndex = 0;
}
// Ignores a double click: it would create two keys and show only one of them. An upload may be corrected at once.
for (const form of document.querySelectorAll('form[method="post"]:not([data-upload] *)')) {
  let sentAt = -Infinity;
  form.addEventListener("submit", (event) => {
    if (event.timeStamp - sentAt < 5000) event.preventDefault();
    else sentAt = event.timeStamp;
  });
}
// Closes menus on Escape and on a click elsewhere. In an open sheet, closing one would move the others away from the finger.
const closeMenus = (except) => {
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (!(menu.closest(":popover-open") ?? menu).contains(except)) menu.open = false;
  }
};
for (const sheet of document.querySelectorAll(".fold")) {
  sheet.addEventListener("beforetoggle", ({ newState }) => {
    // Menus of the same name close each other.
    for (const menu of sheet.querySelectorAll("details.menu"))
      menu.setAttribute("name", newState === "open" ? "" : "menu");
  });
}
addEventListener("pointerdown", (event) => closeMenus(event.target));
addEventListener("focusin", (event) => closeMenus(event.target));
addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  const open = document.activeElement.closest("details.menu[open]");
  closeMenus();
  open?.querySelector("summary").focus();
});
// ⌘K or Ctrl+K leads to the search, which shows what it finds while one types.
addEventListener("keydown", (event) => {
  const link = document.querySelector(".search-link");
  if (!link || event.key !== "k" || !(event.metaKey || event.ctrlKey) || event.shiftKey || event.altKey)
    return;
  event.preventDefault();
  location.assign(link.href);
});
for (const keys of document.querySelectorAll(".search-link kbd"))
  keys.textContent = /^Mac/.test(navigator.platform) ? "⌘K" : "Ctrl K";
for (const form of document.querySelectorAll("form[data-live]")) {
  const field = form.elements.q;
  const found = document.getElementById("results");
  let latest = 0;
  field.addEventListener("input", async () => {
    const turn = ++latest;
    const url = `${form.action}?${new URLSearchParams(new FormData(form))}`;
    const response = await fetch(url).catch(() => undefined);
    if (turn !== latest || !response?.ok || response.redirected) return;
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const next = page.getElementById("results");
    found.replaceChildren(...next.childNodes);
    history.replaceState(null, "", url);
    announce(next.dataset.summary);
  });
  form.addEventListener("submit", (event) => {
    const link = found.querySelector("a");
    if (!link || field.value.trim() === "") return;
    event.preventDefault();
    location.assign(link.href);
  });
  addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    const stops = [field, ...found.querySelectorAll("a")];
    event.preventDefault();
    stops[stops.indexOf(document.activeElement) + step]?.focus();
  });
}
// On phones, the current tab may be beyond the edge.
for (const tab of document.querySelectorAll(".tabs [aria-current], .subnav [aria-current]")) {
  const bar = tab.closest("nav");
  bar.scrollLeft = tab.offsetLeft - bar.offsetLeft - (bar.clientWidth - tab.offsetWidth) / 2;
}
// A choice in a form with data-submit applies at once.
for (const form of document.querySelectorAll("form[data-submit]"))
  form.addEventListener("change", () => form.requestSubmit());
// Arrow keys move over the bands of a chart.
for (const hits of document.querySelectorAll(".hits")) {
  const bands = [...hits.children];
  const areLinks = bands[0]?.matches("a");
  const plot = hits.closest(".plot");
  if (!areLinks)
    Object.assign(plot, { tabIndex: 0, role: "group", ariaLabel: hits.dataset.name ?? hits.ariaLabel });
  const show = (band) => {
    for (const each of bands) {
      each.classList.toggle("on", each === band);
      if (areLinks && band) each.tabIndex = each === band ? 0 : -1;
    }
    if (areLinks) band?.focus();
    else if (band) announce(band.querySelector(".tip").textContent);
  };
  plot.addEventListener("keydown", (event) => {
    const at = bands.findIndex((band) => band === document.activeElement || band.matches(".on"));
    const to = {
      ArrowLeft: at < 0 ? bands.length - 1 : at - 1,
      ArrowRight: at + 1,
      Home: 0,
      End: bands.length - 1,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    show(bands[Math.min(Math.max(to, 0), bands.length - 1)]);
  });
  plot.addEventListener("focusout", (event) => plot.contains(event.relatedTarget) || show());
  // A finger that moves along the chart shows the values below it.
  hits.addEventListener("pointermove", (event) => {
    const { left, width } = hits.getBoundingClientRect();
    const at = Math.floor(((event.clientX - left) / width) * bands.length);
    const band = bands[Math.min(Math.max(at, 0), bands.length - 1)];
    if (event.pointerType === "touch" && !band.matches(".on")) show(band);
  });
  // The first tap on a band shows its values, the second one follows its link.
  let tapped;
  hits.addEventListener("pointerdown", () => {
    tapped = bands.find((band) => band.matches(".on"));
  });
  hits.addEventListener("click", (event) => {
    const band = event.target.closest(".hit");
    if (event.pointerType !== "touch" || !band || band === tapped) return;
    event.preventDefault();
    show(band);
  });
}
// Only a table that scrolls is a tab stop. Without the script, each of them is, because some may scroll.
const tableSizes = new ResizeObserver((entries) => {
  for (const {
    target: { parentNode: region },
  } of entries) {
    const scrolls = region.scrollWidth > region.clientWidth || region.scrollHeight > region.clientHeight;
    if (scrolls) region.tabIndex = 0;
    else region.removeAttribute("tabindex");
  }
});
for (const table of document.querySelectorAll(".table > table")) tableSizes.observe(table);
// Replaces the content of an element by that of the page that it names, every second, until that page says to stop.
const poll = async (element) => {
  const response = document.hidden ? undefined : await fetch(element.dataset.poll).catch(() => undefined);
  // The session has ended, or the page is gone.
  if (response && (response.redirected || response.status === 404)) return;
  if (response?.ok) {
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const next = page.getElementById(element.id);
    if (next.textContent !== element.textContent) element.replaceChildren(...next.childNodes);
    if (!next.dataset.poll) return;
  }
  setTimeout(poll, 1000, element);
};
for (const element of document.querySelectorAll("[data-poll]")) poll(element);

// Sends a file in pieces, so that each request is short and the page can say how much has arrived.
const problemOf = (text) =>
  new DOMParser().parseFromString(text, "text/html").querySelector("[role=alert]:not([hidden])")?.textContent;
for (const area of document.querySelectorAll("[data-upload]")) {
  const form = area.querySelector("form");
  const [bar, share, alert] = ["progress", "[role=status]", "[role=alert]"].map((each) =>
    area.querySelector(each),
  );
  const send = async (url, fields) => {
    const body = new FormData();
    body.set("form_token", form.elements.form_token.value);
    for (const [name, value] of Object.entries(fields)) body.set(name, value);
    const response = await fetch(url, { method: "POST", body });
    if (!response.ok) throw new Error(problemOf(await response.text()) ?? area.dataset.failed);
    return response.url;
  };
  const upload = async (file) => {
    const [max, piece] = [Number(area.dataset.max), Number(area.dataset.piece)];
    if (file.size === 0) throw new Error(area.dataset.empty);
    if (file.size > max) throw new Error(area.dataset.tooLarge);
    const url = await send(form.getAttribute("action"), {
      action: "start",
      name: file.name,
      bytes: file.size,
    });
    for (let position = 0; position < file.size; position += piece) {
      bar.value = position / file.size;
      share.textContent = `${Math.floor(bar.value * 100)}%`;
      const fields = { action: "piece", position, file: file.slice(position, position + piece) };
      await send(url, fields).catch((error) => {
        // Only a request that got no answer is worth another one.
        if (!(error instanceof TypeError)) throw error;
        return send(url, fields);
      });
    }
    location.assign(url);
  };
  form.addEventListener("submit", async (event) => {
    const [file] = form.elements.file.files;
    if (!file) return;
    event.preventDefault();
    const button = form.querySelector("button");
    [button.disabled, alert.hidden, bar.parentNode.hidden] = [true, true, false];
    try {
      await upload(file);
    } catch (error) {
      alert.textContent = error instanceof TypeError ? area.dataset.failed : error.message;
      [button.disabled, alert.hidden, bar.parentNode.hidden] = [false, false, true];
    }
  });
}

// The state of the history entry tells the next page which control was used. Without the Navigation API, pages start at the top.
const { navigation } = window;
const isThisPage = (text) => {
  const url = new URL(text, location.href);
  return url.origin === location.origin && url.pathname === location.pathname;
};
const leaveBy = (control, url, isQuiet) => {
  const staysHere = control.closest("main") && isThisPage(url);
  const used = control.closest("nav.pages") ? "" : (control.closest("main [id]:not(.sheet [id])")?.id ?? "");
  navigation?.updateCurrentEntry({ state: staysHere ? { used, isQuiet } : null });
};
addEventListener("click", ({ target, detail }) => {
  const link = target.closest("a[href]");
  // Enter clicks without a pointer.
  if (link) leaveBy(link, link.href, detail > 0);
});
addEventListener("submit", ({ target: form }) => {
  if (form.getAttribute("method") !== "post") leaveBy(form, form.getAttribute("action") ?? "", false);
});
const { from, navigationType } = navigation?.activation ?? {};
const isChoice = navigationType === "push" || navigationType === "replace";
const { used, isQuiet } = (isChoice && from?.url && isThisPage(from.url) && from.getState()) || {};
// A field that was rejected has the focus.
if (used !== undefined && !document.querySelector("[autofocus]")) {
  const controls = "summary, [aria-current], [aria-sort] a, [type=search]";
  const control = document.getElementById(used)?.querySelector(controls);
  const results = document.getElementById("results");
  const focused = control?.checkVisibility() ? control : results;
  focused?.focus();
  // Who clicked with a mouse sees where the focus is with the next key.
  if (isQuiet) {
    focused?.classList.add("quiet");
    addEventListener("keydown", () => focused?.classList.remove("quiet"), { once: true });
  }
  if (results?.dataset.summary) announce(results.dataset.summary);
}

const comparison = document.getElementById("compare");
if (comparison) {
  const label = comparison.querySelector("[data-selected]");
  const hint = document.getElementById("compare-hint");
  const [plainLabel, plainHint] = [label.textContent, hint.textContent];
  const update = () => {
    const { length } = document.querySelectorAll("[name=ids]:checked");
    comparison.querySelector("button").disabled = length < 2 || length > 5;
    label.textContent = length > 0 ? label.dataset.selected.replace("{selected}", length) : plainLabel;
    const text =
      length > 5
        ? hint.dataset.over.replace("{selected}", length).replace("{excess}", length - 5)
        : plainHint;
    // A status that is set again would be read again.
    if (hint.textContent !== text) hint.textContent = text;
    hint.classList.toggle("over", length > 5);
    hint.classList.toggle("visually-hidden", length !== 1 && length <= 5);
  };
  addEventListener("change", update);
  // The browser restores checkboxes on the way back.
  addEventListener("pageshow", update);
}
