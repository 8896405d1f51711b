import {
  listSteps,
  listValueFlags,
  type OfferedFlag,
  type Offer,
  type Place,
} from './list-places.ts';

/** Renders completions for fish 3 or later. */
export function renderFish(places: readonly Place[]): string {
  const takesNextWord = listValueFlags(places)
    .filter(({ value }) => value === 'required')
    .flatMap(({ spellings }) => spellings);
  const lines = places.flatMap((place) => [
    ...place.flags.map((flag) => flagLine(place.path, flag)),
    ...place.offers.flatMap((offer, position) => offerLines(place.path, position, offer)),
  ]);
  return `# fish completion for catalog. Save it as ~/.config/fish/completions/catalog.fish
# Succeeds when the words so far are the command $argv[1] with $argv[2] arguments after it.
function __catalog_at
    set -l command
    set -l position 0
    set -l skip 0
    for word in (commandline -opc)[2..-1]
        if test $skip = 1
            set skip 0
            continue
        end
        switch $word
            case ${takesNextWord.join(' ')}
                set skip 1
            case '-*'
            case '*'
                switch "$command/$word"
                    case ${listSteps(places)
                      .map(({ from, word }) => quote(`${from}/${word}`))
                      .join(' ')}
                        set -a command $word
                    case '*'
                        set position (math $position + 1)
                end
        end
    end
    test "$command" = "$argv[1]"
    and begin
        test (count $argv) -lt 2
        or test $position = "$argv[2]"
    end
end

complete -c catalog -f
${lines.join('\n')}
`;
}

function flagLine(path: string, { spellings, summary, value, offer }: OfferedFlag): string {
  const names = spellings.map((spelling) =>
    spelling.startsWith('--') ? `-l ${spelling.slice(2)}` : `-s ${spelling.slice(1)}`,
  );
  const argument = value === 'none' ? '' : valuePart(offer, value);
  return `complete -c catalog -n ${quote(`__catalog_at ${quoteInner(path)}`)} ${names.join(' ')}${argument} -d ${quote(summary)}`;
}

function valuePart(offer: Offer | undefined, value: 'required' | 'joined'): string {
  const required = value === 'required' ? ' -r' : '';
  if (offer === undefined) return required;
  if (offer.kind !== 'words') return `${required} ${fromDisk(offer.kind)}`;
  return `${required} -a ${quote(offer.words.map(({ word }) => word).join(' '))}`;
}

function offerLines(path: string, position: number, offer: Offer): string[] {
  const start = `complete -c catalog -n ${quote(`__catalog_at ${quoteInner(path)} ${position}`)}`;
  const words = offer.words.map(({ word, summary }) =>
    summary === '' ? `${start} -a ${word}` : `${start} -a ${word} -d ${quote(summary)}`,
  );
  return offer.kind === 'words' ? words : [...words, `${start} ${fromDisk(offer.kind)}`];
}

function fromDisk(kind: 'files' | 'folders'): string {
  return kind === 'files' ? '-F' : `-a ${quote('(__fish_complete_directories)')}`;
}

/** Quotes a string. In single quotes, fish interprets only `\\` and `\'`. */
function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

function quoteInner(text: string): string {
  return `"${text}"`;
}
