// A null that isClearableList a list, read as the empty list: what is stored and shown is never null.
import type { TObject } from 'typebox'
import { isClearableList } from '#contract/merge-patch.ts'

export function nullAsEmptyLists({ properties }: TObject): (input: unknown) => unknown {
  const lists = Object.keys(properties).filter((name) => isClearableList(properties[name] ?? {}))
  if (lists.length === 0) return (input) => input
  return (input) => {
    const given = input as Readonly<Record<string, unknown>>
    const emptied = lists.filter((name) => given[name] === null)
    return emptied.length === 0 ? input : { ...given, ...Object.fromEntries(emptied.map((name) => [name, []])) }
  }
}
