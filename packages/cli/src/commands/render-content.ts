import type { ReportedContent } from '@catalog/consumer/trust/inspected-content';
import type { Line } from '../output/text.ts';

/** Renders executable content, which is already escaped. `+` marks content that needs approval. */
export function renderContent(
  artifacts: readonly (Pick<ReportedContent, 'id' | 'capabilities'> & { version?: string })[],
  title: string,
  indent = '',
): Line[] {
  const shown = artifacts.filter(({ capabilities }) => capabilities.length > 0);
  if (shown.length === 0) return [];
  const asks = shown.some(({ capabilities }) => capabilities.some(({ added }) => added));
  return [
    `${indent}${title}${asks ? ' (+ needs approval)' : ''}:`,
    ...shown.flatMap(({ id, version, capabilities }): Line[] => [
      `${indent}  ${[id, version].filter((word) => word !== undefined).join(' ')}`,
      ...capabilities.map(({ added, text }) => {
        const mark = asks ? (added ? '+ ' : '  ') : '';
        return `${indent}    ${mark}${text}`;
      }),
    ]),
  ];
}
