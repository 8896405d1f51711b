import type { HarnessProgram } from '../program.ts';
import {
  antigravityRule,
  antigravityServer,
  antigravityWorkflow,
  clineRule,
  continuePrompt,
  continueRule,
  continueServer,
  devinRule,
  junieAgent,
  junieCommand,
  kiroAgent,
  kiroServer,
  kiroSteering,
  noFrontmatter,
  plainServer,
  zedServer,
} from '../schemas/documented.ts';
import { antigravityHookFile, clineHookFiles, devinHookFile, kiroHookFiles } from './hook-files.ts';
import { publishedLayout } from './published-layout.ts';

const VERSION = 'documentation, 2026-08';
const NEWER = 'documentation, 2026-11';

const kiro = publishedLayout({
  name: 'kiro-schema',
  title: 'Kiro, by its documentation',
  version: NEWER,
  profile: 'kiro',
  stands_in: 'Kiro is a desktop application, its command line is in no package registry',
  skills: '.kiro/skills',
  rules: {
    folder: '.kiro/steering',
    frontmatter: kiroSteering,
    breaks: ['fileMatchPattern:', 'globs:'],
  },
  agents: {
    folder: '.kiro/agents',
    frontmatter: kiroAgent,
    breaks: ['description:', 'summary:'],
  },
  commands: { folder: '.kiro/prompts', frontmatter: noFrontmatter },
  hooks: kiroHookFiles,
  servers: {
    file: '.kiro/settings/mcp.json',
    container: 'mcpServers',
    entry: kiroServer,
    secrets: true,
  },
});

const zed = publishedLayout({
  name: 'zed-schema',
  title: 'Zed, by its documentation',
  version: VERSION,
  profile: 'zed',
  stands_in: 'Zed is a desktop application and in no package registry',
  skills: '.agents/skills',
  rules: 'AGENTS.md',
  servers: {
    file: '.zed/settings.json',
    container: 'context_servers',
    entry: zedServer,
    secrets: false,
  },
});

const antigravity = publishedLayout({
  name: 'antigravity-schema',
  title: 'Antigravity, by its documentation',
  version: NEWER,
  profile: 'antigravity',
  stands_in: 'Antigravity comes from an installer of its own and asks for a login',
  skills: '.agents/skills',
  rules: {
    folder: '.agents/rules',
    frontmatter: antigravityRule,
    breaks: ['trigger: glob', 'trigger: files'],
  },
  commands: { folder: '.agents/workflows', frontmatter: antigravityWorkflow },
  hooks: antigravityHookFile,
  servers: {
    file: '.agents/mcp_config.json',
    container: 'mcpServers',
    entry: antigravityServer,
    secrets: false,
  },
});

const cline = publishedLayout({
  name: 'cline-schema',
  title: 'Cline, by its documentation',
  version: NEWER,
  profile: 'cline',
  stands_in: 'the command line of Cline lists what it loaded in a terminal only',
  skills: '.cline/skills',
  rules: { folder: '.clinerules', frontmatter: clineRule, breaks: ['paths:', 'globs:'] },
  commands: { folder: '.clinerules/workflows', frontmatter: noFrontmatter },
  hooks: clineHookFiles,
});

const devin = publishedLayout({
  name: 'devin-schema',
  title: 'Devin, by its documentation',
  version: NEWER,
  profile: 'devin',
  stands_in: 'Devin is in no package registry',
  skills: '.devin/skills',
  rules: {
    folder: '.devin/rules',
    frontmatter: devinRule,
    breaks: ['trigger: glob', 'trigger: files'],
  },
  hooks: devinHookFile,
  servers: {
    file: '.devin/mcp_config.json',
    container: 'mcpServers',
    entry: plainServer,
    secrets: false,
  },
});

const warp = publishedLayout({
  name: 'warp-schema',
  title: 'Warp, by its documentation',
  version: NEWER,
  profile: 'warp',
  stands_in: 'Warp is a desktop application and in no package registry',
  skills: '.agents/skills',
  rules: 'AGENTS.md',
  servers: {
    file: '.warp/.mcp.json',
    container: 'mcpServers',
    entry: plainServer,
    secrets: true,
  },
});

const junie = publishedLayout({
  name: 'junie-schema',
  title: 'Junie, by its documentation',
  version: NEWER,
  profile: 'junie',
  stands_in: 'the package of Junie only downloads the program',
  skills: '.junie/skills',
  rules: 'AGENTS.md',
  agents: {
    folder: '.junie/agents',
    frontmatter: junieAgent,
    breaks: ['description:', 'summary:'],
  },
  commands: { folder: '.junie/commands', frontmatter: junieCommand },
  servers: {
    file: '.junie/mcp/mcp.json',
    container: 'mcpServers',
    entry: plainServer,
    secrets: false,
  },
});

const continueDev = publishedLayout({
  name: 'continue-schema',
  title: 'Continue, by its documentation',
  version: NEWER,
  profile: 'continue',
  stands_in: 'the command line of Continue loads only a part of what its extensions load',
  skills: '.continue/skills',
  rules: { folder: '.continue/rules', frontmatter: continueRule, breaks: ['globs:', 'paths:'] },
  commands: { folder: '.continue/prompts', frontmatter: continuePrompt },
  servers: {
    file: '.continue/mcpServers/mcp.json',
    container: 'mcpServers',
    entry: continueServer,
    secrets: false,
  },
});

const goose = publishedLayout({
  name: 'goose-schema',
  title: 'Goose, by its documentation',
  version: VERSION,
  profile: 'goose',
  stands_in: 'Goose is in no package registry',
  skills: '.goose/skills',
  rules: 'AGENTS.md',
});

/** These products need a network and a login. */
export const publishedLayouts: readonly HarnessProgram[] = [
  kiro,
  zed,
  antigravity,
  cline,
  devin,
  warp,
  junie,
  continueDev,
  goose,
];
