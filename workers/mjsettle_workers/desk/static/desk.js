// The form of a hand answers while it is typed: the page is asked for again and its parts are exchanged.
// Without this script the button does the same.
"use strict";
const form = document.getElementById("hand-form");
if (form) {
  let timer = 0;
  let asked = 0;
  const parts = (root) => new Map([...root.querySelectorAll("[data-part]")].map((part) => [part.dataset.part, part]));
  const address = () => {
    const query = new URLSearchParams();
    for (const [name, value] of new FormData(form)) if (value !== "") query.append(name, value);
    return `${form.getAttribute("action")}?${query}`;
  };
  const holdsFocus = (part) => part.contains(document.activeElement) && document.activeElement.matches("input:not([type=checkbox])");
  const exchange = (found) => {
    const fresh = parts(found);
    for (const [name, part] of parts(document)) {
      const other = fresh.get(name);
      // What is being typed in stays as it is; the parts inside it are exchanged by themselves.
      if (other && part.isConnected && !holdsFocus(part) && part.innerHTML !== other.innerHTML) part.innerHTML = other.innerHTML;
    }
    const placeholder = found.getElementById("hand")?.getAttribute("placeholder");
    if (placeholder) document.getElementById("hand").setAttribute("placeholder", placeholder);
    document.querySelector("h1").textContent = found.querySelector("h1").textContent;
    for (const link of document.querySelectorAll(".langs a")) {
      link.href = found.querySelector(`.langs a[hreflang=${link.hreflang}]`).href;
    }
  };
  const ask = async () => {
    const own = ++asked;
    const url = address();
    document.body.dataset.asking = "";
    try {
      const answer = await fetch(url);
      const text = await answer.text();
      if (own !== asked) return;
      exchange(new DOMParser().parseFromString(text, "text/html"));
      history.replaceState(null, "", url);
    } finally {
      if (own === asked) delete document.body.dataset.asking;
    }
  };
  const later = (ms) => {
    clearTimeout(timer);
    timer = setTimeout(ask, ms);
  };
  form.addEventListener("input", (event) => later(event.target.matches("select, [type=radio], [type=checkbox]") ? 0 : 180));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    later(0);
  });
}
