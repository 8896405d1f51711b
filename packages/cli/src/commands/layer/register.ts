import type { RegisteredLayer } from '@catalog/contract/records/layer';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { usageError } from '../../command/usage-errors.ts';
import { alignColumns, styled, type Line } from '../../output/text.ts';
import { loadRegistryServer } from '../registry-server.ts';
import type { layerRegisterDefinition } from './definition.ts';
import { toLayerBody } from './layer-body.ts';
import { registrationIngest } from './registration-ingest.ts';
import { describeSource, gitHostName } from './render-layers.ts';
import { toIngestResult, waitForIngest } from './wait-for-ingest.ts';

type Input = CommandInput<typeof layerRegisterDefinition>;

export async function run(
  { flags, arguments: { id } }: Input,
  session: Session,
): Promise<CommandResult> {
  const { repo, 'local-path': local } = flags;
  if (repo === undefined && local === undefined) {
    throw usageError(
      'A layer needs a source: --repo or --local-path.',
      `For example: catalog layer register ${id} --local-path ./artifacts`,
      { command: 'layer register' },
    );
  }
  const client = loadRegistryServer(session, flags);
  const registered = await client.registerLayer(
    {
      id,
      source_type: repo === undefined ? 'local' : 'git',
      ...(repo === undefined ? {} : { repo }),
      ...toLayerBody(flags, client.registry, session),
    },
    session.signal,
  );
  const head = headLines(registered);
  const { ingests } = await client.listIngests({ id }, session.signal);
  const ingest = registrationIngest(registered.layer, ingests);
  if (flags['no-wait'] || ingest === undefined) {
    const next = `Next: to follow the ingest, run \`catalog layer ingests ${id}\`.`;
    return { lines: [...head, next], json: registered };
  }
  // The secret is printed now, because it is shown only once and the following wait can be interrupted.
  if (!session.json) session.emit({ lines: head, json: undefined });
  return toIngestResult(
    await waitForIngest(client, ingest.job, session),
    registered,
    client.registry,
  );
}

function headLines(registered: RegisteredLayer): Line[] {
  const { layer, webhook_url, webhook_secret, restored_versions } = registered;
  const host = gitHostName(layer);
  const rows: Line[][] = [
    ...(host === undefined ? [] : [['git host', host]]),
    ...(webhook_url === undefined ? [] : [['webhook', webhook_url]]),
    ...(webhook_secret === undefined ? [] : [['secret', `${webhook_secret}  (shown once)`]]),
  ];
  return [
    ['Registered ', styled('bold', layer.id), ` from ${describeSource(layer)}`],
    ...alignColumns(rows, '  '),
    ...(restored_versions === undefined ? [] : [describeRestored(layer.id, restored_versions)]),
  ];
}

/** Describes restored versions: the removed layer had the same owner and class, so they belong to the new layer. */
function describeRestored(id: string, count: number): Line {
  const versions = count === 1 ? '1 version' : `${count} versions`;
  return [
    styled('yellow', 'warning'),
    `: ${id} was removed earlier. Exact pins load ${versions} of the removed layer again.`,
  ];
}
