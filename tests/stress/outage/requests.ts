import { createHmac } from 'node:crypto';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { INLINE_CUTOFF_BYTES } from '@catalog/contract/limits';
import { bytesHash } from '@catalog/core/artifact/content-hash';
import { FormBrowser } from '@catalog/testkit/form-browser';
import { CALLBACK, SIGN_IN, TRANSACTION_COOKIE } from '@catalog/testkit/sign-in-place';
import type { RequestName } from './documented.ts';
import { ADMIN, LAYERS, type Place } from './place.ts';

export interface Answer {
  status: number;
  code: string | undefined;
  degraded: boolean;
  body: string;
}

/** Prepares a request and returns a function that sends it; only the request is timed. */
export type Prepare = (client: Client) => Promise<() => Promise<Answer>>;

export interface Clients {
  place: Place;
  next: () => number;
  acknowledged: Set<string>;
}

export interface Client extends Clients {
  /**
   * For requests while the issuer is unavailable. When it recovers, it accepts the sign-in of each
   * client once.
   */
  spare_return: SignInReturn;
}

export interface SignInReturn {
  path: string;
  cookie: string;
}

export const MAX_WAIT_MS = 90_000;

export const FIRST = { small: 'small/first', large: 'large/first', git: 'git/first' } as const;
const FIRST_LARGE = 'first\n'.repeat(INLINE_CUTOFF_BYTES / 4);

export async function publishFirst(place: Place): Promise<void> {
  writeArtifact(place.folders.small, FIRST.small);
  writeArtifact(place.folders.large, FIRST.large, FIRST_LARGE);
  place.repository.commit({ [`${FIRST.git}/ARTIFACT.md`]: manifestOf(FIRST.git) });
  for (const layer of Object.values(LAYERS)) {
    const { status, body } = await reingest(place, layer);
    if (status !== 200) throw new Error(`the first ingest of ${layer} failed: ${body}`);
  }
}

export const PREPARE: Readonly<Record<RequestName, Prepare>> = {
  load: get(() => `/v1/load_artifact?id=${FIRST.git}`),
  load_large: get(() => `/v1/load_artifact?id=${FIRST.large}`),
  object: get(() => `/objects/${bytesHash(FIRST_LARGE)}`),
  batch_load:
    async ({ place }) =>
    () =>
      send(place, '/v1/artifacts:batchLoad', { json: { ids: Object.values(FIRST) } }),
  session: get((number) => `/v1/load_artifact?id=${FIRST.small}&session_id=session-${number}`),
  search: get((number) => `/v1/search_artifacts?query=what+to+do+about+case+${number}`),
  domain: get(() => '/v1/load_domain?path=small'),
  manifest: get(() => '/v1/sync/manifest'),
  layers: get(() => '/v1/layers'),
  events: get(() => '/v1/events'),
  whoami: async ({ place, next }) => {
    const token = place.issuer.mint(`user-${next()}`, 'known');
    return () => send(place, '/v1/whoami', { token });
  },
  whoami_new_key: async ({ place, next }) => {
    const token = place.issuer.mint(`user-${next()}`, 'newest');
    return () => send(place, '/v1/whoami', { token });
  },
  sign_in: get(() => SIGN_IN),
  sign_in_return: async ({ place, spare_return }) => {
    const visited = place.issuer.isFailing() ? spare_return : visitIssuer(place);
    const { path, cookie } = await Promise.resolve(visited).catch(() => spare_return);
    return () => send(place, path, { token: '', headers: { cookie } });
  },
  ingest: async ({ place, next, acknowledged }) => {
    const id = `small/rule-${next()}`;
    writeArtifact(place.folders.small, id);
    return () => acknowledge(reingest(place, LAYERS.small), id, acknowledged);
  },
  ingest_large: async ({ place, next, acknowledged }) => {
    const id = `large/rule-${next()}`;
    writeArtifact(place.folders.large, id, `${id}\n`.repeat(INLINE_CUTOFF_BYTES / 8));
    return () => acknowledge(reingest(place, LAYERS.large), id, acknowledged);
  },
  ingest_git: async ({ place, next, acknowledged }) => {
    const id = `git/rule-${next()}`;
    place.repository.commit({ [`${id}/ARTIFACT.md`]: manifestOf(id) });
    return () => acknowledge(reingest(place, LAYERS.git), id, acknowledged);
  },
  webhook: async ({ place, next }) => {
    const { path, secret } = place.webhook;
    const body = JSON.stringify({ ref: 'refs/heads/main', delivery: next() });
    const signature = createHmac('sha256', secret).update(body).digest('hex');
    const headers = { 'x-hub-signature-256': `sha256=${signature}` };
    return () => send(place, path, { token: '', method: 'POST', body, headers });
  },
  update_layer:
    async ({ place, next }) =>
    () =>
      send(place, `/v1/layers/update?id=${LAYERS.small}`, {
        json: { users: [`user-${next()}`] },
      }),
  healthz: get(() => '/healthz'),
  readyz: get(() => '/readyz'),
  metrics:
    async ({ place }) =>
    () =>
      // The example configurations of the proxies do not forward this request.
      send({ ...place, proxy: undefined }, '/metrics'),
};

