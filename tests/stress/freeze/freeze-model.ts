import type { FreezeWindow } from '@catalog/contract/records/freeze';

const HOUR_MS = 3_600_000;
const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** Window of the model: one period, or a period per week in local time. */
export type ModelWindow =
  | { kind: 'once'; name: string; start: number; end: number }
  | { kind: 'weekly'; name: string; zone: string; from: LocalTime; to: LocalTime };

interface LocalTime {
  day: number;
  hour: number;
}

export function toWindow(window: ModelWindow): FreezeWindow {
  const { name } = window;
  if (window.kind === 'once') {
    const [start, end] = [window.start, window.end].map((at) => new Date(at).toISOString());
    return { name, ...(start && { start }), ...(end && { end }), blocks: ['ingest'] };
  }
  const cron = ({ day, hour }: LocalTime): string => `0 ${hour} * * ${day}`;
  const { from, to, zone } = window;
  return { name, starts: cron(from), ends: cron(to), time_zone: zone, blocks: ['ingest'] };
}

/** Compares clock times only, so it knows nothing of offsets and their changes. */
export function isActive(window: ModelWindow, at: number): boolean {
  if (window.kind === 'once') return window.start <= at && at < window.end;
  const now = minuteOfWeek(window.zone, at);
  const [from, to] = [window.from, window.to].map(({ day, hour }) => (day * 24 + hour) * 60);
  if (from === undefined || to === undefined) return false;
  return from < to ? from <= now && now < to : now >= from || now < to;
}

function minuteOfWeek(timeZone: string, at: number): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(at);
  const value = (type: string): string => parts.find((part) => part.type === type)?.value ?? '';
  const day = DAYS.indexOf(value('weekday'));
  return (day * 24 + Number(value('hour'))) * 60 + Number(value('minute'));
}

interface Approval {
  change: string;
  approver: string;
  expires: number;
}

/** State that the specification predicts. */
export class FreezeModel {
  now: number;
  windows: readonly ModelWindow[] = [];
  pushed = 1;
  served = 1;
  is_frozen = false;
  #approvals: Approval[] = [];

  constructor(now: number) {
    this.now = now;
  }

  isActive(): boolean {
    return this.windows.some((window) => isActive(window, this.now));
  }

  approve(change: string, approver: string): void {
    const others = this.#approvals.filter(
      (given) => given.change !== change || given.approver !== approver,
    );
    this.#approvals = [...others, { change, approver, expires: this.now + HOUR_MS }];
  }

  isApproved(change: string, approvers: readonly string[]): boolean {
    const named = new Set(approvers);
    return named.size >= 2 && [...named].every((name) => this.#find(change, name) !== undefined);
  }

  use(change: string, approvers: readonly string[]): void {
    const used = new Set(approvers.map((name) => this.#find(change, name)));
    this.#approvals = this.#approvals.filter((given) => !used.has(given));
  }

  /** An ingest without approvals. */
  ingest(): void {
    if (this.isActive()) this.is_frozen = true;
    else this.#serve();
  }

  /** Returns true if the request is accepted. */
  reingest(approvers: readonly string[]): boolean {
    if (this.isActive()) {
      if (!this.isApproved('base', approvers)) return false;
      this.use('base', approvers);
    }
    this.#serve();
    return true;
  }

  /** Returns true if the request is accepted. */
  put(windows: readonly ModelWindow[], approvers: readonly string[]): boolean {
    const weakened = this.windows.filter(
      (window) => isActive(window, this.now) && !windows.some((next) => isKept(window, next)),
    );
    const isAllowed = weakened.every(({ name }) => this.isApproved(`window ${name}`, approvers));
    if (!isAllowed) return false;
    for (const { name } of weakened) this.use(`window ${name}`, approvers);
    this.windows = windows;
    return true;
  }

  endRound(): void {
    if (this.is_frozen && !this.isActive()) this.#serve();
  }

  #serve(): void {
    this.served = this.pushed;
    this.is_frozen = false;
  }

  #find(change: string, approver: string): Approval | undefined {
    return this.#approvals.find(
      (given) => given.change === change && given.approver === approver && given.expires > this.now,
    );
  }
}

/** The driver replaces a weekly window only by the same weekly window. */
function isKept(before: ModelWindow, after: ModelWindow): boolean {
  if (before.name !== after.name) return false;
  if (before.kind === 'weekly' || after.kind === 'weekly') return before.kind === after.kind;
  return after.start <= before.start && after.end >= before.end;
}
