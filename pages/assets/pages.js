// What the pages do beyond HTML; each works without it.
(() => {
  "use strict";
  const main = document.getElementById("main");

  // An answer that came with the address does not stay there.
  if (/^\/(oauth\/callback\/|login\/)/.test(location.pathname) && location.search) {
    history.replaceState(null, "", location.pathname);
  }

  // Times in the reader's own zone.
  const format = new Intl.DateTimeFormat("en-GB", {
    day: "numeric", month: "long", year: "numeric", hour: "2-digit", minute: "2-digit", timeZoneName: "short",
  });
  for (const time of document.querySelectorAll("time[datetime]")) {
    const at = new Date(time.dateTime);
    if (!Number.isNaN(at.valueOf())) {
      time.title = time.textContent;
      time.textContent = format.format(at);
    }
  }

  // The zone beside a date and time follows the date, until it is chosen.
  for (const zone of document.querySelectorAll("select[data-zone-of]")) {
    const input = document.getElementById(zone.dataset.zoneOf);
    let chosen = false;
    const follow = () => {
      const at = input.value ? new Date(input.value) : new Date();
      if (chosen || Number.isNaN(at.valueOf())) return;
      const minutes = -at.getTimezoneOffset();
      const two = (n) => String(Math.floor(Math.abs(n))).padStart(2, "0");
      const offset = minutes === 0 ? "Z" : (minutes < 0 ? "-" : "+") + two(minutes / 60) + ":" + two(minutes % 60);
      if ([...zone.options].some((option) => option.value === offset)) zone.value = offset;
    };
    zone.addEventListener("change", () => { chosen = true; });
    input.addEventListener("change", follow);
    follow();
  }

  // The window that opened this one learns the outcome, if it is one of those
  // that may: the browser compares the origin.
  if (main.dataset.settled && window.opener) {
    const message = { type: "parley:settled", elicitationId: main.dataset.settled, action: main.dataset.action };
    let ours = true;
    try {
      void window.opener.location.href;
    } catch {
      ours = false; // another origin's
    }
    for (const origin of main.dataset.origins.split(" ")) {
      if ((origin === location.origin) === ours) window.opener.postMessage(message, origin);
    }
    window.close();
  }

  // A question that is settled elsewhere needs no answer here.
  if (main.dataset.watch) {
    let pause = 2000;
    let timer = 0;
    const look = async () => {
      clearTimeout(timer);
      timer = 0;
      try {
        const response = await fetch(main.dataset.watch, { cache: "no-store", credentials: "same-origin" });
        if (response.status === 401 || response.status === 404) return;
        if (response.ok && (await response.json()).state !== "pending") {
          location.replace(main.dataset.then);
          return;
        }
      } catch {
        // Offline: look again later.
      }
      pause = Math.min(pause * 1.5, 10000);
      clearTimeout(timer);
      timer = setTimeout(look, pause);
    };
    timer = setTimeout(look, pause);
    document.addEventListener("visibilitychange", () => { if (!document.hidden && timer) look(); });
    for (const form of document.querySelectorAll("form[data-waits]")) {
      form.addEventListener("submit", () => {
        pause = 1000;
        document.querySelector(".waiting").hidden = false;
      });
    }
  }
})();
