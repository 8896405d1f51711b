import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { decideSnapshots } from '@catalog/core/ingest/decide-snapshots';
import { readLayer } from '@catalog/core/node/read-layer';
import { harnessCapabilities } from '@catalog/harness/registry';
import { readTree, temporaryFolder } from '@catalog/testkit/temporary-folder';
import { adoptWorkspace, type AdoptReport } from './adopt-workspace.ts';

interface WrittenFile {
  path: string;
  bytes: Buffer;
  mode: number;
  /** Modification time in seconds, with few values, so that equal ones are common. */
  modified: number;
}

const frontmatter = fc.constantFrom(
  'name: notes\ndescription: Use it when notes need tidying.\n',
  'description: "Use it when notes need tidying."\nname: notes\n',
  '# keep short\nname: notes\ndescription: Use it when notes need tidying.\nmodel: opus\n',
);
const prose = fc.constantFrom(
  'Tidy.\n',
  'Tidy.  \n',
  'Tidy now.\n',
  'Read [the rest](docs/a.md).\n',
  '',
);
const document = fc
  .tuple(frontmatter, prose, fc.constantFrom('\n', '\r\n'))
  .map(([head, body, end]) => Buffer.from(`---\n${head}---\n\n${body}`.replaceAll('\n', end)));

function contentOf(path: string): fc.Arbitrary<Buffer> {
  return fc.oneof(
    fc
      .constantFrom('', `${path}\n`, `${path}\r\n`, `#!/bin/sh\n# ${path}\n`)
      .map((text) => Buffer.from(text)),
    fc.uint8Array({ minLength: 8, maxLength: 8 }).map((bytes) => Buffer.from(bytes)),
  );
}

const bundledPath = fc.constantFrom(
  'notes.md',
  'Notes.md',
  'docs',
  'docs/a.md',
  'Docs/a.md',
  'docs/b.md',
  'skill.md',
  'artifact.md',
  'sub/ARTIFACT.md',
  'sub/SKILL.md',
  'Makefile',
  '.env.example',
  'notes.from-cursor.md',
  'notes.from-cursor/x',
);
const modified = fc.integer({ min: 1, max: 3 }).map((number) => 1_700_000_000 + number);
const mode = fc.constantFrom(0o644, 0o755, 0o444);

const SKILL_FOLDERS = ['.claude/skills', '.cursor/skills', '.agents/skills', '.codex/skills'];

function skillIn(folder: string): fc.Arbitrary<WrittenFile[]> {
  const file = (path: string, bytes: fc.Arbitrary<Buffer>): fc.Arbitrary<WrittenFile> =>
    fc.record({ path: fc.constant(`${folder}/notes/${path}`), bytes, mode, modified });
  const bundled = fc.uniqueArray(bundledPath, { maxLength: 6 }).filter(canBeOnDisk);
  return bundled.chain((paths) =>
    fc.tuple(file('SKILL.md', document), ...paths.map((path) => file(path, contentOf(path)))),
  );
}

function canBeOnDisk(paths: readonly string[]): boolean {
  return !paths.some((path) => paths.some((other) => other.startsWith(`${path}/`)));
}

const DOCUMENTS = [
  '.claude/agents/notes.md',
  '.cursor/agents/notes.md',
  '.claude/commands/notes.md',
  '.cursor/commands/notes.md',
  '.claude/rules/notes.md',
  '.cursor/rules/notes.mdc',
  'AGENTS.md',
  'CLAUDE.md',
];

const workspace = fc
  .tuple(
    fc.subarray(SKILL_FOLDERS).chain((folders) => fc.tuple(...folders.map(skillIn))),
    fc
      .subarray(DOCUMENTS)
      .chain((paths) =>
        fc.tuple(
          ...paths.map((path) =>
            fc.record({ path: fc.constant(path), bytes: document, mode, modified }),
          ),
        ),
      ),
  )
  .map(([skills, documents]) => [...skills.flat(), ...documents]);

const harnesses = fc.constantFrom(
  undefined,
  ['claude-code', 'cursor', 'codex'],
  ['codex', 'cursor', 'claude-code'],
);

function write(root: string, files: readonly WrittenFile[]): void {
  for (const { path, bytes, mode: bits, modified: seconds } of files) {
    const at = join(root, path);
    mkdirSync(dirname(at), { recursive: true });
    writeFileSync(at, bytes);
    chmodSync(at, bits);
    utimesSync(at, seconds, seconds);
  }
}

function filesBelow(folder: string): Map<string, Buffer> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return new Map(files.map((path) => [path.slice(folder.length + 1), readFileSync(path)]));
}

function lostFiles(from: string, into: string, { things }: AdoptReport): string[] {
  const lost = [...filesBelow(from)].filter(([path, bytes]) => {
    const thing = things.find(({ type, copies }) =>
      copies.some((copy) =>
        type === 'skill' ? path.startsWith(`${dirname(copy.path)}/`) : path === copy.path,
      ),
    );
    if (thing?.id === undefined || thing.id === null) return true;
    const held = [...filesBelow(join(into, thing.id)).values()];
    // Without frontmatter of its own, a document follows the frontmatter of its manifest.
    return !held.some(
      (one) => one.equals(bytes) || (thing.type !== 'skill' && one.includes(bytes)),
    );
  });
  return lost.map(([path]) => path);
}

test('adopt keeps every byte of every copy in the artifact folder, and the registry accepts it', () => {
  fc.assert(
    fc.property(workspace, harnesses, (files, order) => {
      const folder = temporaryFolder();
      const [from, into] = [join(folder, 'work'), join(folder, 'catalog')];
      mkdirSync(from);
      mkdirSync(into);
      write(from, files);
      const before = readTree(from);
      const request = {
        from,
        into,
        harnesses: order,
        scope: 'workspace',
        domain: '',
        dry_run: false,
      } as const;
      const report = adoptWorkspace(request);

      expect(lostFiles(from, into, report)).toEqual([]);
      expect(readTree(from)).toEqual(before);
      const { snapshot } = readLayer(into, 'adopted');
      expect(snapshot.refused).toEqual([]);
      const { rejected } = decideSnapshots([snapshot], { capabilities: harnessCapabilities() });
      expect(rejected).toEqual([]);
      expect(adoptWorkspace(request).files).toEqual([]);
    }),
    { numRuns: 100 },
  );
});
