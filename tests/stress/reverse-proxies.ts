import { join } from 'node:path';
import { createCertificateAuthority } from '@catalog/testkit/certificate-authority';
import { startReverseProxy, type ReverseProxyName } from '@catalog/testkit/reverse-proxy';

/** nginx and Caddy, each in front of every process of a registry. */
export interface ReverseProxies {
  urls: ReadonlyMap<ReverseProxyName, string>;
  ca: string;
  close(): Promise<void>;
}

const NAMES: readonly ReverseProxyName[] = ['nginx', 'caddy'];

/** Starts the proxies with the examples of `deploy/proxy`. */
export async function startReverseProxies(
  folder: string,
  ports: readonly number[],
): Promise<ReverseProxies> {
  const authority = await createCertificateAuthority();
  const urls = new Map<ReverseProxyName, string>();
  const closing: (() => Promise<void>)[] = [];
  for (const name of NAMES) {
    const proxy = await startReverseProxy({ name, folder: join(folder, name), authority, ports });
    urls.set(name, proxy.url);
    closing.push(() => proxy.close());
  }
  return {
    urls,
    ca: authority.cert,
    async close() {
      for (const close of closing) await close();
    },
  };
}
