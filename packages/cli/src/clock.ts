export function now(): number {
  return performance.now();
}

export function currentTime(): number {
  return Date.now();
}
