// On a narrow screen the filters are folded away until they are asked for; without this they stay open.
"use strict";
for (const filters of document.querySelectorAll("details[data-fold]")) {
  if (matchMedia("(max-width: 40rem)").matches) filters.open = false;
}
