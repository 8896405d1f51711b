import type { ServerContext } from '@modelcontextprotocol/server';
import { now } from './clock.ts';

/** A host shows progress to a person; more often than this nobody sees it. */
const INTERVAL_MS = 100;

/** Tells the host how far a call has come, if it asked for that. */
export function openProgress(
  { mcpReq }: ServerContext,
  report: (error: unknown) => void,
): (done: number, total: number) => void {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return () => undefined;
  let told = 0;
  let last = 0;
  return (done, total) => {
    if (done <= told || mcpReq.signal.aborted) return;
    if (done < total && now() - last < INTERVAL_MS) return;
    told = done;
    last = now();
    const params = { progressToken, progress: done, total };
    mcpReq.notify({ method: 'notifications/progress', params }).catch(report);
  };
}
