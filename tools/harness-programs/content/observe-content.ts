import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadAdapter } from '@catalog/harness/registry';
import type { Session } from '../program.ts';
import { offers, type RecordedRequest, type Step } from '../recorder.ts';
import { contentFixture, type Authored, type Facts } from './content-fixture.ts';
import type { ContentProgram } from './content-program.ts';
import { countTokens, type PromptTokens } from './count-tokens.ts';
import { startRemoteServer, type RemoteServer } from './remote-server.ts';

const MAIN = 'MAIN-TASK';
const AGENT = 'AGENT-TASK-';

const ENDINGS = ['exit-0', 'exit-2', 'exit-3', 'crash', 'hang'] as const;

/** Content of a context artifact, or a reference with which the model can find it. A list of files is neither. */
const CONTEXT_SIGNS = [
  contentFixture.context.body,
  contentFixture.context.description,
  'contexts/glossary/ARTIFACT.md',
];

export interface Observation {
  facts: Facts;
  tokens?: PromptTokens;
}

export async function observeContent(
  program: ContentProgram,
  profile: string,
  session: Session,
  part?: 'session' | 'commands',
): Promise<Observation> {
  if (part === 'commands') {
    program.prepareHome(session);
    return { facts: await commandFacts(program, session) };
  }
  const remote = await startRemoteServer();
  try {
    const observed = await observeSession(program, profile, session, remote);
    if (part === 'session') return observed;
    return { ...observed, facts: { ...observed.facts, ...(await commandFacts(program, session)) } };
  } finally {
    await remote.close();
  }
}

async function observeSession(
  program: ContentProgram,
  profile: string,
  session: Session,
  remote: RemoteServer,
): Promise<Observation> {
  const { workspace, recorder } = session;
  const done = join(workspace, 'done');
  mkdirSync(done, { recursive: true });
  program.prepareHome(session);
  program.project_tool?.write(session, projectFolder(done));
  recorder.play(stepsOf(program, profile, session, done));
  await program.prompt(session, `${MAIN}: look at @${contentFixture.file}`);
  const { requests } = recorder;
  const main = JSON.stringify(requests.findLast(({ body }) => isMain(body)) ?? {});
  const { name: shell } = program.shell('');
  const opening = requests.find(({ body }) => isMain(body) && offers(body, shell));
  const reader = JSON.stringify(requests.filter(({ body }) => isAgent('reader', body)));
  const offered = JSON.stringify(requests.filter(({ body }) => isMain(body)));
  const facts = {
    ...skillFacts(main),
    ...agentFacts(program, main, reader, done, session),
    ...ruleFacts(main),
    ...hookFacts(main, workspace, done),
    ...serverFacts(session, remote),
    ...(program.mcp && offeredFacts(offered)),
    'contexts/glossary: named to the model': yesOrNo(
      CONTEXT_SIGNS.some((sign) => main.includes(sign)),
    ),
    'commands/release: offered to the model': yesOrNo(
      main.includes(contentFixture.hidden_command.description),
    ),
  };
  return { facts, tokens: countTokens(opening?.body) };
}

function stepsOf(
  program: ContentProgram,
  profile: string,
  { workspace }: Session,
  done: string,
): Step[] {
  const skill = loadAdapter(profile, 'workspace')
    .skill_folders.map((folder) => join(workspace, folder, 'count'))
    .find((folder) => existsSync(folder));
  if (skill === undefined) throw new Error(`no folder of ${profile} has the skill`);
  const inMain = (call: Step): Step => ({
    ...call,
    fits: (body) => isMain(body) && offers(body, call.name),
  });
  const inAgent = (name: string, call: Step): Step => ({
    ...call,
    fits: (body) => isAgent(name, body),
  });
  return [
    ...ENDINGS.map((ending) => inMain(program.shell(`touch ${join(done, `gate-${ending}`)}`))),
    inMain(program.shell(`touch ${join(done, 'guard-selected')}`)),
    inMain(program.skill?.('count') ?? program.read(join(skill, 'SKILL.md'))),
    inMain(program.shell(`${skill}/scripts/count.sh ${contentFixture.file}`)),
    inMain(program.read(join(skill, 'references/format.md'))),
    inMain(program.read(join(workspace, contentFixture.file))),
    inAgent('reader', program.read(join(workspace, contentFixture.file))),
    ...Object.entries(ATTEMPTS).flatMap(([agent, attempts]) =>
      attempts
        .flatMap((attempt) =>
          attemptCalls[attempt](program, join(done, `${agent}-${attempt}`), agent),
        )
        .map((call) => inAgent(agent, call)),
    ),
    inAgent('caller', program.shell('sleep 3')),
    ...[...Object.keys(ATTEMPTS), 'caller'].flatMap(
      (name) => program.agent?.(name, `${AGENT}${name}`).map(inMain) ?? [],
    ),
  ];
}

