// Passkeys: they are added, and sign what somebody allows.
(() => {
  "use strict";
  const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));
  const text = (buffer) => {
    let all = "";
    for (const b of new Uint8Array(buffer)) all += String.fromCharCode(b);
    return btoa(all).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
  };
  const listed = (list) => (list || []).map((one) => ({ ...one, id: bytes(one.id) }));

  const get = async (options) => {
    const made = await navigator.credentials.get({
      publicKey: { ...options, challenge: bytes(options.challenge), allowCredentials: listed(options.allowCredentials) },
    });
    const response = {
      authenticatorData: text(made.response.authenticatorData), clientDataJSON: text(made.response.clientDataJSON), signature: text(made.response.signature),
    };
    if (made.response.userHandle) response.userHandle = text(made.response.userHandle);
    return { id: made.id, rawId: text(made.rawId), type: made.type, response };
  };

  const create = async (options) => {
    const made = await navigator.credentials.create({
      publicKey: {
        ...options, challenge: bytes(options.challenge), user: { ...options.user, id: bytes(options.user.id) },
        excludeCredentials: listed(options.excludeCredentials),
      },
    });
    return {
      id: made.id, rawId: text(made.rawId), type: made.type,
      response: { attestationObject: text(made.response.attestationObject), clientDataJSON: text(made.response.clientDataJSON) },
    };
  };

  const problem = document.getElementById("sign-error");
  const say = (sentence) => {
    problem.textContent = sentence;
    problem.hidden = sentence === "";
  };
  const refused = async (response) => {
    try {
      return (await response.json()).error || "That did not work. Reload the page and try again.";
    } catch {
      return "That did not work. Reload the page and try again.";
    }
  };
  // What browsers say is for programs. Nothing was decided or added.
  const why = (error) => error && error.name === "InvalidStateError"
    ? "This device has a passkey of yours already."
    : "Your device did not sign: it was cancelled, took too long, or has no such passkey. Try again.";
  const without = () => {
    if (window.PublicKeyCredential && navigator.credentials) return false;
    say("This browser has no passkeys. Use another one.");
    return true;
  };
  const whileBusy = async (form, work) => {
    if (form.dataset.busy) return;
    form.dataset.busy = "1";
    say("");
    try {
      await work();
    } catch (error) {
      say(why(error));
    } finally {
      delete form.dataset.busy;
    }
  };
  const put = (form, name, value) => {
    let field = form.querySelector(`input[type=hidden][name="${name}"]`);
    if (!field) {
      field = document.createElement("input");
      field.type = "hidden";
      field.name = name;
      form.append(field);
    }
    field.value = value;
  };

  for (const form of document.querySelectorAll("form[data-sign]")) {
    form.addEventListener("submit", (event) => {
      const button = event.submitter;
      if (!button || !("signs" in button.dataset)) return;
      event.preventDefault();
      if (without()) return;
      whileBusy(form, async () => {
        const response = await fetch(form.dataset.sign, {
          method: "POST", credentials: "same-origin", cache: "no-store", body: new URLSearchParams(new FormData(form, button)),
        });
        if (!response.ok && response.status !== 422) {
          say(await refused(response));
          return;
        }
        const { publicKey } = await response.json();
        if (publicKey) put(form, "assertion", JSON.stringify(await get(publicKey)));
        put(form, button.name, button.value);
        form.submit();
      });
    });
  }

  for (const form of document.querySelectorAll("form[data-begin]")) {
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (without()) return;
      whileBusy(form, async () => {
        const begun = await fetch(form.dataset.begin, { method: "POST", credentials: "same-origin", cache: "no-store" });
        if (!begun.ok) {
          say(await refused(begun));
          return;
        }
        const ceremony = await begun.json();
        const assertion = ceremony.prove ? await get(ceremony.prove) : undefined;
        const made = await create(ceremony.create);
        const added = await fetch(form.dataset.add, {
          method: "POST", credentials: "same-origin", cache: "no-store", headers: { "Content-Type": "application/json" },
          body: JSON.stringify({ ceremony: ceremony.ceremony, name: form.elements.name.value, response: made, assertion }),
        });
        if (!added.ok) {
          say(await refused(added));
          return;
        }
        location.replace(form.dataset.then);
      });
    });
  }
})();
