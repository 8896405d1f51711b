import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { freePort } from '../../../tools/services/free-port.ts';
import {
  installCaddy,
  installNginx,
  type ReverseProxyProgram,
} from '../../../tools/services/reverse-proxies.ts';
import { runProgram } from '../../../tools/services/run-program.ts';
import type { CertificateAuthority } from './certificate-authority.ts';

export type ReverseProxyName = 'nginx' | 'caddy';

export interface ReverseProxy {
  url: string;
  close(): Promise<void>;
}

export interface ReverseProxyOptions {
  name: ReverseProxyName;
  folder: string;
  authority: CertificateAuthority;
  ports: readonly number[];
}

interface Prepared extends ReverseProxyProgram {
  check: string[];
  run: string[];
  port: number;
}

const EXAMPLES = join(import.meta.dirname, '../../../deploy/proxy');
const START_MS = 20_000;

/** Checks a configuration with the proxy's own parser. */
export async function checkReverseProxy(options: ReverseProxyOptions): Promise<void> {
  const { program, env, check } = await prepare(options);
  await runProgram(program, check, { env: { ...env, HOME: options.folder } });
}

export async function startReverseProxy(options: ReverseProxyOptions): Promise<ReverseProxy> {
  const { program, env, run, port } = await prepare(options);
  const child = spawn(program, run, {
    env: { ...process.env, ...env, HOME: options.folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const ended = once(child, 'close');
  for (const latest = performance.now() + START_MS; !(await accepts(port));) {
    if (child.exitCode !== null || performance.now() > latest) {
      child.kill('SIGKILL');
      throw new Error(`${options.name} does not listen on ${port}:\n${errors}`);
    }
    await setTimeout(50);
  }
  return {
    url: `https://127.0.0.1:${port}`,
    async close() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function prepare(options: ReverseProxyOptions): Promise<Prepared> {
  mkdirSync(options.folder, { recursive: true });
  const port = await freePort();
  const { cert_file, key_file } = await options.authority.issueFiles(options.folder, 'proxy');
  const example = { ...options, port, cert_file, key_file };
  return options.name === 'nginx' ? prepareNginx(example) : prepareCaddy(example);
}

type Example = ReverseProxyOptions & { port: number; cert_file: string; key_file: string };

async function prepareNginx({
  folder,
  ports,
  port,
  cert_file,
  key_file,
}: Example): Promise<Prepared> {
  const text = adapt(readFileSync(join(EXAMPLES, 'nginx.conf'), 'utf8'), [
    [
      /( +server 127\.0\.0\.1:)\d+(.*\n)( +server .*\n)*/,
      (_, start, end) => ports.map((one) => `${start}${one}${end}`).join(''),
    ],
    [/listen 443 /, () => `listen 127.0.0.1:${port} `],
    [/\/etc\/ssl\/catalog\.pem/, () => cert_file],
    [/\/etc\/ssl\/catalog\.key/, () => key_file],
  ]);
  writeFileSync(join(folder, 'catalog.conf'), text);
  const config = join(folder, 'nginx.conf');
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  );
  writeFileSync(
    config,
    `daemon off; worker_processes 1; pid ${folder}/pid; events {}\n` +
      `http { access_log off; ${places.join(' ')} include ${folder}/catalog.conf; }\n`,
  );
  const words = ['-p', folder, '-e', 'stderr', '-c', config];
  return { ...(await installNginx()), check: ['-t', ...words], run: words, port };
}

async function prepareCaddy({
  folder,
  ports,
  port,
  cert_file,
  key_file,
}: Example): Promise<Prepared> {
  const text = adapt(readFileSync(join(EXAMPLES, 'Caddyfile'), 'utf8'), [
    [
      /^catalog\.example\.com \{/m,
      () => `https://127.0.0.1:${port} {\n\tbind 127.0.0.1\n\ttls ${cert_file} ${key_file}`,
    ],
    [
      /reverse_proxy .* \{/,
      () => `reverse_proxy ${ports.map((one) => `127.0.0.1:${one}`).join(' ')} {`,
    ],
  ]);
  const config = join(folder, 'Caddyfile');
  writeFileSync(
    config,
    `{\n\tadmin off\n\tauto_https disable_redirects\n\tstorage file_system ${folder}\n}\n${text}`,
  );
  const words = ['--config', config, '--adapter', 'caddyfile'];
  return {
    ...(await installCaddy()),
    check: ['validate', ...words],
    run: ['run', ...words],
    port,
  };
}

/** Replaces the values that an operator would replace. Each pattern must occur in the example. */
function adapt(
  text: string,
  changes: readonly [RegExp, (...groups: string[]) => string][],
): string {
  return changes.reduce((result, [pattern, replace]) => {
    if (!pattern.test(result)) throw new Error(`The example has no ${pattern}.`);
    return result.replace(pattern, (...groups) => replace(...groups.map(String)));
  }, text);
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
