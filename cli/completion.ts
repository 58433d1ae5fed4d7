// Completion of commands, options, values and names of profiles in bash, zsh and fish. A script of each shell asks the
// program itself for candidates, so that they are those of this version and of the profile that is meant.
import type { SchemaNode, SchemaNodes } from '#contract/json-schema.ts'
import type { Operation } from '#contract/operation.ts'
import { choicesOf, generalOptions, isFlag } from './arguments.ts'
import type { Command, Completed } from './command.ts'

export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]
/** What the scripts call, with the shell and the words up to the cursor. It is no command for people. */
export const completeCommand = '__complete'

export type Vocabulary = {
  readonly commands: readonly Command[]
  /** What the secret that would be used may call. */
  readonly operations: readonly Operation[]
  readonly profileNames: () => readonly string[]
}

type Candidate = { readonly word: string; readonly meaning: string }
type Found = readonly Candidate[] | 'files'

/** One line for each candidate, with its meaning after a tab; or `:files`, where the shell itself knows them. */
export function completions(shell: Shell, words: readonly string[], vocabulary: Vocabulary): string {
  const joined = shell === 'bash' ? withEqualSigns(words) : words
  const current = joined.at(-1) ?? ''
  const found = candidatesFor(joined.slice(0, -1), current, vocabulary)
  if (found === 'files') return ':files\n'
  // Bash has split the word at the equal sign, and puts the value alone.
  const begin = shell === 'bash' && /^--[\w-]+=/.test(current) ? current.indexOf('=') + 1 : 0
  return found
    .filter(({ word }) => word.startsWith(current))
    .map(({ word, meaning }) => `${word.slice(begin)}\t${meaning.replaceAll(/\s+/g, ' ').slice(0, 100)}\n`)
    .join('')
}

/** Bash hands over `--name=value` as three words, and `--name=` as two. */
function withEqualSigns(words: readonly string[]): string[] {
  const joined: string[] = []
  for (const word of words) {
    const last = joined.at(-1) ?? ''
    const continues = (word === '=' && /^--[\w-]+$/.test(last)) || (/^--[\w-]+=$/.test(last) && joined.length > 0)
    if (continues) joined[joined.length - 1] = last + word
    else joined.push(word)
  }
  return joined
}

function candidatesFor(before: readonly string[], current: string, vocabulary: Vocabulary): Found {
  const { commands, operations } = vocabulary
  const [first, second] = before
  if (first === undefined) return firstWords(vocabulary)
  const command = commands.find(({ name }) => name === first || name === `${first} ${second}`)
  if (command !== undefined) {
    const words = before.slice(command.name.split(' ').length)
    return ofCommand(command, words, current, vocabulary)
  }
  const secondWords = commands.filter(({ name }) => name.startsWith(`${first} `))
  if (before.length === 1 && secondWords.length > 0)
    return secondWords.map(({ name, summary }) => ({ word: name.slice(first.length + 1), meaning: summary }))
  const operation = operations.find(({ name }) => name === first)
  if (operation === undefined) return []
  return ofOptions([...generalCandidates(operation), ...fieldsOf(operation, [])], before.slice(1), current, vocabulary)
}

function firstWords({ commands, operations }: Vocabulary): Candidate[] {
  const ofCommands = commands.map(({ name, summary }) => ({ word: name.split(' ')[0] ?? name, meaning: summary }))
  const unique = ofCommands.filter(({ word }, at) => ofCommands.findIndex((each) => each.word === word) === at)
  return [...unique, ...operations.map(({ name, summary }) => ({ word: name, meaning: summary }))]
}

function ofCommand(command: Command, words: readonly string[], current: string, vocabulary: Vocabulary): Found {
  const { operands = [], options = [], ownFields = [] } = command
  const operand = operands[words.length]
  if (operand !== undefined) return valuesOf(operand, vocabulary)
  const given = words.slice(0, operands.length)
  const operation = command.operation?.(given)
  const own = options.map((option) => ({
    word: `--${option.name}`,
    meaning: option.meaning,
    takesValue: option.value !== undefined,
    repeats: option.repeats === true,
    values: () => valuesOf(option, vocabulary),
  }))
  const fields = operation === undefined ? [] : fieldsOf(operation, ownFields)
  return ofOptions(
    [...own, ...fields, ...generalCandidates(operation)],
    words.slice(operands.length),
    current,
    vocabulary,
  )
}

type OptionCandidate = Candidate & {
  readonly takesValue: boolean
  readonly repeats: boolean
  readonly values: () => Found
}

