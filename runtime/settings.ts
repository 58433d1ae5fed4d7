// Environment variables → typed settings. A process declares each setting as a value (runtime/setting-parsers.ts), from
// which the tables of the documentation are printed too. All mistakes are reported together, and what could be a secret is
// never repeated.

export type Setting<T> = {
  readonly name: string
  readonly description: string
  readonly unit: string | null
  /** Undefined when the setting must be given, null when it may be left out. */
  readonly default: T | undefined
  /** For the documentation: what an empty list means. Null when an empty value is a mistake. */
  readonly whenEmpty: string | null
  /** The value is, or may contain, a secret. */
  readonly hidden: boolean
  /** Throws an error that says what the value must be. */
  readonly parse: (text: string) => T
}

export class SettingsError extends Error {
  override readonly name = 'SettingsError'
  readonly mistakes: readonly string[]
  constructor(mistakes: readonly string[]) {
    super(mistakes.join('\n'))
    this.mistakes = mistakes
  }
}

/** Throws SettingsError. `contradictions` is called once every value has parsed, and returns further mistakes. */
export function readSettings<T>(
  declared: { readonly [K in keyof T]: Setting<T[K]> },
  env: Readonly<Record<string, string | undefined>> = process.env,
  contradictions: (settings: NoInfer<T>) => readonly string[] = () => [],
): T {
  const mistakes: string[] = []
  const entries = Object.entries<Setting<unknown>>(declared).map(([key, setting]) => [
    key,
    valueOf(setting, env, mistakes),
  ])
  if (mistakes.length > 0) throw new SettingsError(mistakes)
  const settings = Object.freeze(Object.fromEntries(entries)) as T
  const contradicting = contradictions(settings)
  if (contradicting.length > 0) throw new SettingsError(contradicting)
  return settings
}

function valueOf(
  setting: Setting<unknown>,
  env: Readonly<Record<string, string | undefined>>,
  mistakes: string[],
): unknown {
  const { name, description, hidden } = setting
  const text = env[name]?.trim()
  if (text === undefined) {
    if (setting.default === undefined) mistakes.push(`${name} is missing: ${description}`)
    return setting.default
  }
  if (text === '' && setting.whenEmpty === null) {
    mistakes.push(
      `${name} is empty: give it a value${setting.default === undefined ? '' : ', or leave it out'}. ${description}`,
    )
    return undefined
  }
  try {
    return setting.parse(text)
  } catch (error) {
    mistakes.push(`${name} ${error instanceof Error ? error.message : String(error)}${hidden ? '' : `, not "${text}"`}`)
    return undefined
  }
}
