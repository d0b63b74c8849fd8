// Asks the browser for a passkey where a form needs one, and sends its answer with the form.
"use strict";

const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));
const text = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
const described = (list) => (list || []).map((one) => ({ ...one, id: bytes(one.id) }));

async function answer(kind, options) {
  const publicKey = { ...options, challenge: bytes(options.challenge) };
  if (kind === "create") {
    publicKey.user = { ...options.user, id: bytes(options.user.id) };
    publicKey.excludeCredentials = described(options.excludeCredentials);
    const made = await navigator.credentials.create({ publicKey });
    const { clientDataJSON, attestationObject } = made.response;
    return shown(made, { clientDataJSON: text(clientDataJSON), attestationObject: text(attestationObject) });
  }
  publicKey.allowCredentials = described(options.allowCredentials);
  const got = await navigator.credentials.get({ publicKey });
  const { clientDataJSON, authenticatorData, signature, userHandle } = got.response;
  return shown(got, {
    clientDataJSON: text(clientDataJSON),
    authenticatorData: text(authenticatorData),
    signature: text(signature),
    userHandle: userHandle ? text(userHandle) : null,
  });
}

const shown = (credential, response) => ({
  id: credential.id,
  rawId: text(credential.rawId),
  type: credential.type,
  clientExtensionResults: {},
  response,
});

for (const form of document.querySelectorAll("form[data-passkey]")) {
  const button = form.querySelector("button[data-ask]");
  const problem = form.querySelector("[data-problem]");
  if (!window.PublicKeyCredential) {
    problem.hidden = false;
    continue;
  }
  button.disabled = false;
  form.addEventListener("submit", async (event) => {
    if (form.elements.passkey.value) return;
    event.preventDefault();
    if (!form.reportValidity()) return;
    problem.hidden = true;
    button.disabled = true;
    try {
      const given = await answer(form.dataset.passkey, JSON.parse(form.dataset.options));
      form.elements.passkey.value = JSON.stringify(given);
      form.submit();
    } catch {
      problem.hidden = false;
      button.disabled = false;
      problem.focus();
    }
  });
}