function ofOptions(
  options: readonly OptionCandidate[],
  words: readonly string[],
  current: string,
  { profileNames }: Vocabulary,
): Found {
  const valuesFor = (word: string): Found => {
    if (word === '--profile') return profileNames().map((name) => ({ word: name, meaning: '' }))
    return options.find((option) => option.word === word)?.values() ?? []
  }
  const [, inline] = /^(--[\w-]+)=/.exec(current) ?? []
  if (inline !== undefined) return prefixed(valuesFor(inline), `${inline}=`, current)
  const last = options.find(({ word }) => word === words.at(-1))
  if (last?.takesValue === true) return prefixed(valuesFor(last.word), '', current)
  const used = new Set(words.map((word) => word.split('=', 1)[0]))
  return options.filter(({ word, repeats }) => repeats || !used.has(word))
}

/** Of a list, the last of its values is completed: those before it stay. */
function prefixed(values: Found, before: string, current: string): Found {
  if (values === 'files') return values
  const kept = current.slice(before.length, current.lastIndexOf(',') + 1)
  return values.map(({ word, meaning }) => ({ word: before + kept + word, meaning }))
}

function valuesOf(
  { choices = [], completes }: { readonly choices?: readonly string[]; readonly completes?: Completed },
  { profileNames }: Vocabulary,
): Found {
  if (completes === 'files') return 'files'
  const words = completes === 'profiles' ? profileNames() : choices
  return words.map((word) => ({ word, meaning: '' }))
}

function fieldsOf({ input }: Operation, without: readonly string[]): OptionCandidate[] {
  const fields: SchemaNodes = input.properties
  return Object.entries(fields)
    .filter(([name]) => !without.includes(name))
    .map(([name, schema]: [string, SchemaNode]) => ({
      word: `--${name}`,
      meaning: schema.description ?? '',
      takesValue: !isFlag(schema),
      repeats: false,
      values: () => choicesOf(schema).map((choice) => ({ word: String(choice), meaning: '' })),
    }))
}

const meanings: Readonly<Record<(typeof generalOptions)[number], string>> = {
  workspace: 'The workspace that is meant.',
  profile: 'The profile to use.',
  json: 'The response as the API returns it.',
}

const generalCandidates = (operation: Operation | undefined): OptionCandidate[] =>
  [...generalOptions, 'help' as const]
    .filter((name) => name !== 'workspace' || operation?.tenancy !== 'none')
    .map((name) => ({
      word: `--${name}`,
      meaning: name === 'help' ? 'What it takes, and an example.' : meanings[name],
      takesValue: name === 'workspace' || name === 'profile',
      repeats: false,
      values: () => [],
    }))

/** Sets completion up for the program of this name. */
export const completionScript = (shell: Shell, program: string): string =>
  scripts[shell].replaceAll('PROGRAM', program).replaceAll('COMPLETE', completeCommand)

const scripts: Readonly<Record<Shell, string>> = {
  bash: `# Completion of PROGRAM. Add to ~/.bashrc:  eval "$(PROGRAM completion bash)"
_PROGRAM_complete() {
  local line current=\${COMP_WORDS[COMP_CWORD]}
  COMPREPLY=()
  [ "$current" = "=" ] && current=
  while IFS= read -r line; do
    if [ "$line" = ":files" ]; then
      compopt -o filenames 2>/dev/null
      while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$current")
      return
    fi
    COMPREPLY+=("\${line%%$'\\t'*}")
  done < <(PROGRAM COMPLETE bash "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _PROGRAM_complete PROGRAM
`,
  zsh: `#compdef PROGRAM
# Completion of PROGRAM. Add to ~/.zshrc, after compinit:  eval "$(PROGRAM completion zsh)"
_PROGRAM_complete() {
  local line
  local -a found
  while IFS= read -r line; do
    if [[ "$line" == ":files" ]]; then
      _files
      return
    fi
    found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done < <(PROGRAM COMPLETE zsh "\${(@)words[2,CURRENT]}" 2>/dev/null)
  _describe -t values PROGRAM found
}
compdef _PROGRAM_complete PROGRAM
`,
  fish: `# Completion of PROGRAM. Add to ~/.config/fish/config.fish:  PROGRAM completion fish | source
function __PROGRAM_complete
    set -l words (commandline -opc)
    set -l found (PROGRAM COMPLETE fish $words[2..] (commandline -ct) 2>/dev/null)
    if test "$found" = ":files"
        __fish_complete_path (commandline -ct)
    else
        printf '%s\\n' $found
    end
end
complete -c PROGRAM -f -a '(__PROGRAM_complete)'
`,
}
