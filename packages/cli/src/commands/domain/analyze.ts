import type { DomainAnalysis } from '@catalog/contract/records/discovery';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { alignColumns, styled, type Line } from '../../output/text.ts';
import { loadRegistryServer } from '../registry-server.ts';
import type { domainAnalyzeDefinition } from './definition.ts';

type Input = CommandInput<typeof domainAnalyzeDefinition>;

export async function run(input: Input, session: Session): Promise<CommandResult> {
  const client = loadRegistryServer(session, input.flags);
  const report = await client.analyzeDomain({ path: input.arguments.path }, session.signal);
  return { lines: toLines(report), json: report };
}

function toLines(report: DomainAnalysis): Line[] {
  const numbers: Line[][] = [
    ['artifacts here', String(report.artifact_count)],
    ['artifacts in total', String(report.recursive_count)],
    ['subdomains', String(report.child_count)],
    ['single-child chain', String(report.passthrough_chain_length)],
    ['tag entropy', report.tag_cluster_entropy.toFixed(2)],
  ];
  const children = report.children.map(({ path, recursive_count }): Line[] => [
    path,
    String(recursive_count),
  ]);
  return [
    [styled('bold', report.path)],
    ...alignColumns(numbers, '  '),
    ...section('Subdomains', alignColumns(children, '  ')),
    ...section('Candidates to merge', candidateLines(report.fold_candidates)),
    ...section('Candidates to split', candidateLines(report.split_candidates)),
  ];
}

function candidateLines(candidates: DomainAnalysis['fold_candidates']): Line[] {
  return alignColumns(
    candidates.map(({ path, reason }) => [path, reason]),
    '  ',
  );
}

function section(title: string, lines: readonly Line[]): Line[] {
  return lines.length === 0 ? [] : ['', [styled('bold', title)], ...lines];
}
