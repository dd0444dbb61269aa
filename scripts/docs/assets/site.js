// Search, tabs, copy buttons and the theme. A classic script without imports: it also runs from a folder, without a server.
(() => {
  const root = document.body.dataset.root;
  const remember = (name, value) => {
    try {
      if (value !== undefined) localStorage.setItem(name, value);
      return localStorage.getItem(name);
    } catch {
      return null; // Some browsers keep nothing for pages of a folder.
    }
  };

  const themes = ["system", "light", "dark"];
  const button = document.querySelector(".theme");
  const showTheme = (theme) => {
    document.documentElement.dataset.theme = theme;
    button.textContent = `Theme: ${theme}`;
  };
  let theme = remember("hap-docs-theme") ?? "system";
  showTheme(theme);
  button.hidden = false;
  button.addEventListener("click", () => {
    theme = themes[(themes.indexOf(theme) + 1) % themes.length];
    remember("hap-docs-theme", theme);
    showTheme(theme);
  });

  for (const block of document.querySelectorAll("main pre")) {
    const box = document.createElement("div");
    box.className = "code";
    block.replaceWith(box);
    const copy = document.createElement("button");
    copy.type = "button";
    copy.className = "copy";
    copy.textContent = "Copy";
    copy.addEventListener("click", async () => {
      const copied = await copyText(block.textContent);
      copy.textContent = copied ? "Copied" : "Press Ctrl+C";
      if (!copied) getSelection().selectAllChildren(block);
      setTimeout(() => (copy.textContent = "Copy"), 1500);
    });
    box.append(block, copy);
  }

  async function copyText(text) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      return false;
    }
  }

  /** Every group of tabs shows the language that was chosen last, here or on another page. */
  const groups = [...document.querySelectorAll(".tabs")];
  const choose = (title) => {
    for (const group of groups) {
      const panels = [...group.querySelectorAll(".tab")];
      const shown = panels.find((panel) => panel.dataset.title === title) ?? panels[0];
      for (const panel of panels) panel.hidden = panel !== shown;
      for (const tab of group.querySelectorAll("[role=tab]")) {
        const selected = tab.textContent === shown.dataset.title;
        tab.setAttribute("aria-selected", String(selected));
        tab.tabIndex = selected ? 0 : -1;
      }
    }
  };
  for (const group of groups) {
    const list = document.createElement("div");
    list.setAttribute("role", "tablist");
    for (const panel of group.querySelectorAll(".tab")) {
      const tab = document.createElement("button");
      tab.type = "button";
      tab.setAttribute("role", "tab");
      tab.textContent = panel.dataset.title;
      panel.setAttribute("role", "tabpanel");
      tab.addEventListener("click", () => {
        remember("hap-docs-tab", tab.textContent);
        choose(tab.textContent);
      });
      list.append(tab);
    }
    list.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (step === undefined) return;
      const tabs = [...list.children];
      const next = tabs[(tabs.indexOf(document.activeElement) + step + tabs.length) % tabs.length];
      next.focus();
      next.click();
    });
    group.prepend(list);
  }
  choose(remember("hap-docs-tab"));

  const input = document.querySelector(".search input");
  const found = document.querySelector(".found");
  let index = null;
  const loadIndex = () =>
    new Promise((resolve) => {
      if (index !== null) return resolve(index);
      const script = document.createElement("script");
      script.src = `${root}assets/search-index.js`;
      script.addEventListener("load", () => {
        index = globalThis.hapDocsIndex.map((entry) => ({
          ...entry,
          all: `${entry.page} ${entry.title} ${entry.text}`.toLowerCase(),
        }));
        resolve(index);
      });
      document.head.append(script);
    });

  /** Sections that hold every word, those that name it first. */
  function search(query) {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    return index
      .filter(({ all }) => words.every((word) => all.includes(word)))
      .map((entry) => ({ entry, score: score(entry, words) }))
      .sort((a, b) => b.score - a.score)
      .slice(0, 20)
      .map(({ entry }) => ({ entry, words }));
  }

  function score({ page, title, all }, words) {
    let sum = 0;
    for (const word of words) {
      if (title.toLowerCase().includes(word)) sum += 20;
      if (page.toLowerCase().includes(word)) sum += 10;
      sum += Math.min(5, all.split(word).length - 1);
    }
    return sum - all.length / 20_000;
  }

  /** The words around the first hit, with the hits marked. */
  function excerpt(text, words) {
    const at = Math.max(
      0,
      Math.min(...words.map((word) => (text.toLowerCase().indexOf(word) + text.length) % text.length || 0)) - 40,
    );
    const cut = (at > 0 ? "…" : "") + text.slice(at, at + 160);
    const line = document.createElement("small");
    const pattern = new RegExp(`(${words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|")})`, "gi");
    cut.split(pattern).forEach((piece, number) => {
      const node = number % 2 === 1 ? document.createElement("mark") : document.createTextNode(piece);
      if (number % 2 === 1) node.textContent = piece;
      line.append(node);
    });
    return line;
  }

  input.addEventListener("focus", loadIndex);
  input.addEventListener("input", async () => {
    await loadIndex();
    const query = input.value.trim();
    const hits = query === "" ? [] : search(query);
    found.replaceChildren(
      ...hits.map(({ entry, words }) => {
        const link = document.createElement("a");
        link.href = root + entry.url;
        const name = entry.title === "" || entry.title === entry.page ? entry.page : `${entry.page} › ${entry.title}`;
        link.append(name, excerpt(entry.text, words));
        const item = document.createElement("li");
        item.append(link);
        return item;
      }),
    );
    if (query !== "" && hits.length === 0) {
      const none = document.createElement("li");
      none.className = "none";
      none.textContent = "No results";
      found.append(none);
    }
    found.hidden = query === "";
  });
  document.addEventListener("keydown", (event) => {
    const typing = /^(INPUT|TEXTAREA)$/.test(document.activeElement?.tagName ?? "");
    if (event.key === "/" && !typing) {
      event.preventDefault();
      input.focus();
    }
    if (event.key === "Escape") {
      found.hidden = true;
      input.blur();
    }
    if (found.hidden || (event.key !== "ArrowDown" && event.key !== "ArrowUp")) return;
    const links = [input, ...found.querySelectorAll("a")];
    const at = links.indexOf(document.activeElement);
    event.preventDefault();
    links[(at + (event.key === "ArrowDown" ? 1 : -1) + links.length) % links.length].focus();
  });
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter") found.querySelector("a")?.click();
  });
  document.addEventListener("click", (event) => {
    if (!event.target.closest(".search")) found.hidden = true;
  });
})();
