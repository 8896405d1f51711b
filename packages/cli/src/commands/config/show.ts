import { loadConfig } from '@catalog/consumer/config/load-config';
import type { Config, Origin } from '@catalog/consumer/config/types';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { shortPath } from '../../output/places.ts';
import { alignColumns, styled, type Line } from '../../output/text.ts';
import { toConfigFlags } from '../config-flags.ts';
import { noteWarnings } from '../note-warnings.ts';
import type { configShowDefinition } from './definition.ts';
import { explainKey, type Explanation } from './explain-key.ts';
import { showValue } from './show-value.ts';

export async function run(
  input: CommandInput<typeof configShowDefinition>,
  session: Session,
): Promise<CommandResult> {
  const { cwd, home, env } = session;
  if (input.flags.server) {
    const { showServer } = await import('./show-server.ts');
    return showServer(input.flags, session);
  }
  const flags = toConfigFlags(input.flags);
  const config = loadConfig({ cwd, home, env, flags });
  noteWarnings(config, session);
  const { explain } = input.flags;
  if (explain !== undefined) {
    const explanation = explainKey(explain, { config, env, flags });
    return { lines: explanationLines(explanation, session), json: explanation };
  }
  return { lines: valueLines(config, session), json: toDocument(config) };
}

function valueLines(config: Config, session: Session): Line[] {
  const header = ['key', 'value', 'from'].map((title): Line => [styled('bold', title)]);
  const rows = config.values.map(({ key, value, origin }) => [
    key,
    showValue(value, session),
    showOrigin(origin, session),
  ]);
  return [
    `workspace ${shortPath(config.workspace, session)}`,
    '',
    ...alignColumns([header, ...rows]),
  ];
}

function explanationLines(explanation: Explanation, session: Session): Line[] {
  const rows = explanation.places.map(({ origin, value, in_force }) => [
    in_force ? 'effective' : 'overridden',
    showValue(value, session),
    showOrigin(origin, session),
  ]);
  return [
    [styled('bold', explanation.key), `: ${explanation.summary}`],
    ...alignColumns(rows, '  '),
  ];
}

function showOrigin({ kind, name }: Origin, session: Session): string {
  if (kind === 'built-in') return 'default';
  if (kind === 'env') return `$${name}`;
  return kind === 'flag' ? `flag ${name}` : shortPath(name, session);
}

function toDocument({ workspace, values, files, warnings }: Config): unknown {
  return {
    workspace,
    files: files.map(({ path }) => path),
    // `null` and not a missing member: the key exists but has no value.
    values: values.map(({ key, value, origin }) => ({ key, value: value ?? null, origin })),
    warnings,
  };
}