function get(pathOf: (number: number) => string): Prepare {
  return async ({ place, next }) =>
    () =>
      send(place, pathOf(next()));
}

interface Sent {
  method?: string;
  json?: object;
  body?: string;
  headers?: Readonly<Record<string, string>>;
  /** Token of the caller, by default the administrator's; empty for no token. */
  token?: string;
}

export async function send(
  { url, issuer, proxy, proxies }: Place,
  path: string,
  { json, body = json && JSON.stringify(json), method, headers, token }: Sent = {},
): Promise<Answer> {
  const origin = proxy === undefined ? url : proxies.urls.get(proxy);
  const bearer = token ?? issuer.mint(ADMIN, 'known');
  try {
    const response = await fetch(`${origin}${path}`, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      redirect: 'manual',
      signal: AbortSignal.timeout(MAX_WAIT_MS),
      headers: {
        ...(bearer === '' ? {} : { authorization: `Bearer ${bearer}` }),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
    });
    const { status } = response;
    if (path === '/v1/events' && status === 200) {
      await response.body?.cancel();
      return { status, code: undefined, degraded: false, body: '' };
    }
    const text = await response.text();
    return { status, ...readBody(text), body: text.slice(0, 300) };
  } catch (error) {
    return { status: 0, code: undefined, degraded: false, body: inspect(error, { depth: 1 }) };
  }
}

function readBody(text: string): { code: string | undefined; degraded: boolean } {
  let body: { code?: string; degraded?: unknown } = {};
  try {
    body = Object(JSON.parse(text));
  } catch {
    // The body is a large file or a page.
  }
  return { code: body.code, degraded: body.degraded === true };
}

function reingest(place: Place, layer: string): Promise<Answer> {
  return send(place, `/v1/layers/reingest?id=${layer}`, { method: 'POST' });
}

async function acknowledge(
  ingest: Promise<Answer>,
  id: string,
  acknowledged: Set<string>,
): Promise<Answer> {
  const answer = await ingest;
  if (answer.status === 200) acknowledged.add(id);
  return answer;
}

/** Signs in at the issuer, up to the redirect back to the registry. */
export async function visitIssuer({ url, issuer: { provider } }: Place): Promise<SignInReturn> {
  const callback = url + CALLBACK;
  const browser = new FormBrowser({ ca: provider.ca, stopsAt: (at) => at.startsWith(callback) });
  await browser.open(url + SIGN_IN);
  const page = await browser.submit(provider.credentialsOf(ADMIN));
  const sealed = browser.cookies.get(url)?.get(TRANSACTION_COOKIE) ?? '';
  return { path: page.url.slice(url.length), cookie: `${TRANSACTION_COOKIE}=${sealed}` };
}

/** Adds an artifact to a watched folder in one step. */
function writeArtifact(folder: string, id: string, large?: string): void {
  const name = id.slice(id.indexOf('/') + 1);
  const temporary = `${folder}.${name}`;
  mkdirSync(temporary);
  writeFileSync(join(temporary, 'ARTIFACT.md'), manifestOf(id));
  if (large !== undefined) writeFileSync(join(temporary, 'model.txt'), large);
  const domain = join(folder, id.slice(0, id.indexOf('/')));
  mkdirSync(domain, { recursive: true });
  renameSync(temporary, join(domain, name));
}

function manifestOf(id: string): string {
  return `---\ntype: rule\nversion: 1.0.0\ndescription: What to do about ${id}.\n---\nDo it.\n`;
}
