export const ANY_NUMBER = Symbol('any number of items');

export type Step<Item> = ((item: Item) => boolean) | typeof ANY_NUMBER;

/**
 * Matches a pattern and backtracks only to the last `ANY_NUMBER`. A regular expression could take minutes for a dozen
 * characters (T33).
 */
export function matchWild<Item>(steps: readonly Step<Item>[], items: readonly Item[]): boolean {
  let step = 0;
  let index = 0;
  let retryStep = -1;
  let retryIndex = 0;
  for (let item = items[0]; item !== undefined; item = items[index]) {
    const current = steps[step];
    if (current === ANY_NUMBER) {
      retryStep = step;
      retryIndex = index;
      step += 1;
    } else if (current?.(item) === true) {
      step += 1;
      index += 1;
    } else {
      if (retryStep === -1) return false;
      step = retryStep + 1;
      retryIndex += 1;
      index = retryIndex;
    }
  }
  while (steps[step] === ANY_NUMBER) step += 1;
  return step === steps.length;
}
