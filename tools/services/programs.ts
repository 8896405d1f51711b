import { installChromium } from './chromium.ts';
import { installDex } from './dex-program.ts';
import { goProgramNames, installTool } from './go-programs.ts';
import { installKeyring } from './keyring.ts';
import { installCaddy, installNginx } from './reverse-proxies.ts';
import { installTmux } from './tmux.ts';

const programs: Readonly<Record<string, () => Promise<string>>> = {
  ...Object.fromEntries(goProgramNames.map((name) => [name, () => installTool(name)])),
  dex: async () => (await installDex()).program,
  chromium: async () => (await installChromium()).program,
  keyring: async () => {
    const { daemon, bus } = await installKeyring();
    return `${daemon}\t${bus}`;
  },
  tmux: async () => (await installTmux()).program,
  nginx: async () => (await installNginx()).program,
  caddy: async () => (await installCaddy()).program,
};

export const programNames = Object.keys(programs);

export function isProgramName(name: string): boolean {
  return Object.hasOwn(programs, name);
}

/** Returns paths separated by tabs. */
export async function installProgram(name: string): Promise<string> {
  const install = programs[name];
  if (install === undefined) throw new RangeError(`no program "${name}"`);
  return install();
}
