/** A fault that toxiproxy applies to the bytes of a connection. */
export interface Toxic {
  type: 'latency' | 'bandwidth' | 'reset_peer' | 'limit_data' | 'timeout';
  stream: 'upstream' | 'downstream';
  attributes: Readonly<Record<string, number>>;
}

/** One proxy of a toxiproxy server. */
export interface ToxicProxy {
  url: string;
  /** While it is off, connections are refused, and open ones are closed. */
  turn(on: boolean): Promise<void>;
  /** Replaces the toxics. */
  poison(toxics: readonly Toxic[]): Promise<void>;
}

export async function openToxicProxy(
  server: string,
  upstream: string,
  name: string,
): Promise<ToxicProxy> {
  const { listen } = await send('POST', '/proxies', {
    name,
    listen: '127.0.0.1:0',
    upstream: new URL(upstream).host,
    enabled: true,
  });
  let poisoned = 0;

  async function send(method: string, path: string, body?: unknown): Promise<{ listen?: string }> {
    const answer = await fetch(server + path, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`toxiproxy: ${method} ${path} responded with ${text}`);
    return text === '' ? {} : JSON.parse(text);
  }

  return {
    url: `http://${listen ?? ''}`,
    // With the listener, so that the proxy returns to the same port.
    turn: async (enabled) => void (await send('POST', `/proxies/${name}`, { listen, enabled })),
    async poison(toxics) {
      for (; poisoned > 0; poisoned -= 1) {
        await send('DELETE', `/proxies/${name}/toxics/toxic${poisoned}`);
      }
      for (const toxic of toxics) {
        poisoned += 1;
        await send('POST', `/proxies/${name}/toxics`, { name: `toxic${poisoned}`, ...toxic });
      }
    },
  };
}
