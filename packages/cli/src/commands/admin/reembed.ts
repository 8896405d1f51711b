import type { ReembedJob, ReembedResult } from '@catalog/contract/records/reembed';
import type { RegistryClient } from '@catalog/sdk/client';
import { delay } from '@catalog/sdk/idle-timeout';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { usageError } from '../../command/usage-errors.ts';
import { progressBar } from '../../output/progress.ts';
import { alignColumns, count, styled, type Line } from '../../output/text.ts';
import { parseTime } from '../parse-time.ts';
import { loadRegistryServer } from '../registry-server.ts';
import type { adminReembedDefinition } from './reembed-definition.ts';

type Input = CommandInput<typeof adminReembedDefinition>;

export async function run(
  { flags, arguments: { artifact } }: Input,
  session: Session,
): Promise<CommandResult> {
  const since = readSince(flags.since);
  const client = loadRegistryServer(session, flags);
  const started = await client.reembed(
    {
      // The request does not wait: a large registry can take longer than a connection should.
      wait: false,
      ...(artifact === undefined ? {} : await findVersion(client, artifact, session)),
      ...(flags['only-missing'] ? { only_missing: true } : {}),
      ...(since === undefined ? {} : { since }),
    },
    session.signal,
  );
  if (!('job' in started)) return toResult(started);
  if (flags['no-wait']) {
    const left = `Rebuilding embeddings of ${count(started.total, 'artifact')}; the job continues in the registry`;
    return { lines: [left], json: started };
  }
  return toResult(await waitForJob(client, started, session));
}

async function findVersion(
  client: RegistryClient,
  named: string,
  session: Session,
): Promise<{ artifact: string; version: string }> {
  const [artifact = '', version] = named.split('@', 2);
  if (version !== undefined && version !== '') return { artifact, version };
  const { versions } = await client.listVersions({ id: artifact }, session.signal);
  const current = versions.find(({ latest }) => latest) ?? versions[0];
  return { artifact, version: current?.version ?? '' };
}

function readSince(given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  const time = parseTime(given);
  if (time !== undefined) return time;
  throw usageError(
    `--since must be a date, or a time with a time zone, not ${given}.`,
    'Use `--since 2026-11-01` or `--since 2026-11-01T09:30:00Z`.',
    { command: 'admin reembed', argument: '--since' },
  );
}

const MIN_POLL_MS = 50;
const MAX_POLL_MS = 1_000;

async function waitForJob(
  client: RegistryClient,
  started: ReembedJob,
  session: Session,
): Promise<ReembedJob> {
  let job = started;
  for (let pause = MIN_POLL_MS; job.state !== 'done'; pause = nextPause(pause)) {
    const done = job.total - job.remaining;
    session.progress(`${progressBar(done, job.total)} Embedding ${done} of ${job.total}`);
    await delay(pause, session.signal);
    job = await client.getReembed(job.job, session.signal);
  }
  return job;
}

function nextPause(pause: number): number {
  return Math.min(pause * 2, MAX_POLL_MS);
}

function toResult(ended: ReembedResult): CommandResult {
  return { lines: toLines(ended), json: ended, exit: ended.failed === 0 ? 0 : 1 };
}

function toLines({ total, succeeded, failed, failures }: ReembedResult): Line[] {
  if (total === 0) return ['Nothing to embed: all requested embeddings exist.'];
  const head = `Embedded ${succeeded} of ${count(total, 'artifact')}`;
  if (failed === 0) return [head];
  const rows = failures.map(({ artifact_id, version, reason }): Line[] => [
    [styled('bold', artifact_id)],
    version,
    reason,
  ]);
  return [
    `${head}; ${failed} failed`,
    '',
    ...alignColumns(rows),
    '',
    'Next: search finds these artifacts by words only. After fixing the cause, run `catalog admin reembed --only-missing`.',
  ];
}
