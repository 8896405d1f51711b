import { createServer } from 'node:http';
import { once } from 'node:events';
import { startBrowser, type TestBrowser } from '@catalog/testkit/browser';
import { createCertificateAuthority } from '@catalog/testkit/certificate-authority';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import type { Page } from 'playwright-core';
import { RECORD_VIOLATIONS } from './inspect-page.ts';
import { TRACE, type Target } from './payloads.ts';

/** Includes a listener that no request may reach. Histories share the place sequentially. */
export interface Place {
  server: RegistryServer;
  target: Target;
  page: Page;
  /** Returns and clears requests to other origins, requests to the listener, and prompts. */
  takeRecorded(): string[];
  close(): Promise<void>;
}

export const LAYER = 'hostile';

export async function openPlace(): Promise<Place> {
  const server = await startRegistry({
    keep: true,
    settings: { 'web_ui.enabled': true, 'tenant.expose_scope_preview': true },
  });
  let recorded: string[] = [];
  const listener = createServer(({ url = '' }, response) => {
    recorded.push(`the listener received ${url}`);
    response.setHeader('access-control-allow-origin', '*').end('x');
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const { cert } = await createCertificateAuthority();
  const browser: TestBrowser = await startBrowser({ ca: cert, keep: true });
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.addInitScript(RECORD_VIOLATIONS);
  page.on('dialog', (dialog) => {
    recorded.push(`a ${dialog.type()} opened`);
    void dialog.dismiss();
  });
  page.on('popup', () => recorded.push('a window opened'));
  page.on('pageerror', (error) => recorded.push(`error in the page: ${error.message}`));
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${server.url}/`) && !url.startsWith(`blob:${server.url}/`)) {
      recorded.push(`request to ${url}`);
    }
  });
  return {
    server,
    page,
    target: { run: `window.${TRACE}=1`, out: `http://127.0.0.1:${port}` },
    takeRecorded() {
      const taken = recorded;
      recorded = [];
      return taken;
    },
    async close() {
      listener.close();
      await browser.close();
      await server.close();
    },
  };
}
