/** Every page of a product shows this. */
export interface HarnessSource {
  tool: string;
  /** `YYYY-MM-DD`. */
  checked: string;
  /** Markdown. */
  sources: string;
  /** Only for a product that no check starts. */
  package?: { name: string; version: string };
}

const RAN = 'The program itself, run without a network with a model stand-in, and';

export const harnessSources: Readonly<Record<string, HarnessSource>> = {
  'claude-code': {
    tool: 'Claude Code',
    checked: '2026-11-16',
    sources: `${RAN} <https://code.claude.com/docs>.`,
  },
  'claude-desktop': {
    tool: 'Claude Desktop',
    checked: '2026-11-16',
    sources:
      'The pages on the desktop app at <https://code.claude.com/docs>. Claude Code checks the marketplace; the app was not run.',
  },
  'claude-cowork': {
    tool: 'Claude Cowork',
    checked: '2026-11-16',
    sources:
      'The pages on skills and plugin marketplaces at <https://code.claude.com/docs>. Claude Code checks the marketplace; the product was not run.',
  },
  cursor: {
    tool: 'Cursor',
    checked: '2026-11-16',
    sources:
      'The schemas and plugins of <https://github.com/cursor/plugins> (commit 100d651c), and the pages on rules, skills, hooks and plugins at <https://cursor.com/docs>. Cursor is in no package registry and was not run.',
  },
  opencode: {
    tool: 'OpenCode',
    checked: '2026-11-16',
    sources: `${RAN} <https://opencode.ai/docs>.`,
  },
  codex: {
    tool: 'Codex',
    checked: '2026-11-16',
    sources: `${RAN} <https://github.com/openai/codex>.`,
  },
  'gemini-cli': {
    tool: 'Gemini CLI',
    checked: '2026-11-16',
    sources: `${RAN} <https://github.com/google-gemini/gemini-cli/tree/main/docs>.`,
  },
  pi: {
    tool: 'Pi',
    checked: '2026-11-19',
    sources: `${RAN} The pages in its package, such as \`docs/mcp.md\`, and <https://github.com/badlogic/pi-mono>.`,
  },
  hermes: {
    tool: 'Hermes',
    checked: '2026-11-16',
    sources: `${RAN} <https://github.com/NousResearch/hermes-agent>.`,
  },
  copilot: {
    tool: 'Copilot CLI',
    checked: '2026-11-17',
    sources:
      'The changelog of Copilot CLI 1.0.102 and runs of that program with a model stand-in, November 2026. The statements about VS Code are second-hand, from [its documentation](https://code.visualstudio.com/docs/agent-customization/agent-skills), seen on 2026-11-17.',
  },
  amp: { tool: 'Amp', checked: '2026-11-16', sources: `${RAN} <https://ampcode.com/manual>.` },
  cline: {
    tool: 'Cline',
    checked: '2026-11-17',
    sources:
      'The source of Cline 4.1.13 (`apps/vscode/src/core/hooks`, `apps/vscode/src/sdk/hooks-adapter.ts` and `sdk/packages/core/src/hooks`, commit of 2026-08-22), and the [page about hooks](https://docs.cline.bot/customization/hooks) for the eight events. Nothing here was tried with the program.',
  },
  kiro: {
    tool: 'Kiro',
    checked: '2026-11-17',
    sources:
      "[hooks](https://kiro.dev/docs/cli/v3/hooks/) and [agent configuration](https://kiro.dev/docs/cli/v3/agent-config/) of version 3, and [custom agents](https://kiro.dev/docs/custom-agents/), in copies of Kiro's own pages. Second-hand, from a dated summary of those pages: the members of the object on stdin, `SessionEnd`, and `~/.kiro/hooks`. Names of tools in the editor are second-hand as well. Nothing here was tried with the program.",
  },
  droid: { tool: 'Droid', checked: '2026-11-16', sources: `${RAN} <https://docs.factory.ai>.` },
  qwen: {
    tool: 'Qwen Code',
    checked: '2026-11-16',
    sources: `${RAN} <https://github.com/QwenLM/qwen-code/tree/main/docs>.`,
  },
  zed: {
    tool: 'Zed',
    checked: '2026-11-16',
    sources:
      'The pages on rules, skills and MCP at <https://zed.dev/docs>. Zed is in no package registry and was not run.',
  },
  goose: {
    tool: 'Goose',
    checked: '2026-11-16',
    sources:
      'The pages on hints, skills and extensions at <https://goose-docs.ai>. Goose is in no package registry and was not run.',
  },
  kilo: { tool: 'Kilo', checked: '2026-11-16', sources: `${RAN} <https://kilo.ai/docs>.` },
  antigravity: {
    tool: 'Google Antigravity',
    checked: '2026-11-17',
    sources:
      'All second-hand: summaries that other projects wrote of <https://antigravity.google/docs/hooks>, <https://antigravity.google/docs/mcp> and <https://antigravity.google/docs/skills>, of 2026-10 and 2026-08, and their tests with `agy` 1.1. Nothing here was tried with the program.',
  },
  devin: {
    tool: 'Devin Desktop',
    checked: '2026-11-17',
    sources:
      "Docs.devin.ai, the pages on rules, skills, hooks and MCP of `cli/extensibility`. Second-hand, from other projects that track the product: the name `mcp_config.json`, the form of `globs`, the limit of 12,000 characters, the event `PostCompaction`, and the place of a user's hooks. Devin is in no package registry and was not run.",
  },
  warp: {
    tool: 'Warp',
    checked: '2026-11-17',
    sources:
      "The program's source code (github.com/warpdotdev/warp, August 2026: `skill_provider.rs`, `global_rules.rs`, `file_mcp_watcher.rs`) and docs.warp.dev, the pages on rules, skills and MCP. That Warp asks before it starts a server is second-hand. Warp is in no package registry and was not run.",
  },
  junie: {
    tool: 'JetBrains Junie',
    checked: '2026-11-17',
    sources:
      'The documentation at junie.jetbrains.com, in a copy of its text from mid-2026: guidelines, agent skills, subagents, custom slash commands, MCP, extensions, hooks. The package `@jetbrains/junie` 3110.7.0 only downloads the program, which was not run. Second-hand: newer releases add `.junie/rules/*.md` to `AGENTS.md`; catalog does not write there.',
    package: { name: '@jetbrains/junie', version: '3110.7.0' },
  },
  continue: {
    tool: 'Continue',
    checked: '2026-11-17',
    sources:
      'The package `@continuedev/cli` 1.5.47 from npm, the source code of the extensions (github.com/continuedev/continue, June 2026) and docs.continue.dev, the pages on rules, prompts and MCP. `cn` was run with a model stand-in: it loaded each skill, each rule of mode `always` and `AGENTS.md` once, and none of the rest. The extensions were not run.',
    package: { name: '@continuedev/cli', version: '1.5.47' },
  },
  augment: {
    tool: 'Augment',
    checked: '2026-11-19',
    sources:
      'The pages [skills](https://docs.augmentcode.com/cli/skills) and [rules](https://docs.augmentcode.com/cli/rules) of Auggie. It was not run.',
  },
  crush: {
    tool: 'Crush',
    checked: '2026-11-19',
    sources:
      "Crush's own skill about its configuration (`internal/skills/builtin/crush-config/SKILL.md`) and the default context files in `internal/config/config.go`, in <https://github.com/charmbracelet/crush>. It was not run.",
  },
  'kimi-code': {
    tool: 'Kimi Code',
    checked: '2026-11-19',
    sources:
      'The pages on skills, agents and data locations in `docs/en` of <https://github.com/MoonshotAI/kimi-code>. It was not run.',
  },
  'mistral-vibe': {
    tool: 'Mistral Vibe',
    checked: '2026-11-19',
    sources: 'The README of <https://github.com/mistralai/mistral-vibe>. It was not run.',
  },
  openhands: {
    tool: 'OpenHands',
    checked: '2026-11-19',
    sources: 'The page [skills](https://docs.openhands.dev/overview/skills). It was not run.',
  },
  'rovo-dev': {
    tool: 'Rovo Dev',
    checked: '2026-11-19',
    sources:
      'The pages [skills](https://support.atlassian.com/rovo/docs/extend-rovo-dev-cli-with-agent-skills) and [memory](https://support.atlassian.com/rovo/docs/use-memory-in-rovo-dev-cli) of Rovo Dev CLI. It was not run.',
  },
  'agents-md': {
    tool: 'Any agent that reads AGENTS.md',
    checked: '2026-11-16',
    sources:
      '<https://agents.md> and <https://agentskills.io/specification>; the validator of the latter checks the skills.',
  },
};
