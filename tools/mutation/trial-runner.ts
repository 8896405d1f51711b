import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyTree } from './copy-tree.ts';
import type { Trial, TrialAnswer } from './worker.ts';

const WORKER = join(import.meta.dirname, 'worker.ts');

/** If a mutant hangs, its process is killed and the next trial starts a new one. */
export class TrialRunner {
  readonly tree: string;
  #process: ChildProcess | undefined;

  constructor(root: string) {
    this.tree = copyTree(root);
  }

  /** `original` is restored after a timeout. */
  async run(trial: Trial, original: string, timeoutMs: number): Promise<TrialAnswer | 'timeout'> {
    const worker = await this.#ready();
    worker.send(trial);
    const answer = await answerWithin(worker, timeoutMs);
    if (answer === 'timeout') {
      this.#stop();
      writeFileSync(join(this.tree, trial.file), original);
    }
    return answer;
  }

  close(): void {
    this.#stop();
    rmSync(this.tree, { recursive: true, force: true });
  }

  async #ready(): Promise<ChildProcess> {
    if (this.#process) return this.#process;
    // A separate process group, so that processes started by tests are killed with it.
    const worker = fork(WORKER, [this.tree], {
      cwd: this.tree,
      detached: true,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    await once(worker, 'message');
    this.#process = worker;
    return worker;
  }

  #stop(): void {
    const pid = this.#process?.pid;
    this.#process = undefined;
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  }
}

function answerWithin(worker: ChildProcess, timeoutMs: number): Promise<TrialAnswer | 'timeout'> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => settle(() => resolve('timeout')), timeoutMs);
    worker.on('message', onMessage).on('exit', onExit);

    function onMessage(answer: TrialAnswer): void {
      settle(() => resolve(answer));
    }
    function onExit(code: number | null): void {
      settle(() => reject(new Error(`the test process ended with ${code ?? 'a signal'}`)));
    }
    function settle(act: () => void): void {
      clearTimeout(timer);
      worker.off('message', onMessage).off('exit', onExit);
      act();
    }
  });
}
