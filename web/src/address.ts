// Where a link leads, so that a person can tell before going there.

export interface Address {
  href: string;
  before: string; // the address in three parts, of which the middle one is whom to trust
  trust: string;
  after: string;
  foreign: boolean; // of another origin than the server
  insecure: boolean;
}

// readAddress takes an address apart. It returns undefined for one that must not be opened: anything but http and https,
// or one with a user name, which exists only to look like another host. Names of other scripts are shown as the browser
// sends them, in ASCII (xn--…). Without a list of public suffixes nobody can tell the registered part of a host, so all
// of it is marked unless the server says which part that is.
export function readAddress(raw: string | undefined, base: string, domain?: string): Address | undefined {
  const url = parse(raw);
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:") || url.username !== "" || url.password !== "") return undefined;
  const { hostname, host, href, origin } = url;
  // The server says a part of the name, or, where no part of it is registered (an IP address, localhost), all of the host.
  const registered = domain && (hostname === domain || hostname.endsWith(`.${domain}`));
  const trust = registered ? domain : host;
  const start = href.indexOf("//") + 2 + (registered ? hostname.length - domain.length : 0);
  return {
    href,
    before: href.slice(0, start),
    trust,
    after: href.slice(start + trust.length),
    foreign: origin !== parse(base)?.origin,
    insecure: url.protocol === "http:" && !loopback(hostname),
  };
}

function parse(raw: string | undefined): URL | undefined {
  try {
    return new URL(raw ?? "");
  } catch {
    return undefined;
  }
}

function loopback(hostname: string): boolean {
  return hostname === "localhost" || hostname.endsWith(".localhost") || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
}

// webLink returns the address of a link in somebody's text, or undefined if it is not of the web.
export function webLink(raw: string): string | undefined {
  const url = parse(raw);
  return url && (url.protocol === "https:" || url.protocol === "http:") ? url.href : undefined;
}

// textLink is webLink for what models write, who may also name an address for mail.
export function textLink(raw: string): string | undefined {
  const url = parse(raw);
  return url?.protocol === "mailto:" ? url.href : webLink(raw);
}
