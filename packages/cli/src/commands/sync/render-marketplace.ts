import type { StepReport } from '@catalog/consumer/marketplace/report';
import type { TargetReport } from '@catalog/consumer/sync/report';
import type { ErrorEnvelope } from '@catalog/contract/errors/catalog-error';
import { envelopeLines } from '../../output/describe-error.ts';
import { shortenPaths, type Where } from '../../output/places.ts';
import { styled, type Line, type Style } from '../../output/text.ts';

const STYLES: Readonly<Record<StepReport['outcome'], Style>> = {
  done: 'green',
  failed: 'red',
  skipped: 'dim',
  'not-run': 'dim',
};

const WORDS: Readonly<Record<StepReport['outcome'], string>> = {
  done: 'done',
  failed: 'failed',
  skipped: 'skipped: no changes',
  'not-run': 'not run',
};

export function renderSteps({ marketplace }: TargetReport, where: Where): Line[] {
  const { steps = [], commit } = marketplace ?? {};
  return steps.map(({ step, command, outcome }) => {
    const [first = ''] = shortenPaths(command, where).split('\n');
    const made = step === 'git' && commit !== undefined ? ` as ${commit.slice(0, 12)}` : '';
    return [`  ${step}: ${first} `, styled(STYLES[outcome], `(${WORDS[outcome]}${made})`)];
  });
}

export function renderFailure(
  error: ErrorEnvelope | undefined,
  what: string,
  where: Where,
): Line[] {
  if (error === undefined) return [];
  return envelopeLines([styled('red', `failed ${what}`)], error, where);
}