type Attempt = 'write' | 'shell' | 'mcp' | 'project';

const ATTEMPTS: Readonly<Record<string, readonly Attempt[]>> = {
  reader: ['write', 'shell', 'mcp', 'project'],
  historian: ['shell'],
  clerk: ['shell', 'write'],
  planner: ['shell', 'write'],
  helper: ['project'],
};

function projectFolder(done: string): string {
  const folder = join(done, 'project');
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** A tool with write access creates the file. */
const attemptCalls: Readonly<
  Record<Attempt, (program: ContentProgram, file: string, agent: string) => readonly Step[]>
> = {
  write: (program, file) => [program.write(file)],
  shell: (program, file) => [program.shell(`touch ${file}`)],
  mcp: ({ mcp }) => (mcp === undefined ? [] : [mcp]),
  project: ({ project_tool }, _, agent) =>
    project_tool === undefined ? [] : [project_tool.call(agent)],
};

function isMain(body: unknown): boolean {
  return JSON.stringify(body ?? null).includes(MAIN);
}

function isAgent(name: string, body: unknown): boolean {
  return JSON.stringify(body ?? null).includes(`${AGENT}${name}`) && !isMain(body);
}

function skillFacts(main: string): Facts {
  const { skills } = contentFixture;
  return {
    ...describedFacts(main, skills),
    'skills/count: instructions': presence(main, skills[0]?.body),
    'skills/count: script': presence(main, 'COUNTED 2'),
    'skills/count: reference': presence(main, 'FORMAT-OF-QUESTIONS'),
  };
}

function agentFacts(
  program: ContentProgram,
  main: string,
  sent: string,
  done: string,
  { server }: Session,
): Facts {
  const { agents } = contentFixture;
  const reader = agents.find(({ id }) => id === 'agents/reader');
  const ran = (name: string): string => ranOrRefused(existsSync(join(done, name)));
  return {
    ...describedFacts(main, agents),
    'agents/reader: instructions': presence(sent, reader?.body),
    'agents/reader: reads a file': presence(sent, 'MAIN-FILE'),
    'agents/reader: writes a file': ran('reader-write'),
    'agents/reader: runs a shell command': ran('reader-shell'),
    'agents/reader: calls an MCP tool': ranOrRefused(server.calls() > 0),
    'agents/historian: runs another shell command': ran('historian-shell'),
    'agents/clerk: runs a shell command': ran('clerk-shell'),
    'agents/clerk: writes a file': ran('clerk-write'),
    'agents/planner: runs a shell command': ran('planner-shell'),
    'agents/planner: writes a file': ran('planner-write'),
    ...(program.project_tool && {
      'agents/helper: calls a tool of the project': ran('project/helper'),
      'agents/reader: calls a tool of the project': ran('project/reader'),
    }),
    'agents/caller: secret of its server': server.agentServerSecret() ?? 'not started',
  };
}

function describedFacts(request: string, artifacts: readonly Authored[]): Facts {
  const sent = request.replaceAll(String.raw`\n`, ' ');
  const names = artifacts.map(({ name }) => name);
  return Object.fromEntries(
    artifacts.map(({ id, name, description }) => {
      const at = sent.indexOf(description);
      const before = sent.slice(Math.max(0, at - 300), at);
      const [nearest] = names.toSorted((a, b) => lastWord(before, b) - lastWord(before, a));
      const fact = at === -1 ? 'missing' : nearest === name ? 'present' : `given to ${nearest}`;
      return [`${id}: description`, fact];
    }),
  );
}

function lastWord(text: string, word: string): number {
  return [...text.matchAll(new RegExp(`\\b${word}\\b`, 'g'))].at(-1)?.index ?? -1;
}

function ruleFacts(main: string): Facts {
  return Object.fromEntries(
    contentFixture.rules.map(({ id, body }) => [`${id}: times loaded`, timesOf(main, body)]),
  );
}

function timesOf(sent: string, text: string): string {
  return String(sent.split(text).length - 1);
}

function hookFacts(main: string, workspace: string, done: string): Facts {
  const runs = join(workspace, 'gate-runs.txt');
  return {
    'hooks/gate: times run': timesOf(
      existsSync(runs) ? readFileSync(runs, 'utf8') : '',
      'gate-exit-0',
    ),
    ...Object.fromEntries(
      ENDINGS.map((ending) => [
        `hooks/gate: ${ending}`,
        existsSync(join(done, `gate-${ending}`)) ? 'tool ran' : 'tool blocked',
      ]),
    ),
    'hooks/gate: reason': presence(main, 'GATE-EXIT-2'),
    'hooks/briefing: times in the prompt': timesOf(main, 'HOOK-BRIEFING'),
    'hooks/guard: tool it selects': existsSync(join(done, 'guard-selected'))
      ? 'tool ran'
      : 'tool blocked',
    'hooks/guard: runs for other tools': yesOrNo(
      linesOf(join(workspace, 'guard-runs.txt')).some((tool) => tool !== 'Bash'),
    ),
    'hooks/reminder: output after a tool': presence(main, 'HOOK-REMINDER'),
  };
}

function linesOf(file: string): string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
}

