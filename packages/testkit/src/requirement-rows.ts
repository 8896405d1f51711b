import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface RequirementRow {
  id: string;
  doc: 'http' | 'consumer';
  area: string;
  requirement: string;
  milestone: string;
}

export const requirementRows: readonly RequirementRow[] = parseRows(
  readFileSync(join(import.meta.dirname, '../../../docs/specification/requirements.tsv'), 'utf8'),
);

export const requirementById: ReadonlyMap<string, RequirementRow> = new Map(
  requirementRows.map((row) => [row.id, row]),
);

function parseRows(text: string): RequirementRow[] {
  const [, ...lines] = text.trimEnd().split('\n');
  return lines.map((line, index) => {
    const [id, doc, area, requirement, milestone] = line.split('\t');
    if (!id || !area || !requirement || !milestone || (doc !== 'http' && doc !== 'consumer')) {
      throw new Error(`requirements.tsv line ${index + 2} is not a row: ${line}`);
    }
    return { id, doc, area, requirement, milestone };
  });
}
