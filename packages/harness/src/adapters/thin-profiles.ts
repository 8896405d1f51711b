import type { AlsoRead, HarnessAdapter } from '../adapter.ts';
import { defineHarness } from '../define-harness.ts';
import { AS_SKILL, notWritten, onlyInWorkspace } from '../place/unsupported-feature.ts';
import { alwaysLoadedModes } from '../place/rule-modes.ts';
import { UNREAD_FIELDS } from '../place/unread-fields.ts';

/** Product that reads AGENTS.md and `.agents/skills`, and gets nothing else from catalog. */
export interface ThinProfile {
  id: string;
  tool: string;
  /** Files that only users of the product have. */
  detect: readonly string[];
  also_skills: readonly string[];
  also_rules: readonly AlsoRead[];
  /** Rules file in the home folder; undefined if none is documented. */
  home_rules?: string;
  /** True if no skills folder in the home folder is documented. */
  skills_only_in_workspace?: true;
}

/** Products with their paths. `tools/harness-programs/sources.ts` names the documentation. */
export const THIN_PROFILES: readonly ThinProfile[] = [
  {
    id: 'augment',
    tool: 'Augment',
    detect: ['.augment', '.augment-guidelines'],
    also_skills: ['.augment/skills', '.claude/skills'],
    also_rules: [{ path: 'CLAUDE.md' }],
  },
  {
    id: 'crush',
    tool: 'Crush',
    detect: ['.crush', '.crush.json', 'crush.json', 'CRUSH.md'],
    also_skills: ['.crush/skills', '.claude/skills', '.cursor/skills'],
    also_rules: [{ path: 'CLAUDE.md' }, { path: 'GEMINI.md' }],
    skills_only_in_workspace: true,
  },
  {
    id: 'kimi-code',
    tool: 'Kimi Code',
    detect: ['.kimi-code'],
    also_skills: ['.kimi-code/skills'],
    also_rules: [],
    home_rules: '.agents/AGENTS.md',
  },
  {
    id: 'mistral-vibe',
    tool: 'Mistral Vibe',
    detect: ['.vibe'],
    also_skills: ['.vibe/skills'],
    also_rules: [],
  },
  {
    id: 'openhands',
    tool: 'OpenHands',
    detect: ['.openhands'],
    also_skills: [],
    also_rules: [],
    skills_only_in_workspace: true,
  },
  {
    id: 'rovo-dev',
    tool: 'Rovo Dev',
    detect: ['.rovodev'],
    also_skills: ['.rovodev/skills'],
    also_rules: [],
    home_rules: '.rovodev/AGENTS.md',
  },
];

export const thinProfiles: readonly HarnessAdapter[] = THIN_PROFILES.map(toAdapter);

function toAdapter(row: ThinProfile): HarnessAdapter {
  const { id, tool, detect, also_skills, also_rules, home_rules } = row;
  const notFor = (what: string): ReturnType<typeof notWritten> => notWritten(id, what, AS_SKILL);
  const home_skills = row.skills_only_in_workspace === true && {
    skill: onlyInWorkspace(id, 'skills'),
  };
  return defineHarness({
    id,
    summary: `${tool}: AGENTS.md, .agents/skills`,
    revision: 1,
    detect,
    also_reads: also_rules,
    skill: { folders: ['.agents/skills', ...also_skills], derive_compatibility: true },
    agent: notFor('agents'),
    command: notFor('commands'),
    rule: { into: 'block', path: 'AGENTS.md', modes: alwaysLoadedModes(id, 'AGENTS.md') },
    hook: notWritten(id, 'hooks', 'add the hook in its own settings'),
    mcp_server: notWritten(id, 'MCP servers', 'add the server in its own settings'),
    context_pointer: true,
    fields: UNREAD_FIELDS,
    user: {
      ...home_skills,
      rule:
        home_rules === undefined
          ? onlyInWorkspace(id, 'rules')
          : { into: 'block', path: home_rules, modes: alwaysLoadedModes(id, 'AGENTS.md') },
    },
  });
}
