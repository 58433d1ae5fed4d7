// Parameters that several operations have are components. One is called by its name; where equally named ones differ, by
// the segment of the first operation that has it as well.
import type { Json } from './openapi-schemas.ts'

export type Listed = { readonly segment: string; readonly parameters: readonly Json[] }
export type Shared = { readonly components: Json; refer(parameter: Json): Json }

export function sharedParameters(all: readonly Listed[]): Shared {
  const several = repeated(all)
  const keys = new Map<string, string>()
  for (const { segment, parameters } of all) {
    for (const parameter of parameters) {
      const text = JSON.stringify(parameter)
      if (!several.has(text) || keys.has(text)) continue
      const name = String(parameter['name'])
      const key = [name, `${segment}.${name}`].find((free) => ![...keys.values()].includes(free))
      if (key !== undefined) keys.set(text, key)
    }
  }
  const components = Object.fromEntries([...keys].map(([text, key]) => [key, JSON.parse(text) as Json]))
  return {
    components,
    refer(parameter) {
      const key = keys.get(JSON.stringify(parameter))
      return key === undefined ? parameter : { $ref: `#/components/parameters/${key}` }
    },
  }
}

function repeated(all: readonly Listed[]): Set<string> {
  const seen = new Set<string>()
  const several = new Set<string>()
  for (const text of all.flatMap(({ parameters }) => parameters.map((each) => JSON.stringify(each)))) {
    if (seen.has(text)) several.add(text)
    seen.add(text)
  }
  return several
}
