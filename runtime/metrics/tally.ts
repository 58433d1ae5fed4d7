// Counts of things that happen now and then, by the values of their labels.
import type { Sample } from './metric.ts'

export type Tally<L extends string> = {
  add(labels: Readonly<Record<L, string>>, by?: number): void
  read(): Sample<'counter', L>[]
}

/** Values must come from lists that the code knows: each combination is kept for as long as the process runs. */
export function tally<const L extends string>(names: readonly L[]): Tally<L> {
  const counts = new Map<string, { readonly labels: Readonly<Record<L, string>>; value: number }>()
  return {
    add: (labels, by = 1) => {
      const key = names.map((name) => labels[name]).join('\n')
      const found = counts.get(key)
      if (found === undefined) counts.set(key, { labels: { ...labels }, value: by })
      else found.value += by
    },
    read: () => [...counts.values()].map(({ labels, value }) => ({ labels, value })),
  }
}
