import { spawn } from 'node:child_process';
import type { Session } from '../../command/session.ts';

/**
 * Shows an address in the person's browser, if there is one to show it in. Nobody waits for it and
 * nothing fails for it: the address is on the screen as well.
 */
export function openBrowser(address: string, { env }: Session): void {
  const [program = '', ...words] = browserCommand(env);
  if (program === '') return;
  // What is meant for this program, tokens above all, is none of a browser's business.
  const own = Object.entries(env).filter(([name]) => !name.startsWith('CATALOG_'));
  spawn(program, [...words, address], {
    env: Object.fromEntries(own),
    stdio: 'ignore',
    detached: true,
  })
    .once('error', () => undefined)
    .unref();
}

/** No shell reads the address. Without a screen, `xdg-open` would start a browser in this terminal. */
function browserCommand(env: Session['env']): string[] {
  if (isSet(env['CATALOG_NO_BROWSER'])) return [];
  if (process.platform === 'darwin') return ['open'];
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return isSet(env['DISPLAY']) || isSet(env['WAYLAND_DISPLAY']) ? ['xdg-open'] : [];
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '';
}
