import type { Place } from '../adapter.ts';
import { manifestText } from './document-text.ts';
import { fillTemplate } from './template.ts';
import { writeBundled, writeDocument } from './write-files.ts';

/** Places context, which the model reads when needed. */
export function placeContextAt(template: string): Place {
  return (artifact, context) => {
    const folder = fillTemplate(template, { name: context.name, id: artifact.id });
    const text = manifestText(artifact, context);
    const manifest =
      text === undefined ? [] : [writeDocument(`${folder}/ARTIFACT.md`, text, artifact)];
    return [...manifest, ...writeBundled(folder, artifact)];
  };
}
