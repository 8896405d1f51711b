import type { Place } from '../adapter.ts';
import type { RuleLanding } from '../landing.ts';
import { markedBody } from './document-text.ts';
import { isRejection } from './is-rejection.ts';
import { importsFromFile, withoutOwnImport } from './prose-imports.ts';
import { fillTemplate } from './template.ts';
import { writeDocument } from './write-files.ts';

/**
 * Places a rule. Bundled files are dropped (DROP-01, DROP-02). `imports` means that the product supports `@path`
 * relative to the file.
 */
export function placeRule(
  { into, path, render = markedBody }: RuleLanding,
  { imports = false }: { imports?: boolean } = {},
): Place {
  return (artifact, context) => {
    const { id } = artifact;
    const rendered = render(artifact, context);
    if (isRejection(rendered)) return rendered;
    if (rendered === undefined) return [];
    const at = fillTemplate(path, { name: context.name, id });
    const foreign = withoutOwnImport(rendered, at);
    const text = imports ? importsFromFile(foreign, at) : foreign;
    if (into === 'file') return [writeDocument(at, text, artifact)];
    return [
      {
        kind: 'merge',
        path: at,
        entry: {
          shape: 'block',
          container: [],
          key: id,
          artifact_id: id,
          value: text,
          recorded: 'file',
        },
      },
    ];
  };
}
