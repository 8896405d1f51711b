import { formatOf, type ManagedFormat } from './format-of.ts';
import { editManagedJson } from './json/edit-managed-json.ts';
import type { EditManaged } from './managed-file.ts';
import { editManagedMarkdown } from './markdown/edit-managed-markdown.ts';
import { editManagedToml } from './toml/edit-managed-toml.ts';
import { editManagedYaml } from './yaml/edit-managed-yaml.ts';

const EDITORS: Readonly<Record<ManagedFormat, EditManaged>> = {
  json: editManagedJson,
  toml: editManagedToml,
  yaml: editManagedYaml,
  markdown: editManagedMarkdown,
};

/** Edits a shared file by the format its name tells. */
export const editManagedFile: EditManaged = (text, desired, owned, file, kept = []) =>
  EDITORS[formatOf(file)](text, desired, owned, file, kept);
