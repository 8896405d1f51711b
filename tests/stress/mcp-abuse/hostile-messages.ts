import { MODERN_META, request, type ProtocolRevision } from '../../../bench/mcp/requests.ts';
import type { SeededRandom } from '../../../tools/seeded-random.ts';

export interface HostileMessage {
  bytes: Buffer;
  /** Ids that may get one response each because of this message. */
  answerable: (string | number)[];
}

/** Longer than the maximum message size. */
const OVERLONG = 17_000_000;

const METHODS = [
  'tools/call',
  'tools/list',
  'initialize',
  'server/discover',
  'ping',
  'prompts/list',
  'resources/read',
  'subscriptions/listen',
  'logging/setLevel',
  'completion/complete',
  '__proto__',
  'constructor',
  '',
  'tools/call\u0000',
];
const TOOLS = ['load_domain', 'search_domains', 'search_artifacts', 'load_artifact', 'toString'];
const VALUES: unknown[] = [
  null,
  true,
  -1,
  1e308,
  '',
  'x',
  '\uD800',
  [],
  {},
  [[[[]]]],
  { __proto__: null, constructor: 1 },
  '../../etc/passwd',
  'a'.repeat(5_000),
];

/**
 * Generates unlimited messages: huge, truncated, with wrong types, with duplicate or canceled ids,
 * and mixtures.
 */
export function hostileMessages(
  revision: ProtocolRevision,
  random: SeededRandom,
): () => HostileMessage {
  let last = 0;
  const used: (string | number)[] = [0];

  function newId(): string | number {
    last += 1;
    const id = random.int(3) === 0 ? `id-${last}` : last;
    used.push(id);
    if (used.length > 50) used.shift();
    return id;
  }
  const value = (): unknown => random.pick(VALUES);
  const text = (message: unknown): Buffer => Buffer.from(`${JSON.stringify(message)}\n`);
  const withoutResponse = (bytes: Buffer): HostileMessage => ({ bytes, answerable: [] });

  function call(id: string | number): object {
    const name = random.pick(TOOLS);
    const keys = random.shuffle([
      'query',
      'id',
      'path',
      'top_k',
      'tags',
      'destination',
      '__proto__',
    ]);
    const args = Object.fromEntries(keys.slice(0, random.int(4)).map((key) => [key, value()]));
    return request(revision, id, 'tools/call', { name, arguments: args });
  }

  const kinds: (() => HostileMessage)[] = [
    () => {
      const id = newId();
      return { bytes: text(call(id)), answerable: [id] };
    },
    () => {
      const id = random.pick(used);
      return { bytes: text(call(id)), answerable: [id] };
    },
    () => {
      const id = newId();
      const cancelled = {
        jsonrpc: '2.0',
        method: 'notifications/cancelled',
        params: { requestId: id },
      };
      return { bytes: Buffer.concat([text(call(id)), text(cancelled)]), answerable: [id] };
    },
    () => {
      const id = newId();
      const params = random.int(2) === 0 ? value() : { ...METAS[random.int(METAS.length)] };
      return {
        bytes: text({ jsonrpc: '2.0', id, method: random.pick(METHODS), params }),
        answerable: [id],
      };
    },
    () => {
      const id = newId();
      const member = random.pick(['jsonrpc', 'method', 'params']);
      return { bytes: text({ ...call(id), [member]: value() }), answerable: [id] };
    },
    () => withoutResponse(text({ ...call(0), id: random.pick([null, {}, [], true, 1.5]) })),
    () => withoutResponse(text({ jsonrpc: '2.0', method: random.pick(METHODS), params: value() })),
    () => withoutResponse(text({ jsonrpc: '2.0', id: random.pick(used), result: value() })),
    () => withoutResponse(text({ jsonrpc: '2.0', id: random.pick(used), error: value() })),
    () => {
      const ids = [newId(), newId()];
      return { bytes: text([...ids.map(call), value(), []]), answerable: ids };
    },
    () => {
      const whole = text(call(newId()));
      const cut = whole.subarray(0, 1 + random.int(whole.length - 3));
      return withoutResponse(Buffer.concat([cut, Buffer.from('\n')]));
    },
    () => {
      const bytes = Buffer.from(Array.from({ length: 1 + random.int(200) }, () => random.int(256)));
      return withoutResponse(
        Buffer.concat([bytes.filter((byte) => byte !== 0x0a), Buffer.from('\n')]),
      );
    },
    () =>
      withoutResponse(Buffer.from('{"jsonrpc":"2.0","id":"\xC3\x28","method":"ping"}\n', 'latin1')),
    () => withoutResponse(Buffer.from(`${'['.repeat(5_000 + random.int(50_000))}\n`)),
    () =>
      withoutResponse(
        Buffer.from(random.pick(['\n', '\r\n', ' \n', '\0\n', 'null\n', '"\\ud800"\n'])),
      ),
  ];

  return () => {
    if (random.int(500) > 0) return random.pick(kinds)();
    const id = newId();
    return { bytes: text({ ...call(id), x: 'y'.repeat(OVERLONG) }), answerable: [id] };
  };
}

const METAS: object[] = [
  { _meta: MODERN_META },
  { _meta: { ...MODERN_META, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' } },
  { _meta: { ...MODERN_META, 'io.modelcontextprotocol/clientCapabilities': 7 } },
  { _meta: null },
  { _meta: { progressToken: {} } },
  { protocolVersion: '2024-11-05', capabilities: {}, clientInfo: {} },
  { protocolVersion: 7 },
  { notifications: { toolsListChanged: true } },
];
