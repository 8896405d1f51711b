import type { ServerResponse } from 'node:http';
import type { ResolvedCaller } from '../registry/access/resolve-caller.ts';
import type { CallContext } from '../registry/registry.ts';

/** Context of a request. A class, because an object literal would create the getter for every request. */
export class RequestContext implements CallContext {
  readonly tenant: CallContext['tenant'];
  readonly caller: CallContext['caller'];
  readonly revision: CallContext['revision'];
  readonly record: CallContext['record'];
  readonly trace_id: string;
  readonly #outgoing: ServerResponse;
  #aborting: AbortController | undefined;

  constructor(
    { tenant, caller, revision, record }: ResolvedCaller,
    trace_id: string,
    outgoing: ServerResponse,
  ) {
    this.tenant = tenant;
    this.caller = caller;
    this.revision = revision;
    this.record = record;
    this.trace_id = trace_id;
    this.#outgoing = outgoing;
  }

  /** The signal is created on first use, because most requests never need it. */
  get signal(): AbortSignal {
    this.#aborting ??= abortOnDisconnect(this.#outgoing);
    return this.#aborting.signal;
  }
}

function abortOnDisconnect(outgoing: ServerResponse): AbortController {
  const aborting = new AbortController();
  if (outgoing.destroyed) aborting.abort();
  else {
    outgoing.once('close', () => {
      if (!outgoing.writableFinished) aborting.abort();
    });
  }
  return aborting;
}
