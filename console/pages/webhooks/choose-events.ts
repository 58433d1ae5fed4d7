// Patterns of kinds of events, as they are chosen: a kind, all of a resource (`tasks.*`), or all (`*`). Pure.

export const isChosen = (patterns: readonly string[], type: string): boolean =>
  patterns.includes('*') || patterns.includes(type) || patterns.includes(`${type.slice(0, type.indexOf('.'))}.*`)

export const toggled = (patterns: readonly string[], type: string, isOn: boolean): readonly string[] =>
  isOn ? [...patterns, type] : patterns.filter((pattern) => pattern !== type)

/** Without what is of this resource. */
export const withoutAll = (patterns: readonly string[], segment: string): readonly string[] =>
  patterns.filter((pattern) => !pattern.startsWith(`${segment}.`))
