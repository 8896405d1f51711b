import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { nearest } from '@catalog/core/text/nearest';

const OTHER_NAMES = new Map([
  ['vscode', 'copilot'],
  ['vs-code', 'copilot'],
  ['github-copilot', 'copilot'],
  ['factory', 'droid'],
  ['windsurf', 'devin'],
  ['devin-desktop', 'devin'],
  ['jetbrains', 'junie'],
  ['jetbrains-junie', 'junie'],
  ['continue.dev', 'continue'],
]);

/** Discontinued harnesses, with explanations as sentences without a period. */
const DISCONTINUED = new Map([
  ['roo', 'Roo Code shut down in May 2026'],
  ['roo-code', 'Roo Code shut down in May 2026'],
]);

export function unknownHarness(id: string, available: string[]): CatalogError {
  const ended = DISCONTINUED.get(id.toLowerCase());
  const problem = `Unknown harness ${JSON.stringify(id)}${ended === undefined ? '' : `: ${ended}`}.`;
  const meant = ended === undefined ? findSimilarHarnesses(id.toLowerCase(), available) : [];
  const [first] = meant;
  if (first === undefined) {
    return new CatalogError('config.unknown_harness', problem, {
      details: { harness: id, available },
      suggested_action:
        'To list the supported harnesses, run `catalog harness list`. If your tool is not listed but reads AGENTS.md, use `--harness agents-md`; for any other, write an adapter.',
    });
  }
  return new CatalogError('config.unknown_harness', `${problem} Did you mean ${either(meant)}?`, {
    details: { harness: id, available, did_you_mean: first },
  });
}

function findSimilarHarnesses(id: string, available: readonly string[]): string[] {
  const other = OTHER_NAMES.get(id);
  if (other !== undefined && available.includes(other)) return [other];
  const longer = available.filter((name) => name.startsWith(`${id}-`));
  if (longer.length > 0) return longer;
  const near = nearest(id, available) ?? available.find((name) => id.startsWith(`${name}-`));
  return near === undefined ? [] : [near];
}

function either(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} or ${last}`;
}
