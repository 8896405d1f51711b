import type { ProseRule } from '../rule.ts';
import { excerpt } from '../sentences.ts';

interface Term {
  pattern: RegExp;
  use: string;
}

/** Verbs after which `answer` is a verb. */
const AUXILIARY = '(?:to|must|may|can|cannot|will|not|should|would|could|did|does)';

/**
 * Only words that a pattern can find without matching ordinary English. For words that would need a
 * parser (refuse, address, ask), only unambiguous forms are listed.
 */
export const TERMS: readonly Term[] = [
  { pattern: /\banswer(?:ed|ing)\b/, use: 'respond or return' },
  {
    pattern:
      /(?<!\b(?:the|your|their|these|those|its|of|and|or|no|model|both|all|two|different|same|new|with|'s) )\banswers\b/,
    use: 'responds, returns',
  },
  {
    pattern: new RegExp(
      `\\b${AUXILIARY} answer\\b(?! (?:the|a|every|each|this|these) (?:prompt|question))`,
    ),
    use: 'respond, return',
  },
  { pattern: /\b(?:HTTP|an|every|any) answer (?:carries|has|is|from)\b/, use: 'response' },
  { pattern: /\b(?:says|tells)\b/, use: 'reports, prints, shows' },
  {
    pattern: /\b(?:is|are|was|were|be|been) (?:said|told)\b/,
    use: 'is reported, is shown, receives',
  },
  { pattern: /\btold apart\b/, use: 'authenticated, identified, distinguished' },
  { pattern: /\bwho asks\b|\bwho(?:ever)? is asking\b/, use: 'the caller' },
  { pattern: /\b(?:is|are|was|were|be|been|not) taken\b/, use: 'accepted, ingested, used' },
  { pattern: /\btakes? (?:it|them) otherwise\b|\btake otherwise\b/, use: 'converts' },
  { pattern: /(?<!\bconnection )\b(?:is|are|was|were|be) refused\b/, use: 'is rejected' },
  {
    pattern:
      /\bstands\b|\b(?:to|must|may|can|cannot|will|not|should) stand\b(?! (?:in|alone|out|by)\b)/,
    use: 'is, appears',
  },
  { pattern: /\b(?:is|are|was|were|be|been) away\b/, use: 'is unavailable' },
  { pattern: /\b(?:is|are) there again\b/, use: 'has recovered' },
  { pattern: /\bso many\b/, use: 'a maximum or a limit' },
  { pattern: /\blengths? of time\b/, use: 'duration' },
  {
    pattern:
      /\baddress(?:es)? of (?:an?|the|its|your|another) (?:registry|layer|repository|resource|source|server|provider|issuer|endpoint|page)\b/,
    use: 'URL',
  },
  { pattern: /\ba(?:new|fresh)\b/, use: 'again' },
  { pattern: /\bbeside\b/, use: 'next to, in addition to, alongside' },
  { pattern: /\bfor ever\b/, use: 'forever' },
  { pattern: /\bby (?:itself|themselves)\b/, use: 'automatically, on its own' },
  { pattern: /\b(?:goes|went) on\b/, use: 'continues, resumes' },
  {
    pattern: /\ba text\b(?!-)(?! (?:file|editor|format|field|box|search|block|document|body)\b)/,
    use: 'a string',
  },
  {
    pattern: /\bhidden equals absent\b/,
    use: 'hidden resources return the same response as missing ones',
  },
  { pattern: /\b(?:the|our|this) house\b(?! style)/, use: 'the codebase' },
  { pattern: /\b(?:one|a|the|own) door\b/, use: 'entry point' },
  { pattern: /\bone piece\b/, use: 'module, function' },
  { pattern: /\bthe law\b/, use: 'the specification' },
  { pattern: /\brequirement rows?\b|\brows? of the specification\b/, use: 'requirement' },
  { pattern: /\b(?:bare|each|one|every|two) figures?\b/, use: 'benchmark' },
  { pattern: /\blook(?:s|ed)? (?:at|whether)\b/, use: 'checks, reads' },
  {
    pattern: /\b(?:undefined|empty|absent|null|none|unset|missing|false|true|zero) where\b/,
    use: 'if',
  },
  {
    pattern:
      /(?<!\b[Tt]here |\bthat )\b(?:is|are|was|were|be) no (?!longer\b|more\b|less\b|later\b|newer\b|older\b|different\b|need\b)/,
    use: 'is not a',
  },
  { pattern: /(?<!\b[Tt]here )\b(?:is|are) none\b/, use: 'is not one' },
  { pattern: /\bmend(?:s|ed|ing)?\b/, use: 'fix' },
  { pattern: /\bunder ?way\b/, use: 'in progress' },
  { pattern: /(?<!\b(?:not|never|n't|longer|nothing) )\b(?:has|have) to\b/, use: 'must, needs to' },
  {
    pattern: /\b(?:nobody|somebody|everybody|anybody|whoever)\b/,
    use: 'the caller, the user, no caller',
  },
  { pattern: /\bperson's\b|\bpeople's\b/, use: "the user's" },
  { pattern: /\bwhat (?:was|is|has been) delivered\b/, use: 'installed files, managed files' },
  { pattern: /\bbegun word\b/, use: 'prefix' },
  { pattern: /\bmisspelt(?: word)?\b/, use: 'typo' },
  { pattern: /\bwaits? for (?:its|their|a) vectors?\b/, use: 'pending embedding' },
  { pattern: /\bany more\b(?! (?:than|of)\b)/, use: 'no longer' },
  { pattern: /\ban? [\w-]+(?: [\w-]+)? of (?:its|their|your|our|his) own\b/, use: 'its own …' },
  { pattern: /\bin the moment\b/, use: 'at the moment, when' },
  { pattern: /\bwhole numbers?\b/, use: 'integer' },
  {
    pattern: /\b[Tt]ry whether\b|\b[Ss]ay (?:who|whether|which|what|how)\b/,
    use: 'check, show',
  },
];

const COMPILED = TERMS.map(({ pattern, use }) => ({ anywhere: new RegExp(pattern, 'gi'), use }));

export const vocabulary: ProseRule = {
  id: 'vocabulary',
  check: ({ text }) =>
    COMPILED.flatMap(({ anywhere, use }) =>
      [...text.matchAll(anywhere)].map((match) => ({
        start: match.index,
        end: match.index + match[0].length,
        message: `${excerpt(match[0])}: write ${use}.`,
      })),
    ),
};
