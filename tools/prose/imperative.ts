const NOT_VERBS =
  /^(?:the|a|an|what|who|where|how|when|which|whether|this|that|these|all|every|each|it|we|now|no|one|some)$/i;
/** Third person ("lists"), past tense ("listed") and participle ("listing"). */
const INFLECTED = /(?:[^su]s|ied|[^e]ed|ing)$/i;
const IRREGULAR_PAST =
  /^(?:made|wrote|kept|built|ran|took|gave|found|sent|held|began|did|was|were|is|are|has|had)$/i;
const EXCEPTIONS: ReadonlySet<string> = new Set([
  'alias',
  'bias',
  'bring',
  'canvas',
  'embed',
  'ping',
  'shed',
  'string',
]);

export function canBeImperative(word: string): boolean {
  const verb = word.toLowerCase().replace(/[^a-z]+$/, '');
  if (EXCEPTIONS.has(verb)) return true;
  return !NOT_VERBS.test(verb) && !INFLECTED.test(verb) && !IRREGULAR_PAST.test(verb);
}
