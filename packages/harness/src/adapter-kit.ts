import { projectDocument, tomlDocument } from './checked-documents.ts';
import { NO_EVENTS } from './define-harness.ts';
import { about, listDocument, pluginDocument, sourceOf } from './marketplace/plugin-documents.ts';
import { markedBody, manifestText } from './place/document-text.ts';
import { groupedHook } from './place/hook-forms.ts';
import { mcpEntry } from './place/mcp-server.ts';
import { authoredNames, authoredText } from './place/project-frontmatter.ts';
import { loadedAlways } from './place/rule-modes.ts';
import { splitGlobs } from './place/split-globs.ts';
import { UNREAD_FIELDS } from './place/unread-fields.ts';

/** What a third party's adapter is handed to build its declaration with: it imports nothing. */
export const adapterKit = {
  /** A table of hook events in which no event becomes anything: spread it, and add those that do. */
  no_events: NO_EVENTS,
  /** The fields of a product that has a place for none of them: spread it, and override some. */
  unread_fields: UNREAD_FIELDS,
  authoredNames,
  authoredText,
  groupedHook,
  loadedAlways,
  manifestText,
  markedBody,
  mcpEntry,
  projectDocument,
  splitGlobs,
  tomlDocument,
  /** For the documents of a marketplace. */
  plugins: { about, listDocument, pluginDocument, sourceOf },
} as const;

export type AdapterKit = typeof adapterKit;
