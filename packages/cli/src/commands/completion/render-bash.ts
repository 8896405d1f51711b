import { renderValueCases } from './value-cases.ts';
import { listSteps, listValueFlags, type Offer, type Place } from './list-places.ts';

/** Renders completions for bash 3.2 or later, without other packages. */
export function renderBash(places: readonly Place[]): string {
  const valueFlags = listValueFlags(places);
  const takesNextWord = valueFlags
    .filter(({ value }) => value === 'required')
    .flatMap(({ spellings }) => spellings);
  return `# bash completion for catalog. Load it with: source <(catalog completion bash)
_catalog() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" joined=""
  # bash splits --flag=value at the equals sign.
  if [[ $current == "=" ]]; then
    current="" joined="="
  elif [[ $previous == "=" ]]; then
    previous="\${COMP_WORDS[COMP_CWORD-2]}" joined="="
  fi

  local word skip="" command="" position=0
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    if [[ $word == "=" ]]; then skip=1; continue; fi
    if [[ -n $skip ]]; then skip=""; continue; fi
    case "$word" in
      ${takesNextWord.join('|')}) skip=1 ;;
      -*) ;;
      *)
        case "$command/$word" in
          ${listSteps(places)
            .map(({ from, word }) => `"${from}/${word}"`)
            .join('|')}) command="\${command:+$command }$word" ;;
          *) position=$((position + 1)) ;;
        esac ;;
    esac
  done

  local IFS=$'\\n'
  case "$previous$joined" in
${renderValueCases(valueFlags, reply)}
  esac
  if [[ $current == -* ]]; then
    case "$command" in
${places
  .map(({ path, flags }) => {
    const spellings = flags.flatMap((flag) => flag.spellings);
    return `      ${quote(path)}) ${replyWords(spellings)} ;;`;
  })
  .join('\n')}
    esac
    return
  fi
  case "$command/$position" in
${places
  .flatMap(({ path, offers }) =>
    offers.map((offer, position) => `    ${quote(`${path}/${position}`)}) ${reply(offer)} ;;`),
  )
  .join('\n')}
  esac
}
complete -F _catalog catalog
`;
}

function reply(offer: Offer | undefined): string {
  if (offer === undefined) return 'COMPREPLY=()';
  if (offer.kind === 'words') return replyWords(offer.words.map(({ word }) => word));
  const what = offer.kind === 'files' ? '-f' : '-d';
  const words = offer.words.length === 0 ? '' : ` ${wordList(offer.words.map(({ word }) => word))}`;
  return `compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen ${what}${words} -- "$current"))`;
}

function replyWords(words: readonly string[]): string {
  return `COMPREPLY=($(compgen ${wordList(words)} -- "$current"))`;
}

function wordList(words: readonly string[]): string {
  return `-W $'${words.join('\\n')}'`;
}

function quote(text: string): string {
  return `"${text}"`;
}
