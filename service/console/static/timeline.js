// Brings the sliders of time to life: each fills the date field beside it. The page works without.
"use strict";
(() => {
  const DAY = 86400000;
  const KEPT = "mnemo-slider";
  const WAIT_MS = 600;
  const shown = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "long", timeZone: "UTC" });

  for (const axis of document.querySelectorAll("[data-axis]")) {
    const slider = axis.querySelector("input[type=range]");
    const field = axis.querySelector("input[type=date]");
    const output = axis.querySelector("output");
    if (!slider) continue;
    const first = Date.parse(axis.dataset.first);
    let waiting = 0;

    const tell = () => {
      output.value = field.value ? shown.format(Date.parse(field.value)) : axis.dataset.now;
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
      field.value = atEnd ? "" : new Date(first + slider.valueAsNumber * DAY).toISOString().slice(0, 10);
      tell();
    });
    slider.addEventListener("change", submit);
    field.addEventListener("input", () => {
      slider.value = field.value ? (Date.parse(field.value) - first) / DAY : slider.max;
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
