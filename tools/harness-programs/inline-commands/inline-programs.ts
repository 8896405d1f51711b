import { inParallel } from '@catalog/core/in-parallel';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { claudeCode as claudeContent } from '../content/programs/claude-code.ts';
import { opencode as openCodeContent } from '../content/programs/opencode.ts';
import type { Session } from '../program.ts';
import { geminiHome, runGemini } from '../programs/gemini-cli.ts';
import { withConversation, runSealed } from '../run-sealed.ts';
import { writeText } from '../workspace.ts';
import type { CommandFolder } from './spelled-artifact.ts';
import type { Delivery, Spelling } from './spellings.ts';

export interface Invocation {
  name: string;
  words: string;
}

export interface InlineProgram {
  name: string;
  commands: CommandFolder;
  deliveries: readonly Delivery[];
  /** Excludes spellings that only cost time in this program. */
  takes?: (spelling: Spelling) => boolean;
  invoke: (session: Session, invocations: readonly Invocation[]) => Promise<void>;
}

function typed({ name, words }: Invocation): string {
  return words === '' ? `/${name}` : `/${name} ${words}`;
}

function messages(invocations: readonly Invocation[]): string {
  return invocations
    .map((invocation) =>
      JSON.stringify({ type: 'user', message: { role: 'user', content: typed(invocation) } }),
    )
    .map((line) => `${line}\n`)
    .join('');
}

/** A process that hangs is killed, and its remaining commands are lost. */
const PER_PROCESS = 40;
const CHUNK_TIMEOUT_MS = 900_000;

function* chunks<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < items.length; from += PER_PROCESS) {
    yield items.slice(from, from + PER_PROCESS);
  }
}

const STREAMED = ['--input-format', 'stream-json', '--output-format', 'stream-json'];

const claudeCode: InlineProgram = {
  name: 'claude-code',
  commands: { profile: 'claude-code', folder: '.claude/commands', extension: 'md' },
  deliveries: ['command', 'skill', 'file'],
  invoke: async (session, invocations) => {
    claudeContent.prepareHome(session);
    const { program, workspace, home, recorder } = session;
    for (const chunk of chunks(invocations)) {
      await runSealed({
        words: [...program.words, '-p', ...STREAMED, '--verbose', '--allowedTools', 'Bash'],
        cwd: workspace,
        home,
        env: { ANTHROPIC_BASE_URL: recorder.url, ANTHROPIC_API_KEY: 'none' },
        input: messages(chunk),
        timeout_ms: CHUNK_TIMEOUT_MS,
      });
    }
  },
};

/** Free in the network namespace of the run. */
const PORT = 4096;

const opencode: InlineProgram = {
  name: 'opencode',
  commands: { profile: 'opencode', folder: '.opencode/commands', extension: 'md' },
  deliveries: ['command', 'skill', 'file'],
  invoke: async (session, invocations) => {
    openCodeContent.prepareHome(session);
    const { program, workspace, home, server } = session;
    const serve = {
      words: [...program.words, 'serve', '--hostname', '127.0.0.1', '--port', String(PORT)],
      cwd: workspace,
      home,
      env: {
        PATH: `${join(home, 'bin')}:${server.env.PATH}`,
        OPENCODE_DISABLE_MODELS_FETCH: '1',
        OPENCODE_DISABLE_AUTOUPDATE: '1',
      },
    };
    await withConversation(serve, async () => {
      for (const { name, words } of invocations) {
        const { id } = await postOnceUp<{ id: string }>('/session', {});
        await postOnceUp(`/session/${id}/command`, { command: name, arguments: words });
      }
    });
  },
};

const START_TIMEOUT_MS = 600_000;

async function postOnceUp<T>(path: string, body: object): Promise<T> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const response = await fetch(`http://127.0.0.1:${PORT}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }).catch(() => undefined);
    if (response !== undefined) return Object(await response.json());
    if (Date.now() > deadline) throw new Error('OpenCode does not respond');
    await wait(200);
  }
}

/** Each session is a process that mostly waits. */
const AT_ONCE = 2;

const geminiCli: InlineProgram = {
  name: 'gemini-cli',
  commands: { profile: 'gemini-cli', folder: '.gemini/commands', extension: 'toml' },
  deliveries: ['command', 'file'],
  // The program starts a process for each command, and runs only commands in braces.
  takes: ({ form }) => form === 'brace',
  invoke: async (session, invocations) => {
    geminiHome(session);
    // Names the model, because Gemini CLI otherwise requests a model choice from another model.
    const how = ['--model', 'gemini-2.5-pro', '--approval-mode', 'yolo', '-o', 'stream-json'];
    await inParallel(invocations, { parallel: AT_ONCE }, async (invocation) => {
      // Gemini CLI fails if it cannot expand a command.
      await runGemini(session, [...how, '-p', typed(invocation)]).catch(() => undefined);
    });
  },
};

const qwen: InlineProgram = {
  name: 'qwen',
  commands: { profile: 'qwen', folder: '.qwen/commands', extension: 'md' },
  deliveries: ['command', 'file'],
  invoke: async ({ program, workspace, home, recorder }, invocations) => {
    const trusted = { [workspace]: 'TRUST_FOLDER' };
    writeText(join(home, '.qwen/trustedFolders.json'), JSON.stringify(trusted));
    const how = ['--auth-type', 'openai', '--approval-mode', 'yolo'];
    for (const chunk of chunks(invocations)) {
      await runSealed({
        words: [...program.words, ...how, ...STREAMED],
        cwd: workspace,
        home,
        env: {
          OPENAI_API_KEY: 'none',
          OPENAI_BASE_URL: `${recorder.url}/v1`,
          OPENAI_MODEL: 'recorder',
        },
        input: messages(chunk),
        timeout_ms: CHUNK_TIMEOUT_MS,
      });
    }
  },
};

export const inlinePrograms: readonly InlineProgram[] = [claudeCode, opencode, geminiCli, qwen];
