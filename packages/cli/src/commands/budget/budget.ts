import { loadAdapters } from '@catalog/consumer/adapters/load-adapters';
import { loadConfig } from '@catalog/consumer/config/load-config';
import type { TargetReport } from '@catalog/consumer/sync/report';
import { runSync } from '@catalog/consumer/sync/run-sync';
import {
  scaleToContext,
  type DescriptionLimit,
  type ListingBudget,
  type ListingLimit,
} from '@catalog/harness/budget/listing-budget';
import type { ListingUse } from '@catalog/harness/budget/measure-listing';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { alignColumns, count, styled, type Line } from '../../output/text.ts';
import { toConfigFlags, toConfigInput } from '../config-flags.ts';
import { signInOnFirstUse } from '../identity/first-use.ts';
import { readNumber } from '../read-number.ts';
import { noteReadOnly } from '../note-read-only.ts';
import { noteWarnings } from '../note-warnings.ts';
import { askTrust } from '../sync/ask-trust.ts';
import type { budgetDefinition } from './definition.ts';
import { budgetLine, grouped } from './render-budget.ts';

export async function run(
  { flags }: CommandInput<typeof budgetDefinition>,
  session: Session,
): Promise<CommandResult> {
  const context_tokens = readNumber('--context', flags.context);
  // Unsupported artifacts are not listed by a harness, so they need not fail the command.
  const skipping = { ...toConfigFlags(flags), unsupported: 'skip' as const };
  const config = loadConfig(toConfigInput(session, skipping));
  noteWarnings(config, session);
  const trusting = { trust: flags.trust, confirmTrust: askTrust(session) };
  const adapters = await loadAdapters(config, trusting);
  const { targets } = await runSync(
    config,
    {
      mode: 'dry-run',
      keep_toggles: true,
      context_tokens,
      // The dry run removes nothing and only measures the selection.
      allow_removal: true,
      accept_identity: true,
      ...trusting,
      onReadOnly: noteReadOnly(session),
      signIn: signInOnFirstUse(config, session),
    },
    session.signal,
  );
  const budgetFor = ({ harness }: TargetReport): ListingBudget | undefined => {
    const budget = adapters.get(harness)?.budget;
    return budget === undefined || context_tokens === undefined
      ? budget
      : scaleToContext(budget, context_tokens);
  };
  const parts =
    targets.length === 0
      ? [NOTHING_TO_MEASURE]
      : targets.map((target) => renderTarget(target, budgetFor(target)));
  return {
    lines: parts.flatMap((lines, index) => (index === 0 ? lines : ['', ...lines])),
    json: { targets: targets.map((target) => toDocument(target, budgetFor(target))) },
  };
}

/** Lines for a configuration with only marketplaces: users who import one have their own limits. */
const NOTHING_TO_MEASURE: Line[] = [
  'Nothing to measure: only marketplaces are configured. Pass a harness with --harness.',
];

function renderTarget(target: TargetReport, budget: ListingBudget | undefined): Line[] {
  const { harness, budget: use } = target;
  const title: Line = [styled('bold', harness)];
  if (budget === undefined || use === undefined) {
    return [[...title, ` no published limit; ${selectedText(target)}`]];
  }
  return [
    [...title, ` ${use.entries === 0 ? 'no skills selected' : budgetLine(use)}`],
    ...sourceLines(budget),
    ...shortenLines(use, budget.description),
  ];
}

function selectedText({ artifacts, skipped }: TargetReport): string {
  const skills = artifacts.filter(({ type }) => type === 'skill').length;
  const selected = `${count(skills, 'skill')} selected`;
  return skipped.length === 0
    ? selected
    : `${selected}, ${count(skipped.length, 'artifact')} not supported`;
}

function sourceLines({ listing, description }: ListingBudget): Line[] {
  const lines: string[] = [];
  if (listing !== undefined) {
    const { limit, unit, source, version, built_in } = listing;
    const own =
      built_in === undefined ? '' : `, ${grouped(built_in)} of them reserved for built-in skills`;
    lines.push(
      `  total limit: ${grouped(limit)} ${unit}${own}${shareOf(listing)} (${version}; ${source})`,
    );
  }
  if (description !== undefined) {
    const { limit, source, version } = description;
    lines.push(
      `  per description: ${grouped(limit)} characters${BEYOND[description.beyond]} (${version}; ${source})`,
    );
  }
  return lines.map((line): Line => [styled('dim', line)]);
}

function shareOf({ context, setting }: ListingLimit): string {
  if (context === undefined) return '';
  const more = setting === undefined ? '--context' : `--context, ${setting}`;
  return `, ${context.percent}% of a context of ${grouped(context.tokens)} tokens; see ${more}`;
}

const BEYOND: Readonly<Record<DescriptionLimit['beyond'], string>> = {
  cut: '; longer ones are cut',
  refused: '; skills with longer ones are rejected',
  'warned of': '; longer ones cause a warning',
};

function shortenLines(
  { shorten, to_shorten, listing }: ListingUse,
  each?: DescriptionLimit,
): Line[] {
  if (to_shorten === 0) return [];
  if (listing?.fitting === 0) return ['  The names alone exceed the limit: install fewer skills.'];
  const fitting = Math.min(listing?.fitting ?? Infinity, each?.limit ?? Infinity);
  const measure =
    listing?.unit === 'tokens' && fitting === listing.fitting ? 'bytes' : 'characters';
  const header = ['description of', 'characters', 'over'].map((title): Line => [
    styled('bold', title),
  ]);
  const rows = shorten.map(({ artifact_id, characters, over }): Line[] => [
    artifact_id,
    grouped(characters),
    grouped(over),
  ]);
  const more = to_shorten - shorten.length;
  return [
    `  Shorten ${to_shorten === 1 ? 'this one' : `these ${to_shorten}`} to ${grouped(fitting)} ${measure} to fit the limit:`,
    ...alignColumns([header, ...rows], '  '),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ];
}

function toDocument(
  { target, harness, budget: use }: TargetReport,
  published: ListingBudget | undefined,
): object {
  return { target, harness, published: published ?? null, use: use ?? null };
}
