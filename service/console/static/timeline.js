// Brings the sliders of time to life: each fills the date field beside it. The page works without.
"use strict";
(() => {
  const UNITS = {
    day: { ms: 86400000, length: 10, style: { dateStyle: "long" } },
    minute: { ms: 60000, length: 16, style: { dateStyle: "medium", timeStyle: "short" } },
  };
  const KEPT = "mnemo-slider";
  const WAIT_MS = 600;
  // Days come before months, as the page itself writes them.
  const locale = document.documentElement.lang === "en" ? "en-GB" : document.documentElement.lang;
  // Local times are reckoned as if they were UTC: no clock of this machine has a say in them.
  const parse = (local) => Date.parse(local.length === 10 ? local : `${local}Z`);

  for (const axis of document.querySelectorAll("[data-axis]")) {
    const slider = axis.querySelector("input[type=range]");
    const field = axis.querySelector("input[name]");
    const output = axis.querySelector("output");
    if (!slider) continue;
    const unit = UNITS[axis.dataset.unit];
    const first = parse(axis.dataset.first);
    const format = new Intl.DateTimeFormat(locale, { ...unit.style, timeZone: "UTC" });
    const shown = (moment) => (locale === "fr" ? format.format(moment).replace(/^1(?= )/, "1er") : format.format(moment));
    let waiting = 0;

    const tell = () => {
      output.value = field.value ? shown(parse(field.value)) : axis.dataset.now;
      slider.setAttribute("aria-valuetext", output.value);
    };
    const submit = () => {
      clearTimeout(waiting);
      waiting = setTimeout(() => {
        sessionStorage.setItem(KEPT, slider.id);
        field.form.requestSubmit();
      }, WAIT_MS);
    };

    slider.addEventListener("input", () => {
      const atEnd = slider.value === slider.max;
      field.value = atEnd ? "" : new Date(first + slider.valueAsNumber * unit.ms).toISOString().slice(0, unit.length);
      tell();
    });
    slider.addEventListener("change", submit);
    field.addEventListener("input", () => {
      slider.value = field.value ? (parse(field.value) - first) / unit.ms : slider.max;
      tell();
    });
    tell();
    slider.parentElement.hidden = false;
    if (sessionStorage.getItem(KEPT) === slider.id) {
      sessionStorage.removeItem(KEPT);
      slider.focus();
    }
  }
})();
