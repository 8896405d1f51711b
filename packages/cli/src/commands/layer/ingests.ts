import type { IngestJob } from '@catalog/contract/records/ingest';
import { quoteServer } from '@catalog/sdk/quote-server';
import { errorOf } from '@catalog/sdk/registry-error';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { envelopeLines } from '../../output/describe-error.ts';
import { formatTime } from '../../output/format-time.ts';
import { alignColumns, styled, type Line } from '../../output/text.ts';
import { loadRegistryServer } from '../registry-server.ts';
import type { layerIngestsDefinition } from './definition.ts';
import { countRejected, ingestProgress, renderReport } from './render-ingest.ts';

const MAX_MESSAGE = 120;
const SHOWN_BEFORE = 10;

type Input = CommandInput<typeof layerIngestsDefinition>;

export async function run(
  { flags, arguments: { id } }: Input,
  session: Session,
): Promise<CommandResult> {
  const client = loadRegistryServer(session, flags);
  const list = await client.listIngests({ id }, session.signal);
  const [newest, ...before] = list.ingests;
  if (newest === undefined) {
    return {
      lines: [`${id} has not been ingested. To ingest it, run \`catalog layer reingest ${id}\`.`],
      json: list,
    };
  }
  const rows = before
    .slice(0, SHOWN_BEFORE)
    .map((job): Line[] => [
      formatTime(job.finished_at ?? job.created_at),
      job.trigger,
      inOneLine(job),
    ]);
  return {
    lines: [
      ...newestLines(newest, client.registry, session),
      ...(rows.length === 0 ? [] : ['', [styled('bold', 'Before')], ...alignColumns(rows, '  ')]),
    ],
    json: list,
  };
}

function newestLines(job: IngestJob, registry: string, session: Session): Line[] {
  if (job.error !== undefined) {
    const envelope = errorOf(job.error, registry).toEnvelope();
    return envelopeLines([styled('red', 'failed')], envelope, session);
  }
  return job.report === undefined ? [ingestProgress(job)] : renderReport(job.report, registry);
}

function inOneLine({ state, report, error }: IngestJob): string {
  if (error !== undefined) return quoteServer(error.message, MAX_MESSAGE);
  if (report === undefined) return state;
  const { accepted, idempotent, removed } = report;
  return `${accepted} new, ${idempotent} unchanged, ${removed} removed, ${countRejected(report)} rejected`;
}
