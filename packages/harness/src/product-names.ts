/** Product names by the value of `--harness`, most used first. */
export const HARNESS_NAMES: Readonly<Record<string, string>> = {
  'claude-code': 'Claude Code',
  cursor: 'Cursor',
  codex: 'Codex',
  copilot: 'GitHub Copilot',
  'gemini-cli': 'Gemini CLI',
  opencode: 'OpenCode',
  'claude-desktop': 'Claude Desktop',
  'claude-cowork': 'Claude Cowork',
  cline: 'Cline',
  kiro: 'Kiro',
  amp: 'Amp',
  droid: 'Factory Droid',
  qwen: 'Qwen Code',
  goose: 'Goose',
  zed: 'Zed',
  kilo: 'Kilo Code',
  antigravity: 'Antigravity',
  devin: 'Devin',
  warp: 'Warp',
  junie: 'Junie',
  continue: 'Continue',
  augment: 'Augment',
  crush: 'Crush',
  'kimi-code': 'Kimi Code',
  'mistral-vibe': 'Mistral Vibe',
  openhands: 'OpenHands',
  'rovo-dev': 'Rovo Dev',
  hermes: 'Hermes Agent',
  pi: 'Pi',
  'agents-md': 'AGENTS.md',
};

export function harnessName(id: string): string {
  return HARNESS_NAMES[id] ?? id;
}
