// A program that is called back by a scheme of its own leaves this page standing: say that the answer is sent, so that
// the question is not answered twice. Without this script, a second answer is told that the first one counted.
"use strict";
const form = document.getElementById("answer");
form.addEventListener("submit", () => {
  setTimeout(() => {
    const sent = document.getElementById("sent");
    form.hidden = true;
    sent.hidden = false;
    sent.focus();
  }, 1500);
});
