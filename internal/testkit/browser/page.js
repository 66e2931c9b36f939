// What package browser looks for in a page. Evaluated anew for every look, since pages come and go.
(() => {
  const clean = (text) => (text ?? '').replace(/\s+/g, ' ').trim();
  const visible = (element) =>
    element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0;

  // What a person would call an element.
  const names = (element) => [
    element.matches('input') ? element.value : element.innerText,
    element.getAttribute('aria-label'),
    ...(element.getAttribute('aria-labelledby') ?? '').split(' ').map((id) => element.getRootNode().getElementById(id)?.innerText),
    element.getAttribute('alt'),
    element.getAttribute('title'),
  ].map(clean).filter(Boolean);

  const labels = (control) => [
    ...[...(control.labels ?? [])].map((label) => clean(label.innerText)),
    ...names(control),
    control.name,
  ];

  // The only element with the name, or else the only one whose name contains it.
  const only = (elements, namesOf, name) => {
    name = clean(name);
    const exact = elements.filter((element) => namesOf(element).includes(name));
    const found = exact.length ? exact : elements.filter((element) => namesOf(element).some((n) => n.includes(name)));
    if (found.length === 1) return { element: found[0] };
    return { why: found.length ? `${found.length} elements are called that` : 'nothing is called that' };
  };

  // The document and the shadow trees in it, as a person sees them: without a border.
  const trees = (root = document) =>
    [root, ...[...root.querySelectorAll('*')].filter((e) => e.shadowRoot).flatMap((e) => trees(e.shadowRoot))];

  const all = (css) => trees().flatMap((tree) => [...tree.querySelectorAll(css)]).filter(visible);

  const text = () => [document.body, ...trees().slice(1).flatMap((tree) => [...tree.children])]
    .map((element) => element?.innerText ?? '').join('\n');

  const under = (x, y) => {
    let hit = document.elementFromPoint(x, y);
    for (let inner; (inner = hit?.shadowRoot?.elementFromPoint(x, y)) && inner !== hit;) hit = inner;
    return hit;
  };

  const first = (css) => {
    const element = all(css)[0];
    return element ? { element } : { why: 'no visible element fits' };
  };

  const loading = () => (document.readyState === 'complete' ? '' : 'the page is still loading');

  const middle = (element) => {
    const { left, top, width, height } = element.getClientRects()[0] ?? {};
    return { x: left + width / 2, y: top + height / 2 };
  };

  const clickable = `a[href], button, summary, label, input[type=submit], input[type=button], input[type=reset],
    [role=button], [role=link], [role=tab], [role=menuitem], [role=checkbox], [role=radio], [role=option]`;
  const fillable = 'input:not([type=hidden], [type=submit], [type=button], [type=reset]), textarea, select';

  const set = (control, value) => {
    control.value = value;
    control.dispatchEvent(new Event('input', { bubbles: true }));
    control.dispatchEvent(new Event('change', { bubbles: true }));
    return {};
  };

  const choose = (select, value) => {
    const option = [...select.options].find((o) => clean(o.label) === clean(value) || o.value === value);
    return option ? set(select, option.value) : { why: `it has no option ${value}` };
  };

  return {
    shows(what, isSelector) {
      if (isSelector) {
        const { element, why } = first(what);
        return { why, text: element?.innerText };
      }
      return clean(text()).includes(clean(what)) ? {} : { why: 'the page does not show it' };
    },

    address(prefix, loaded) {
      if (!location.href.startsWith(prefix)) return { why: `the page is at ${location.href}` };
      return { why: loaded ? loading() : '', text: location.href };
    },

    other(origin) {
      if (performance.timeOrigin === origin) return { why: 'the page is still the same' };
      return { why: loading(), origin: performance.timeOrigin };
    },

    // Where to click: the middle of the element, if it rests and that is really what lies there.
    async point(what, isSelector) {
      const { element, why } = isSelector ? first(what) : only(all(clickable), names, what);
      if (why) return { why };
      if (element.disabled) return { why: 'it is disabled' };
      element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
      const { x, y } = middle(element);
      for (let look = 0; look < 3; look++) { // a busy page does not move in each moment
        await new Promise((resolve) => setTimeout(resolve, 20));
        const now = middle(element);
        if (x !== now.x || y !== now.y) return { why: 'it moves' };
      }
      const hit = under(x, y);
      return element.contains(hit) ? { x, y } : { why: `it is covered by ${hit?.outerHTML.slice(0, 80)}` };
    },

    // Where a frame's corner is, if it rests and really lies at the point of it.
    async frame(css, x, y) {
      const element = document.querySelector(css);
      if (!element) return { why: 'the frame is gone' };
      const corner = () => {
        const { left, top } = element.getBoundingClientRect();
        return { x: left + element.clientLeft, y: top + element.clientTop };
      };
      const before = corner();
      await new Promise((resolve) => setTimeout(resolve, 20));
      const now = corner();
      if (before.x !== now.x || before.y !== now.y) return { why: 'the frame moves' };
      const hit = document.elementFromPoint(now.x + x, now.y + y);
      return hit === element ? now : { why: `the frame is covered by ${hit?.outerHTML.slice(0, 80)}` };
    },

    // Makes the control ready for typing; sets what cannot be typed.
    fill(what, value, isSelector) {
      const { element, why } = isSelector ? first(what) : only(all(fillable), labels, what);
      if (why) return { why };
      if (element.disabled || element.readOnly) return { why: 'it cannot be changed' };
      if (element.matches('select')) return choose(element, value);
      element.focus();
      const typed = ['text', 'search', 'url', 'tel', 'email', 'password', 'number', 'textarea'].includes(element.type);
      if (!typed || value === '') return set(element, value);
      element.select();
      return { typed: true };
    },

    focused() {
      let element = document.activeElement;
      while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
      if (!element || element === document.body) return {};
      return { text: (element.matches(fillable) ? labels(element) : names(element))[0] };
    },
  };
})()
