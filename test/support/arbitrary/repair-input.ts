// What a caller would do with a refusal: leave out what it names, add what it misses. Rules between fields are in no
// schema, so that drawn inputs seldom obey them all; mended ones do.
import type { Operation } from '#contract/operation.ts'
import { sample } from '../sample-value.ts'

type Fields = Readonly<Record<string, unknown>>
type Named = { readonly pointer?: string; readonly parameter?: string; readonly code: string }

/** Null where the refusal says nothing that could be mended. */
export function mended({ input: { properties, required } }: Operation, input: Fields, refusal: unknown): Fields | null {
  const errors = ((refusal as { errors?: Named[] } | null)?.errors ?? []).map((error) => ({
    ...error,
    name: fieldOf(error),
  }))
  const missing = errors.filter(({ name, code }) => code === 'required' && name in properties)
  const unfit = errors.map(({ name }) => name).filter((name) => name in input && !required?.includes(name))
  if (missing.length + unfit.length === 0) return null
  const left = Object.entries(input).filter(([name]) => !unfit.includes(name))
  return Object.fromEntries([...left, ...missing.map(({ name }) => [name, sample(properties[name] ?? {})])])
}

const fieldOf = ({ pointer, parameter }: Named): string =>
  (pointer === undefined ? parameter?.split(/[.[]/)[0] : pointer.split('/')[1]) ?? ''
