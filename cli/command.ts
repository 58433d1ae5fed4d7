// What a command is: its words, what it takes, and what it does. Help, completion and the parsing of its arguments are
// derived from it. A command that stands on an operation takes the operation's fields as options too.
import type { Audience, Operation } from '#contract/operation.ts'

/** Candidates for a value, when a shell completes it. */
export type Completed = 'files' | 'profiles'

export type CommandOption = {
  /** In kebab case. */
  readonly name: string
  /** What stands for the value in the help. Left out: a switch, which takes none. */
  readonly value?: string
  readonly meaning: string
  readonly choices?: readonly string[]
  readonly completes?: Completed
  /** May be given more than once. */
  readonly repeats?: true
}

type Operand = {
  readonly name: string
  readonly meaning: string
  readonly choices?: readonly string[]
  readonly completes?: Completed
}

export type Command = {
  /** One or two words. */
  readonly name: string
  readonly summary: string
  readonly description: string
  /** All are required, and stand before the options. */
  readonly operands?: readonly Operand[]
  readonly options?: readonly CommandOption[]
  /** Its fields are options too. Undefined, where the operands name none. */
  readonly operation?: (operands: readonly string[]) => Operation | undefined
  /** Fields of the operation that are not for the caller, since the command sets them itself. */
  readonly ownFields?: readonly string[]
  /** Whom the API must take it from. Null: it needs no access, or finds it by itself. */
  readonly audiences: readonly Audience[] | null
  readonly examples: readonly string[]
  run(given: ParsedArguments, console: Console): Promise<number>
}

export type ParsedArguments = {
  readonly input: Readonly<Record<string, unknown>>
  readonly workspaceId: string | undefined
  readonly profile: string | undefined
  readonly json: boolean
  readonly operands: readonly string[]
  /** The values of a command's own options, by their names. A switch that is on has one empty value. */
  readonly options: ReadonlyMap<string, readonly string[]>
}

/** How an installation is called: where it is, as whom, and in which workspace. */
export type Access = {
  readonly baseUrl: string
  readonly token: string
  /** `api` with a key, `settings` with the operator's token. */
  readonly audience: Audience
  /** Of the profile: unless `--workspace` says otherwise. */
  readonly workspaceId: string | null
  /** Null: from the environment. */
  readonly profile: string | null
}

/** What a command works with beside its arguments. */
export type Console = {
  /** As it is typed: `workspace`, or `npm run cli --`. */
  readonly program: string
  readonly userAgent: string
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Throws a UsageError where there is none, or it is not of an audience that the command takes. */
  access(): Access
  /** Aborted by Ctrl-C and SIGTERM, for commands that end cleanly. */
  stopped(): AbortSignal
  /** To standard output. Returns the exit code of success. */
  say(text: string): number
  /** To standard error. */
  note(text: string): void
  /** To standard error. Returns the exit code of failure. */
  fail(text: string): number
}
