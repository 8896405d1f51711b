import type { HarnessProgram } from '../program.ts';
import { agentPluginsSchema } from './agent-plugins-schema.ts';
import { amp } from './amp.ts';
import { claudeCode } from './claude-code.ts';
import { claudeCowork, claudeDesktop } from './claude-others.ts';
import { codex } from './codex.ts';
import { copilot } from './copilot.ts';
import { cursorSchema } from './cursor-schema.ts';
import { droid } from './droid.ts';
import { geminiCli } from './gemini-cli.ts';
import { hermes } from './hermes.ts';
import { kilo } from './kilo.ts';
import { opencode } from './opencode.ts';
import { pi } from './pi.ts';
import { publishedLayouts } from './published-layouts.ts';
import { qwen } from './qwen.ts';
import { skillsRef } from './skills-ref.ts';

/** Programs that work without a network and a login precede those that are checked with schemas. */
export const programs: readonly HarnessProgram[] = [
  claudeCode,
  codex,
  skillsRef,
  geminiCli,
  opencode,
  pi,
  copilot,
  kilo,
  droid,
  hermes,
  amp,
  qwen,
  claudeDesktop,
  claudeCowork,
  cursorSchema,
  agentPluginsSchema,
  ...publishedLayouts,
];
