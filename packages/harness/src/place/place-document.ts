import type { Place } from '../adapter.ts';
import type { DocumentLanding } from '../landing.ts';
import { convertArguments } from './command-arguments.ts';
import { manifestText } from './document-text.ts';
import { isRejection } from './is-rejection.ts';
import { fillTemplate } from './template.ts';
import { resourcesFolder, writeBundled, writeDocument } from './write-files.ts';

/** Places a document without rewriting paths in its text. */
export function placeDocument(landing: DocumentLanding): Place {
  const { path, bundled, render = manifestText, arguments: form } = landing;
  return (artifact, context) => {
    const { id } = artifact;
    const text = render(form === undefined ? artifact : convertArguments(artifact, form), context);
    if (isRejection(text)) return text;
    const names = { name: context.name, id };
    const files = writeBundled(fillTemplate(bundled ?? resourcesFolder('{id}'), names), artifact);
    return text === undefined
      ? files
      : [writeDocument(fillTemplate(path, names), text, artifact), ...files];
  };
}
