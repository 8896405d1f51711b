import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SearchDocument } from '@catalog/core/ports/search-index';

/** Fields that some types require besides a description; search does not use them. */
const REQUIRED: Readonly<Record<string, object>> = {
  hook: { hook_event: 'stop', hook_action: 'true' },
  'mcp-server': { server_identifier: 'npx:server' },
};

export function writeDocuments(folder: string, documents: readonly SearchDocument[]): void {
  for (const { id, type, name, description, tags, when_to_use } of documents) {
    const place = join(folder, id);
    mkdirSync(place, { recursive: true });
    const found = { tags, when_to_use };
    if (type === 'skill') {
      write(place, 'ARTIFACT.md', { type, version: '1.0.0', ...found });
      write(place, 'SKILL.md', { name, description });
    } else {
      const own = { type, version: '1.0.0', name, description, ...found };
      write(place, 'ARTIFACT.md', { ...own, ...REQUIRED[type] });
    }
  }
}

/** Writes the frontmatter as JSON, which is valid YAML, so that no value needs escaping. */
function write(place: string, file: string, frontmatter: object): void {
  const lines = Object.entries(frontmatter).map(
    ([key, value]) => `${key}: ${JSON.stringify(value)}`,
  );
  writeFileSync(join(place, file), `---\n${lines.join('\n')}\n---\nThe body is not searched.\n`);
}
