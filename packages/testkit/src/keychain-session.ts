import { execFile, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { installKeyring } from '../../../tools/services/keyring.ts';
import { temporaryFolder } from './temporary-folder.ts';

const ROOT = join(import.meta.dirname, '../../..');

export interface KeychainEntry {
  label: string;
  value: string;
}

/** Keychain with its own bus, as in a desktop session. */
export interface KeychainSession {
  env: Record<string, string>;
  list(name: string): Promise<KeychainEntry[]>;
}

/** Script that starts the keychain, which reads its password from standard input and runs until that closes. */
const START =
  'printf "%s\\n" "$DBUS_SESSION_BUS_ADDRESS"; printf password | "$0" --unlock --components=secrets --foreground & read -r _; kill $!';

/** Script that lists entries in a child process, because this process is not in the session. */
const LIST =
  "import('@napi-rs/keyring').then((k) => console.log(JSON.stringify(k.findCredentials(process.argv[1]))))";

export async function startKeychain(): Promise<KeychainSession> {
  const { daemon, bus, env } = await installKeyring();
  const folder = temporaryFolder('catalog-keychain-');
  const runtime = join(folder, 'run');
  mkdirSync(runtime, { mode: 0o700 });
  const child = spawn(bus, ['--', 'sh', '-c', START, daemon], {
    env: { ...process.env, ...env, HOME: folder, XDG_DATA_HOME: folder, XDG_RUNTIME_DIR: runtime },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  onTestFinished(async () => {
    const ended = new Promise((resolve) => {
      child.once('close', resolve);
    });
    child.stdin.end('\n');
    await ended;
  });
  const address = await firstLine(child.stdout);
  const session = { DBUS_SESSION_BUS_ADDRESS: address };
  async function list(name: string): Promise<KeychainEntry[]> {
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', LIST, name], {
      cwd: ROOT,
      env: { ...process.env, ...session },
    });
    const found: { account: string; password: string }[] = JSON.parse(stdout);
    return found
      .map(({ account, password }) => ({ label: account, value: password }))
      .toSorted((a, b) => (a.label < b.label ? -1 : 1));
  }
  await untilUnlocked(() => list('catalog'));
  return { env: session, list };
}

/** Waits for the keychain, which is available shortly after its bus. */
async function untilUnlocked(readKeychain: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; attempt < 100; attempt += 1) {
    if (await readKeychain().then(Boolean, () => false)) return;
    await setTimeout(50);
  }
  throw new Error('the keychain does not answer');
}

async function firstLine(stream: AsyncIterable<Buffer>): Promise<string> {
  let text = '';
  for await (const chunk of stream) {
    text += chunk.toString();
    if (text.includes('\n')) break;
  }
  return text.split('\n', 1)[0] ?? '';
}
