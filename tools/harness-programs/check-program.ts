import { provideDemoServer } from './demo-server.ts';
import { CONNECTED, isLoaded } from './expected.ts';
import { everything, small, type Fixture } from './fixtures.ts';
import {
  kinds,
  type Observation,
  type HarnessProgram,
  type InstalledProgram,
  type Kind,
  type Loaded,
} from './program.ts';
import { startRecorder } from './recorder.ts';
import { SEALED_PATH } from './run-sealed.ts';
import { probesFor, writeProbes } from './skill-probes.ts';
import {
  breakCatalogEntry,
  makeMarketplace,
  createWorkspaceWithMcpEntry,
  makeWorkspace,
  makeWorkspaceWithHome,
  newFolder,
} from './workspace.ts';

export interface Verdict {
  program: string;
  version: string;
  kind: Kind;
  workspaces: WorkspaceVerdict[];
  broken: WorkspaceVerdict;
  accepted: boolean;
  refused_broken: boolean;
  seconds: number;
}

export interface WorkspaceVerdict {
  workspace: string;
  expected: readonly string[];
  loaded: readonly string[];
  accepted: boolean;
  problem?: string;
}

/** Checks a program, also with output that is damaged in each possible way. */
export async function checkProgram(
  program: HarnessProgram,
  installed: InstalledProgram,
): Promise<Verdict[]> {
  return [
    ...(await checkWorkspaces(program, installed)),
    ...(await checkMarketplace(program, installed)),
    ...(await checkCatalogServer(program, installed)),
  ];
}

async function checkWorkspaces(
  program: HarnessProgram,
  installed: InstalledProgram,
): Promise<Verdict[]> {
  const { profile, together, title, version, breaks, expects } = program;
  const expected = expects(small, 'one');
  if (Object.keys(expected).length === 0) return [];
  const began = performance.now();
  const ask = (fixture: Fixture, profiles: readonly string[]): Promise<ObservedNames> =>
    observeOnce(program, installed, {
      fixture,
      expected: expects(fixture, profiles.length === 1 ? 'one' : 'several'),
      make: () => makeFor(program, fixture, profiles),
    });
  const answers: [string, ObservedNames][] = [
    ['small', await ask(small, [profile])],
    ['everything', await ask(everything, [profile])],
  ];
  if (together !== undefined) answers.push(['together', await ask(small, together)]);
  if (program.scans) answers.push(['every folder', await observeProbes(program, installed)]);
  const broken = await observeOnce(program, installed, {
    fixture: small,
    expected,
    make: () => makeBroken(program),
  });
  const seconds = (performance.now() - began) / 1000;

  return kinds
    .filter((kind) => expected[kind] !== undefined)
    .map((kind) => {
      const workspaces = answers
        .filter(([, { expected }]) => expected[kind] !== undefined)
        .map(([name, answer]) => judge(name, kind, answer));
      const refusal = judge('broken', kind, broken);
      return {
        program: title,
        version,
        kind,
        workspaces,
        broken: refusal,
        accepted: workspaces.every(({ accepted }) => accepted),
        refused_broken: breaks[kind] !== undefined && isRefusal(refusal),
        seconds,
      };
    });
}

/** The program must read skills from no other folder that sync writes to. */
async function observeProbes(
  program: HarnessProgram,
  installed: InstalledProgram,
): Promise<ObservedNames> {
  return observeOnce(program, installed, {
    fixture: small,
    expected: {
      skill: [...(program.expects(small, 'one').skill ?? []), ...probesFor(program.profile)],
    },
    make: async () => {
      const workspace = await makeFor(program, small, [program.profile]);
      writeProbes(workspace);
      return workspace;
    },
  });
}

