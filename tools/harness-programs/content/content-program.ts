import type { ToolCall } from '../model-answers.ts';
import type { Session } from '../program.ts';
import type { Step } from '../recorder.ts';

export interface ProjectTool {
  /** Adds the tool to the workspace or the home folder; the tool creates its files in `folder`. */
  write: (session: Session, folder: string) => void;
  call: (agent: string) => ToolCall;
}

export interface ContentProgram {
  name: string;
  prepareHome: (session: Session) => void;
  prompt: (session: Session, text: string) => Promise<void>;
  /** Absent if the program does not support commands. */
  command?: (name: string, words: string) => string;
  /** Absent unless the program leaves loading to the model in sessions with one prompt. */
  loadCommand?: (name: string) => ToolCall;
  beforeCommands?: (session: Session) => void;
  shell: (command: string) => ToolCall;
  read: (path: string) => ToolCall;
  write: (path: string) => ToolCall;
  /** Absent if the program does not offer server tools to the model. */
  mcp?: ToolCall;
  /** Absent if the program does not support tools from the project. */
  project_tool?: ProjectTool;
  /** Waits for an agent that runs in the background. Absent if the program has no agents. */
  agent?: (name: string, task: string) => readonly Step[];
  /** Absent if the model reads the file of the skill. */
  skill?: (name: string) => ToolCall;
}
