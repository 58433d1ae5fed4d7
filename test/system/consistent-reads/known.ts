// What random writes act on, and what is drawn for them.
import fc from 'fast-check'

/** What there is to act on: ids by kind, deleted ones among them. */
export type Known = Record<Noun, string[]> & { names: number; readonly deleted: string[] }
const nouns = ['projects', 'tasks', 'crm-entities', 'documents', 'members', 'custom-fields'] as const
export type Noun = (typeof nouns)[number]
/** The name of a write, and what it acts on. */
export type Draw = { readonly write: string; readonly a: number; readonly b: number; readonly c: number }
export type Send = { method: string; path: string; body?: object; noun?: Noun }
export type Write = (known: Known, draw: Draw) => Send | null

/** Two projects, three tasks, two companies and a document: something for every write to act on. */
export const beginning: readonly Draw[] = [0, 0, 1, 1, 1, 2, 2, 3].map((a, b) => ({ write: 'create', a, b, c: 1 }))

export const nothingKnown = (): Known => ({
  projects: [],
  tasks: [],
  'crm-entities': [],
  documents: [],
  members: [],
  'custom-fields': [],
  names: 0,
  deleted: [],
})
// Unbiased: what stands at either end of the range is drawn no more often than the rest.
const nat = fc.noBias(fc.nat(10_000))

/** The writes in any order, each on whatever is drawn for it. */
export const lifeOf = (writes: readonly string[]): fc.Arbitrary<Draw[]> =>
  fc
    .shuffledSubarray([...writes], { minLength: writes.length })
    .chain((names) =>
      fc.tuple(...names.map((write) => fc.record({ write: fc.constant(write), a: nat, b: nat, c: nat }))),
    )

export const one = (ids: readonly string[], n: number): string | undefined => ids[n % Math.max(1, ids.length)]
export const titled = (noun: Noun): string => (noun === 'tasks' || noun === 'documents' ? 'title' : 'name')
export const collections = ['projects', 'tasks', 'crm-entities', 'documents'] as const

/** Never the same twice, so that a search finds the one object. */
export const newName = (known: Known): string => `Zebra${(known.names += 1)}x`