function serverFacts({ server }: Session, { headers }: RemoteServer): Facts {
  const [first] = headers;
  return {
    'servers/local: started with its arguments and secret': yesOrNo(server.receivedSecret()),
    'servers/remote: Authorization': first ? (first.authorization ?? 'missing') : 'not contacted',
    'servers/remote: X-Region': first ? String(first['x-region'] ?? 'missing') : 'not contacted',
  };
}

/** Servers may connect during the session, so all requests count. */
function offeredFacts(offered: string): Facts {
  const isOffered = (tool: string): string => yesOrNo(offered.includes(tool));
  return {
    'servers/narrow: offers an allowed tool': isOffered('narrow_look'),
    'servers/narrow: offers another tool': isOffered('narrow_erase'),
    'servers/trimmed: offers a denied tool': isOffered('trimmed_erase'),
    'servers/trimmed: offers another tool': isOffered('trimmed_look'),
  };
}

async function commandFacts(program: ContentProgram, session: Session): Promise<Facts> {
  if (program.command === undefined) return {};
  program.beforeCommands?.(session);
  const facts: [string, string][] = [];
  for (const { id, name, words, expanded } of contentFixture.commands) {
    const first = session.recorder.requests.length;
    if (program.loadCommand !== undefined) session.recorder.callOnce(program.loadCommand(name));
    await program.prompt(session, program.command(name, words));
    const sent: RecordedRequest[] = session.recorder.requests.slice(first);
    facts.push([`${id}: expanded`, presence(JSON.stringify(sent), expanded)]);
    if (name === 'greet') {
      facts.push([`${id}: price`, presence(JSON.stringify(sent), 'PRICE: $5.99 each.')]);
    }
  }
  return Object.fromEntries(facts);
}

function presence(sent: string, text: string | undefined): string {
  return text !== undefined && sent.includes(text) ? 'present' : 'missing';
}

function ranOrRefused(ran: boolean): string {
  return ran ? 'allowed' : 'refused';
}

function yesOrNo(value: boolean): string {
  return value ? 'yes' : 'no';
}
