import { defineHarness } from '../../define-harness.ts';
import type { DocumentLanding } from '../../landing.ts';
import { loadedAlways } from '../../place/rule-modes.ts';
import { UNREAD_FIELDS } from '../../place/unread-fields.ts';
import { hookModule } from '../../shim/hook-module.ts';
import { PI_EXTENSION, PI_TOOLS } from './hook-extension.ts';
import { piBudget } from './budget.ts';
import { hookEvents } from './hook-events.ts';
import { gitPackageFormat } from '../../marketplace/formats/git-package.ts';
import type { Artifact } from '@catalog/core/artifact/types';
import { authoredText, projectDocument } from '../../place/project-frontmatter.ts';

const HOST = {
  harness: 'pi',
  runtime: '.catalog/hooks/pi.mjs',
  program: PI_EXTENSION,
  matching: PI_TOOLS,
};
const HOOK = { events: hookEvents, without_event: 'refused' } as const;

/** Pi replaces every `$` with digits after it, and has no way to escape one. */
const PROMPT: Pick<DocumentLanding, 'render' | 'takes' | 'arguments'> = {
  render: promptText,
  takes: { 'argument-hint': 'native' },
  arguments: {
    all: '$ARGUMENTS',
    position: (n) => `$${n}`,
    amount: '$ ',
    reserved: [
      { text: '$@', written: '$ @' },
      { text: '${@:', written: '$ {@:' },
    ],
    inline_as_text: true,
  },
};

/** Pi. What lies in a project it reads after the person trusts the project. */
export const pi = defineHarness({
  id: 'pi',
  summary: 'Pi: .pi/, AGENTS.md',
  label: 'harness-h',
  revision: 3,
  detect: ['.pi'],
  budget: piBudget,
  marketplace: gitPackageFormat({ id: 'pi', landing: 'pi', root: '.pi', key: 'pi' }),
  skill: { folders: ['.pi/skills', '.agents/skills'], derive_compatibility: true },
  agent: {
    refused: 'Pi has no agents; author it as a skill, or leave pi out with target_harnesses',
  },
  command: { path: '.pi/prompts/{name}.md', ...PROMPT },
  rule: { into: 'block', path: 'AGENTS.md', modes: loadedAlways('pi', 'AGENTS.md') },
  hook: { ...hookModule({ ...HOST, path: '.pi/extensions/catalog-{name}.ts' }), ...HOOK },
  mcp_server: { refused: 'Pi runs no MCP servers; leave pi out with target_harnesses' },
  mcp_config: { refused: 'Pi runs no MCP servers; use `catalog sync --harness pi`' },
  context_pointer: true,
  fields: UNREAD_FIELDS,
  user: {
    skill: { folders: ['.pi/agent/skills', '.agents/skills'], derive_compatibility: true },
    command: { path: '.pi/agent/prompts/{name}.md', ...PROMPT },
    rule: { into: 'block', path: '.pi/agent/AGENTS.md', modes: loadedAlways('pi', 'AGENTS.md') },
    hook: { ...hookModule({ ...HOST, path: '.pi/agent/extensions/catalog-{name}.ts' }), ...HOOK },
  },
});

/** A prompt template with the keys Pi knows; its placeholders are the canonical ones. */
function promptText(artifact: Artifact): string {
  return projectDocument(artifact, [
    ['description', artifact.description],
    ['argument-hint', authoredText(artifact, 'argument-hint')],
  ]);
}
