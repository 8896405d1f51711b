import { spawn } from 'node:child_process';
import type { Session } from '../../command/session.ts';

/** Opens the browser. Failures are ignored, because the URL is also printed. */
export function openBrowser(address: string, { env }: Session): void {
  const [program = '', ...words] = browserCommand(env);
  if (program === '') return;
  // The browser must not receive tokens in environment variables of catalog.
  const own = Object.entries(env).filter(([name]) => !name.startsWith('CATALOG_'));
  spawn(program, [...words, address], {
    env: Object.fromEntries(own),
    stdio: 'ignore',
    detached: true,
  })
    .once('error', () => undefined)
    .unref();
}

/**
 * Returns the command that opens a URL without a shell. Without a display, `xdg-open` would start a browser in this
 * terminal.
 */
function browserCommand(env: Session['env']): string[] {
  if (isSet(env['CATALOG_NO_BROWSER'])) return [];
  if (process.platform === 'darwin') return ['open'];
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return isSet(env['DISPLAY']) || isSet(env['WAYLAND_DISPLAY']) ? ['xdg-open'] : [];
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '';
}
