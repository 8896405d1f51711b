import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { adoptWorkspace, type AdoptReport } from '@catalog/consumer/adopt/adopt-workspace';
import { loadConfig } from '@catalog/consumer/config/load-config';
import { runSync } from '@catalog/consumer/sync/run-sync';
import { loadAdapter, type WorkspaceScope } from '@catalog/harness/registry';
import { compareWorkspaces, type Difference } from './compare-workspaces.ts';
import { writeUserWorkspace } from './user-workspace.ts';

/** A harness in a project, or in the home folder if it differs there. */
export interface Subject {
  harness: string;
  scope: WorkspaceScope;
}

export interface Places {
  before: string;
  catalog: string;
  after: string;
}

export interface RoundTrip {
  files: number;
  unread: number;
  taken: number;
  /** Differences that adopt did not report; there must be none. */
  losses: string[];
  /** Differences that adopt reported, by reason. */
  announced: string[];
  left: string[];
}

export function placesIn(folder: string): Places {
  const at = (name: string): string => join(folder, name);
  return { before: at('before'), catalog: at('catalogue'), after: at('after') };
}

/** Syncs the adopted catalog into an empty folder. */
export async function makeRoundTrip(
  { before, catalog: catalogFolder, after }: Places,
  subject: Subject,
  hooks: 'with' | 'without' = 'with',
): Promise<RoundTrip> {
  mkdirSync(after, { recursive: true });
  const { harness, scope } = subject;
  const adapter = loadAdapter(harness, scope);
  const { files, unread: unreadCount } = writeUserWorkspace(before, adapter, hooks);
  const report = adoptWorkspace({
    from: before,
    into: catalogFolder,
    harnesses: [harness],
    scope,
    domain: '',
    dry_run: false,
  });
  const taken = report.things.filter(({ id }) => id !== null);
  if (taken.length > 0) await sync(after, catalogFolder, subject);
  return {
    files,
    unread: unreadCount,
    taken: taken.length,
    ...judge(compareWorkspaces(before, after, adapter), report),
    left: reasonsOf(report),
  };
}

async function sync(folder: string, registry: string, { harness, scope }: Subject): Promise<void> {
  const flags = { registry, harness, scope };
  const config = loadConfig({ cwd: folder, home: folder, env: {}, flags });
  const { error } = await runSync(config, { mode: 'sync', yes: true, ignore_runtime: true });
  if (error !== undefined) throw new Error(`${harness}: ${JSON.stringify(error)}`);
}

const PROSE = new Set(['prose', 'prompt', 'developer_instructions']);

/** Accepts only skipped items and bodies in which a link became text, if adopt reported them. */
function judge(
  differences: readonly Difference[],
  { things }: AdoptReport,
): Pick<RoundTrip, 'losses' | 'announced'> {
  const losses: string[] = [];
  const announced: string[] = [];
  for (const { path, what } of differences) {
    const thing = things.find(({ copies }) => copies[0]?.path === path);
    if (thing?.outcome === 'left') continue;
    const reported = thing?.changes.find((change) => change.startsWith('the link to '));
    if (reported !== undefined && PROSE.has(what)) announced.push(reported);
    else losses.push(`${what} of ${path}`);
  }
  return { losses, announced };
}

function reasonsOf({ things }: AdoptReport): string[] {
  const left = things.filter(({ outcome }) => outcome === 'left');
  const counted = Map.groupBy(left, ({ type, reason }) => `${type}: ${reason}`);
  return [...counted].map(([what, all]) => `${all.length} ${what}`);
}
