// Two who edit the same thing: what each of them has changed. Pure.

type Fields = Readonly<Record<string, unknown>>

/** Of what is there after, the fields that differ from before. Values are compared as JSON. */
export const patchBetween = <F extends Fields>(before: F, after: F): Partial<F> =>
  // The fields are those of `after`.
  Object.fromEntries(Object.entries(after).filter(([name, value]) => !isSame(before[name], value))) as Partial<F>

/** The labels of the fields that differ, in the order of the labels. */
export const changedLabels = (labels: Readonly<Record<string, string>>, before: Fields, after: Fields): string[] =>
  Object.keys(labels)
    .filter((name) => !isSame(before[name], after[name]))
    .map((name) => labels[name] ?? name)

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
