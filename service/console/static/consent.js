// The question is answered once: a second press of a button is none, and where the client is called back by a scheme of
// its own, which leaves this page standing, it says that the answer is sent. Without this script, a second answer is
// told that the first one counted.
"use strict";
const form = document.getElementById("answer");
let answered = false;
form.addEventListener("submit", (event) => {
  if (answered) {
    event.preventDefault();
    return;
  }
  answered = true;
  setTimeout(() => {
    const sent = document.getElementById("sent");
    form.hidden = true;
    sent.hidden = false;
    sent.focus();
  }, 1500);
});
