import type { ToolCall } from '../model-answers.ts';
import type { Session } from '../program.ts';
import type { Step } from '../recorder.ts';

/** A tool of the project, which creates a file with the name of the agent that calls it. */
export interface ProjectTool {
  /** Adds the tool to the workspace or the home folder; the tool creates its files in `folder`. */
  write: (session: Session, folder: string) => void;
  call: (agent: string) => ToolCall;
}

/** How a program is driven through one session in which the model stand-in calls its tools. */
export interface ContentProgram {
  /** The word of `./dev harness-programs`. */
  name: string;
  prepareHome: (session: Session) => void;
  /** Runs one prompt to its end. */
  prompt: (session: Session, text: string) => Promise<void>;
  /** What a user types to run a command; absent if the program reads no commands. */
  command?: (name: string, words: string) => string;
  /** Loads a command, if the program leaves that to the model in sessions of one prompt. */
  loadCommand?: (name: string) => ToolCall;
  /** Changes the home folder before commands are run, for sessions in which they work. */
  beforeCommands?: (session: Session) => void;
  shell: (command: string) => ToolCall;
  read: (path: string) => ToolCall;
  write: (path: string) => ToolCall;
  /** Calls the tool of the local server; absent if the program declares no tools of servers. */
  mcp?: ToolCall;
  /** A tool that the project itself brings; absent if the program reads no such tools. */
  project_tool?: ProjectTool;
  /**
   * Starts an agent; further calls wait for it if it runs in the background. Absent if the program has
   * no agents.
   */
  agent?: (name: string, task: string) => readonly Step[];
  /** Loads a skill; absent if the model reads its file. */
  skill?: (name: string) => ToolCall;
}
