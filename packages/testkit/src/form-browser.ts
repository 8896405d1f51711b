import type { IncomingHttpHeaders } from 'node:http';
import { exchange } from './http-exchange.ts';

export interface Page {
  url: string;
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** URLs of the redirects and of this page. */
  visited: readonly string[];
}

export interface FormBrowserOptions {
  ca: string;
  /** Called before each request; returns true to stop before this URL. */
  stopsAt?: (url: string) => boolean;
}

const MAX_REDIRECTS = 20;

/** Browser without scripts for sign-in flows, whose cookies a test can inspect and change. */
export class FormBrowser {
  /** Cookies by origin and name. */
  readonly cookies = new Map<string, Map<string, string>>();
  readonly #options: FormBrowserOptions;
  #page: Page | undefined;

  constructor(options: FormBrowserOptions) {
    this.#options = options;
  }

  async open(url: string): Promise<Page> {
    return this.#go(url, undefined);
  }

  async submit(fields: Readonly<Record<string, string>> = {}): Promise<Page> {
    const page = this.#page;
    const form = /<form\b([^>]*)>([\s\S]*?)<\/form>/i.exec(page?.text ?? '');
    if (page === undefined || form === null) {
      throw new Error(`no form at ${page?.url} (${page?.status}): ${page?.text.slice(0, 500)}`);
    }
    const [, attributes = '', inside = ''] = form;
    const values = new URLSearchParams();
    for (const [, input = ''] of inside.matchAll(/<(?:input|button)\b([^>]*)>/gi)) {
      const name = attributeOf(input, 'name');
      if (name !== undefined) values.set(name, attributeOf(input, 'value') ?? '');
    }
    for (const [name, value] of Object.entries(fields)) values.set(name, value);
    const action = attributeOf(attributes, 'action') ?? page.url;
    return this.#go(new URL(action, page.url).href, values.toString());
  }

  async follow(ending: string): Promise<Page> {
    const links = [...(this.#page?.text ?? '').matchAll(/<a\b([^>]*)>/gi)];
    const addresses = links.map(([, link = '']) => attributeOf(link, 'href') ?? '');
    const found = addresses.find((address) => address.endsWith(ending));
    if (found === undefined) throw new Error(`no link to ${ending} at ${this.#page?.url}`);
    return this.#go(new URL(found, this.#page?.url).href, undefined);
  }

  async #go(first: string, form: string | undefined): Promise<Page> {
    const visited: string[] = [];
    let url = first;
    let body = form;
    for (let step = 0; step < MAX_REDIRECTS; step += 1) {
      visited.push(url);
      if (this.#options.stopsAt?.(url) === true) {
        return { url, status: 0, headers: {}, text: '', visited };
      }
      const { status, headers, raw } = await this.#send(url, body);
      this.#keep(new URL(url).origin, headers['set-cookie'] ?? []);
      const location = status >= 300 && status < 400 ? headers.location : undefined;
      if (location === undefined) {
        this.#page = { url, status, headers, text: raw.toString(), visited };
        return this.#page;
      }
      url = new URL(location, url).href;
      body = undefined;
    }
    throw new Error(`redirected without end: ${visited.join(' ')}`);
  }

  #send(url: string, body: string | undefined): ReturnType<typeof exchange> {
    const { origin, pathname, search } = new URL(url);
    const cookies = [...(this.cookies.get(origin) ?? [])].map((pair) => pair.join('='));
    return exchange(origin, `${pathname}${search}`, {
      method: body === undefined ? 'GET' : 'POST',
      ca: this.#options.ca,
      body,
      headers: {
        accept: 'text/html',
        ...(cookies.length > 0 && { cookie: cookies.join('; ') }),
        ...(body !== undefined && { 'content-type': 'application/x-www-form-urlencoded', origin }),
      },
    });
  }

  #keep(origin: string, lines: readonly string[]): void {
    const jar = this.cookies.get(origin) ?? new Map<string, string>();
    this.cookies.set(origin, jar);
    for (const line of lines) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (isGone(line)) jar.delete(name);
      else jar.set(name, value);
    }
  }
}

function isGone(line: string): boolean {
  const expires = /;\s*expires=([^;]+)/i.exec(line)?.[1];
  return /;\s*max-age=0\b/i.test(line) || (expires !== undefined && Date.parse(expires) < 1e12);
}

function attributeOf(tag: string, name: string): string | undefined {
  const value = new RegExp(`\\b${name}="([^"]*)"`, 'i').exec(tag)?.[1];
  return value?.replaceAll('&amp;', '&').replaceAll('&#43;', '+').replaceAll('&#34;', '"');
}
