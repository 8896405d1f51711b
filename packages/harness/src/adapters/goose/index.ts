import { defineHarness } from '../../define-harness.ts';
import { AS_SKILL, notWritten, onlyInWorkspace } from '../../place/unsupported-feature.ts';
import { alwaysLoadedModes } from '../../place/rule-modes.ts';
import { UNREAD_FIELDS } from '../../place/unread-fields.ts';

const ID = 'goose';

export const goose = defineHarness({
  id: ID,
  summary: 'Goose: AGENTS.md, .goose/skills',
  revision: 2,
  detect: ['.goose', '.goosehints'],
  adopt: { prose: ['.goosehints'] },
  skill: { folders: ['.goose/skills', '.agents/skills'], derive_compatibility: true },
  agent: notWritten(ID, 'agents', AS_SKILL),
  command: notWritten(ID, 'recipes', AS_SKILL),
  rule: { into: 'block', path: 'AGENTS.md', modes: alwaysLoadedModes(ID, 'AGENTS.md') },
  hook: notWritten(ID, 'the plugins its hooks belong to', 'write one in .agents/plugins'),
  mcp_server: notWritten(ID, 'extensions', 'add it with "goose configure"'),
  context_pointer: true,
  fields: UNREAD_FIELDS,
  user: {
    skill: { folders: ['.config/goose/skills'], derive_compatibility: true },
    rule: onlyInWorkspace(ID, 'rules'),
  },
});
