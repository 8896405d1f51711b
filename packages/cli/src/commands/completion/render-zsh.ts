import { renderValueCases } from './value-cases.ts';
import { listSteps, listValueFlags, type Offer, type Place } from './list-places.ts';

/** Renders completions for zsh, to use with `source` after compinit or as a file on `fpath`. */
export function renderZsh(places: readonly Place[]): string {
  const valueFlags = listValueFlags(places);
  const takesNextWord = valueFlags
    .filter(({ value }) => value === 'required')
    .flatMap(({ spellings }) => spellings);
  return `#compdef catalog
# zsh completion for catalog. Load it with: source <(catalog completion zsh)
_catalog() {
  local word skip="" at="" previous="\${words[CURRENT-1]}"
  local -i position=0
  local -a offered
  for word in "\${(@)words[2,CURRENT-1]}"; do
    if [[ -n $skip ]]; then skip=""; continue; fi
    case "$word" in
      ${takesNextWord.join('|')}) skip=1 ;;
      -*) ;;
      *)
        case "$at/$word" in
          ${listSteps(places)
            .map(({ from, word }) => quote(`${from}/${word}`))
            .join('|')}) at="\${at:+$at }$word" ;;
          *) position+=1 ;;
        esac ;;
    esac
  done

  if compset -P '--*='; then previous="$IPREFIX"; fi
  case "$previous" in
${renderValueCases(valueFlags, reply)}
  esac
  if [[ $PREFIX == -* ]]; then
    case "$at" in
${places
  .map(({ path, flags }) => {
    const entries = flags.flatMap(({ spellings, summary }) =>
      spellings.map((word) => ({ word, summary })),
    );
    return `      ${quote(path)}) ${replyWords(entries)} ;;`;
  })
  .join('\n')}
    esac
    return
  fi
  case "$at/$position" in
${places
  .flatMap(({ path, offers }) =>
    offers.map((offer, position) => `    ${quote(`${path}/${position}`)}) ${reply(offer)} ;;`),
  )
  .join('\n')}
  esac
}
if [[ $funcstack[1] == _catalog ]]; then
  _catalog "$@"
else
  compdef _catalog catalog
fi
`;
}

function reply(offer: Offer | undefined): string {
  if (offer === undefined) return ':';
  if (offer.kind === 'words') return replyWords(offer.words);
  const files = offer.kind === 'files' ? '_files' : '_files -/';
  return offer.words.length === 0 ? files : `${replyWords(offer.words)}; ${files}`;
}

function replyWords(words: readonly { word: string; summary: string }[]): string {
  const entries = words.map(({ word, summary }) =>
    quote(summary === '' ? word : `${word}:${summary}`),
  );
  return `offered=(${entries.join(' ')}); _describe 'catalog' offered`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