async function checkMarketplace(
  program: HarnessProgram,
  installed: InstalledProgram,
): Promise<Verdict[]> {
  const { marketplace } = program;
  if (marketplace === undefined) return [];
  return checkAlone(program, installed, {
    kind: 'marketplace',
    expects: marketplace.expects,
    observe: marketplace.observe,
    make: () => makeMarketplace(small, marketplace.harnesses),
    breaks: marketplace.breaks,
  });
}

async function checkCatalogServer(
  program: HarnessProgram,
  installed: InstalledProgram,
): Promise<Verdict[]> {
  const { isConnected, profile } = program;
  if (isConnected === undefined) return [];
  return checkAlone(program, installed, {
    kind: 'catalog-mcp',
    expects: [CONNECTED],
    observe: async (asking) => ((await isConnected(asking)) ? [CONNECTED] : []),
    make: () => createWorkspaceWithMcpEntry(profile),
    breaks: (workspace) => breakCatalogEntry(workspace, profile),
  });
}

interface SeparateCheck {
  kind: Kind;
  expects: readonly string[];
  observe: (asking: Observation) => Promise<string[]>;
  make: () => Promise<string>;
  breaks: (workspace: string) => void;
}

async function checkAlone(
  program: HarnessProgram,
  installed: InstalledProgram,
  { kind, expects, observe, make, breaks }: SeparateCheck,
): Promise<Verdict[]> {
  const { title, version } = program;
  const began = performance.now();
  const judging: HarnessProgram = {
    ...program,
    observe: async (asking) => ({ [kind]: await observe(asking) }),
  };
  const ask = (damage?: (folder: string) => void): Promise<ObservedNames> =>
    observeOnce(judging, installed, {
      fixture: small,
      expected: { [kind]: expects },
      make: async () => {
        const folder = await make();
        damage?.(folder);
        return folder;
      },
    });
  const whole = judge(kind, kind, await ask());
  const broken = judge('broken', kind, await ask(breaks));
  return [
    {
      program: title,
      version,
      kind,
      workspaces: [whole],
      broken,
      accepted: whole.accepted,
      refused_broken: isRefusal(broken),
      seconds: (performance.now() - began) / 1000,
    },
  ];
}

interface ObservedNames {
  expected: Loaded;
  loaded: Loaded;
  problem?: string;
}

function judge(
  workspace: string,
  kind: Kind,
  { expected, loaded, problem }: ObservedNames,
): WorkspaceVerdict {
  const [should = [], did = []] = [expected[kind], loaded[kind]];
  const accepted = problem === undefined && isLoaded(should, did);
  const verdict = { workspace, expected: should, loaded: did, accepted };
  return problem === undefined ? verdict : { ...verdict, problem };
}

/** A program that fails to run has not rejected anything. */
function isRefusal({ accepted, problem }: WorkspaceVerdict): boolean {
  return !accepted && problem === undefined;
}

function makeFor(
  { profile, with_home }: HarnessProgram,
  fixture: Fixture,
  profiles: readonly string[],
): Promise<string> {
  return with_home ? makeWorkspaceWithHome(fixture, profile) : makeWorkspace(fixture, profiles);
}

async function makeBroken(program: HarnessProgram): Promise<string> {
  const broken = await makeFor(program, small, [program.profile]);
  for (const damage of Object.values(program.breaks)) damage(broken);
  return broken;
}

/** Each observation has its own home folder, model stand-in and server, so no state is carried over. */
async function observeOnce(
  program: HarnessProgram,
  installed: InstalledProgram,
  { fixture, expected, make }: { fixture: Fixture; expected: Loaded; make: () => Promise<string> },
): Promise<ObservedNames> {
  const recorder = await startRecorder();
  try {
    const loaded = await program.observe({
      program: installed,
      workspace: await make(),
      home: newFolder('home'),
      recorder,
      server: provideDemoServer(SEALED_PATH),
      fixture,
    });
    return { expected, loaded };
  } catch (error) {
    return { expected, loaded: {}, problem: String(error) };
  } finally {
    await recorder.close();
  }
}
