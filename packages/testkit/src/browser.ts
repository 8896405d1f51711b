import { createHash, X509Certificate } from 'node:crypto';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { installChromium } from '../../../tools/services/chromium.ts';
import { recordEntryPoint } from './entry-points.ts';

export interface TestBrowserOptions {
  /** Another certificate authority to trust, in PEM. */
  ca?: string;
  /** True if the caller closes the browser; otherwise the end of the test does. */
  keep?: true;
}

export interface TestBrowser {
  /** Opens a page without cookies or storage. */
  newPage(options?: BrowserContextOptions): Promise<Page>;
  close(): Promise<void>;
}

/** Flags that disable background requests of the browser. */
const FLAGS = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export async function startBrowser({ ca, keep }: TestBrowserOptions): Promise<TestBrowser> {
  const { program, env } = await installChromium();
  const { chromium } = await import('playwright-core');
  const browser: Browser = await chromium.launch({
    executablePath: program,
    env: { ...definedEnvironment(), ...env },
    chromiumSandbox: false,
    args: [
      ...FLAGS,
      ...(ca === undefined ? [] : [`--ignore-certificate-errors-spki-list=${fingerprint(ca)}`]),
    ],
  });
  const contexts: BrowserContext[] = [];

  async function close(): Promise<void> {
    await Promise.all(contexts.map((context) => context.close()));
    await browser.close();
  }

  if (keep !== true) onTestFinished(close);
  return {
    async newPage(options = {}) {
      recordEntryPoint('http');
      const context = await browser.newContext(options);
      contexts.push(context);
      return context.newPage();
    },
    close,
  };
}

/** Returns the fingerprint with which a browser trusts a certificate. */
function fingerprint(pem: string): string {
  const key = new X509Certificate(pem).publicKey.export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(key).digest('base64');
}

function definedEnvironment(): Record<string, string> {
  const entries = Object.entries(process.env);
  return Object.fromEntries(entries.flatMap(([name, value]) => (value ? [[name, value]] : [])));
}
