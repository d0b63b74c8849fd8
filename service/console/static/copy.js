// Buttons that copy a text; without this script they are not shown, and the text can be selected.
"use strict";
for (const button of document.querySelectorAll("[data-copy]")) {
  button.hidden = !navigator.clipboard;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(button.dataset.copy);
    const told = button.parentElement.querySelector("[role=status]");
    if (told) told.textContent = button.dataset.done;
  });
}
