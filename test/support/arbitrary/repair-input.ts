// Repairs an input after a refusal: rules between fields are not in the schema, so that few drawn inputs follow all.
import type { Operation } from '#contract/operation.ts'
import { sample } from '../sample-value.ts'

type Fields = Readonly<Record<string, unknown>>
type Named = { readonly pointer?: string; readonly parameter?: string; readonly code: string }

/** Returns null when the refusal names nothing that can be repaired. */
export function repaired({ input: schema }: Operation, input: Fields, refusal: unknown): Fields | null {
  const { properties, required } = schema
  const { errors: told = [] } = (refusal ?? {}) as { errors?: Named[] }
  const errors = told.map((error) => ({ ...error, name: fieldOf(error) }))
  const missing = errors.filter(({ name, code }) => code === 'required' && name in properties && name !== 'expand')
  // What is not expanded need not be shown.
  const named = errors.map(({ name, code }) => (code === 'required' && name === 'expand' ? 'fields' : name))
  const unfit = named.filter((name) => name in input && !required?.includes(name))
  if (missing.length + unfit.length === 0) return null
  const left = Object.entries(input).filter(([name]) => !unfit.includes(name))
  return Object.fromEntries([...left, ...missing.map(({ name }) => [name, sample(properties[name] ?? {})])])
}

const fieldOf = ({ pointer, parameter }: Named): string =>
  (pointer === undefined ? parameter?.split(/[.[]/)[0] : pointer.split('/')[1]) ?? ''
