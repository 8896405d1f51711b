export interface Toxic {
  type: 'latency' | 'bandwidth' | 'reset_peer' | 'limit_data' | 'timeout';
  stream: 'upstream' | 'downstream';
  attributes: Readonly<Record<string, number>>;
}

export interface ToxicProxy {
  url: string;
  /** Turns the proxy on or off. While it is off, there are no connections. */
  setEnabled(on: boolean): Promise<void>;
  setToxics(toxics: readonly Toxic[]): Promise<void>;
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
  let toxic_count = 0;

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
    // The listener is included, so that the proxy returns to the same port.
    setEnabled: async (enabled) =>
      void (await send('POST', `/proxies/${name}`, { listen, enabled })),
    async setToxics(toxics) {
      for (; toxic_count > 0; toxic_count -= 1) {
        await send('DELETE', `/proxies/${name}/toxics/toxic${toxic_count}`);
      }
      for (const toxic of toxics) {
        toxic_count += 1;
        await send('POST', `/proxies/${name}/toxics`, { name: `toxic${toxic_count}`, ...toxic });
      }
    },
  };
}
