import { domainToASCII } from 'node:url';
import { seededRandom, type SeededRandom } from '../../../tools/seeded-random.ts';
import { drawIn, drawPublic, drawSpecial } from './addresses.ts';
import { spellAddress, spellName } from './spell-host.ts';

/** The zone of the test's name server; the certificate of the listeners is valid for it. */
export const ZONE = 'ssrf.example';
/** Ports with a listener on every address. */
export const PORTS: readonly number[] = [443, 8443, 80, 22, 6379, 9200];

export type Proxy =
  | 'none'
  /** Connects to addresses and to names, which it resolves itself. */
  | 'open'
  /** Connects to names. Responds with 403 if the client names an IP address. */
  | 'names_only'
  /** Connects to names. Responds with 502 if the client names an IP address. */
  | 'broken';

export interface NameScript {
  name: string;
  /** Results of the first lookup, the second, and so on; the last one repeats. */
  answers: string[][];
  alias: boolean;
}

export interface Step {
  action: 'check' | 'send';
  url: string;
  host: string;
  port: number;
  is_valid: boolean;
  response: { status: number; location: string; keep: boolean };
}

export interface History {
  allowed_targets: string[];
  proxy: Proxy;
  names: NameScript[];
  steps: Step[];
}

const NETWORKS = [
  '10.0.0.0/8',
  '192.168.7.0/24',
  '127.0.0.0/8',
  '169.254.169.254',
  'fd00::/8',
  '64:ff9b::/96',
];
const HOSTS = [`hooks.${ZONE}`, `*.lab.${ZONE}`, `hooks.${ZONE}:8443`];

export function drawHistory(seed: string): History {
  const random = seededRandom(seed);
  const allowed_targets =
    random.next() < 0.5 ? [] : random.shuffle([...NETWORKS, ...HOSTS]).slice(0, 1 + random.int(3));
  const proxy: Proxy = random.next() < 0.6 ? 'none' : random.pick(['open', 'names_only', 'broken']);
  const names: NameScript[] = [];
  const steps: Step[] = [];
  const count = 1 + random.int(4);
  while (steps.length < count) {
    const target = drawTarget(random, allowed_targets);
    if (target.script !== undefined && !names.some(({ name }) => name === target.host)) {
      names.push(target.script);
    }
    // Repeats the target, possibly on a kept connection, after its name has changed.
    const times = random.next() < 0.4 ? 2 + random.int(2) : 1;
    for (let time = 0; time < times; time += 1) steps.push(drawStep(random, target));
  }
  return { allowed_targets, proxy, names, steps };
}

interface Target {
  host: string;
  spelled: string;
  is_valid: boolean;
  script?: NameScript;
}

function drawTarget(random: SeededRandom, allowed_targets: readonly string[]): Target {
  const kind = random.next();
  if (kind < 0.4) {
    const host = drawAddress(random, allowed_targets);
    return { host, spelled: spellAddress(random, host), is_valid: true };
  }
  if (kind < 0.45) {
    const spelled = random.pick(['[fe80::1%25lo]', '[::1%lo]', '[::1', '1.2.3.4.5', '256.1.1.1']);
    return { host: spelled, spelled, is_valid: false };
  }
  if (kind < 0.52) {
    const host = random.pick(['localhost', 'LocalHost', 'localhost.', 'ip6-localhost']);
    return { host: host.toLowerCase(), spelled: host, is_valid: true };
  }
  const label = drawLabel(random, allowed_targets);
  const name = domainToASCII(`${label}.${ZONE}`);
  const script = {
    name,
    answers: drawAnswers(random, allowed_targets),
    alias: random.next() < 0.2,
  };
  return { host: name, spelled: spellName(random, `${label}.${ZONE}`), is_valid: true, script };
}

const NEAR_LISTED = ['hooks', 'evilhooks', 'a.hooks', 'a.lab', 'lab', 'evillab'];

function drawLabel(random: SeededRandom, allowed_targets: readonly string[]): string {
  const number = random.int(100_000);
  if (allowed_targets.some((target) => HOSTS.includes(target)) && random.next() < 0.7) {
    return random.pick(NEAR_LISTED);
  }
  return random.pick([
    `n${number}`,
    'hooks',
    `127.0.0.1.n${number}`,
    `bücher${number}`,
    `мир${number}`,
    'metadata.google.internal',
  ]);
}

function drawAnswers(random: SeededRandom, allowed_targets: readonly string[]): string[][] {
  const some = (): string[] =>
    Array.from({ length: 1 + random.int(4) }, () => drawAddress(random, allowed_targets));
  return random.pick([
    () => [[drawPublic(random)]],
    () => [[drawPublic(random), drawPublic(random)]],
    () => [[drawSpecial(random)]],
    () => [some()],
    () => [
      random.shuffle([
        ...Array.from({ length: 10 }, () => drawPublic(random)),
        drawSpecial(random),
      ]),
    ],
    () => [[drawPublic(random)], [drawSpecial(random)]],
    () => [
      [drawPublic(random)],
      [drawSpecial(random)],
      [drawPublic(random)],
      [drawSpecial(random)],
    ],
    () => [[drawSpecial(random)], [drawPublic(random)]],
    () => [[drawPublic(random)], []],
    () => [[]],
    () => [[], [drawSpecial(random)]],
  ])();
}

function drawAddress(random: SeededRandom, allowed_targets: readonly string[]): string {
  const networks = allowed_targets.filter((target) => NETWORKS.includes(target));
  if (networks.length > 0 && random.next() < 0.3) return drawIn(random, random.pick(networks));
  return random.next() < 0.35 ? drawPublic(random) : drawSpecial(random);
}

function drawStep(random: SeededRandom, { host, spelled, is_valid }: Target): Step {
  const port = random.next() < 0.6 ? 443 : random.pick(PORTS);
  const scheme = random.next() < 0.92 ? 'https' : random.pick(['http', 'ftp', 'wss', 'HTTP']);
  const user = random.next() < 0.95 ? '' : random.pick(['ann@', 'ann:secret@', ':x@', '1.1.1.1@']);
  const slashes = random.next() < 0.9 ? '//' : random.pick(['/', '\\\\', '////', '\t//']);
  const written = port === 443 && random.next() < 0.7 ? '' : `:${port}`;
  const path = random.pick(['/', '/hook?a=1', '', '/@1.1.1.1/', '/#@1.1.1.1', '/..%2f']);
  const redirects = random.next() < 0.3;
  return {
    action: random.next() < 0.2 ? 'check' : 'send',
    url: `${scheme}:${slashes}${user}${spelled}${written}${path}`,
    host,
    port,
    is_valid: is_valid && scheme === 'https' && user === '',
    response: {
      status: redirects ? random.pick([301, 302, 303, 307, 308]) : 200,
      location: redirects ? `https://${spellAddress(random, drawSpecial(random))}/` : '',
      keep: random.next() < 0.5,
    },
  };
}
