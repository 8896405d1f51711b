import type { Place } from '../adapter.ts';
import type { RuleLanding } from '../landing.ts';
import { markedBody } from './document-text.ts';
import { isNoText } from './is-no-text.ts';
import { fillTemplate } from './template.ts';
import { writeDocument } from './write-files.ts';

/** A file of its own or a block in one that rules share; bundled files are dropped (DROP-01, DROP-02). */
export function placeRule({ into, path, render = markedBody }: RuleLanding): Place {
  return (artifact, context) => {
    const { id } = artifact;
    const text = render(artifact, context);
    if (isNoText(text)) return text;
    if (text === undefined) return [];
    const at = fillTemplate(path, { name: context.name, id });
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
