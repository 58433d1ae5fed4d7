// Which rows of a long table are drawn, and the room that the others take. Pure.

/** Rows by their place, and between them the height of those that are left out. */
export type Drawn = { readonly kind: 'row'; readonly at: number } | { readonly kind: 'gap'; readonly height: number }

/** The row with the focus stays while it is scrolled away: without it the keyboard would start again at the top. */
export function withFocused(places: number[], focused: number | null, count: number): number[] {
  if (focused === null || focused < 0 || focused >= count || places.includes(focused)) return places
  return [...places, focused].toSorted((one, other) => one - other)
}

type Placed = { readonly index: number; readonly start: number; readonly end: number }

export function withGaps(placed: readonly Placed[], top: number, totalHeight: number): Drawn[] {
  const drawn: Drawn[] = []
  let filled = 0
  for (const { index, start, end } of placed) {
    if (start - top > filled) drawn.push({ kind: 'gap', height: start - top - filled })
    drawn.push({ kind: 'row', at: index })
    filled = end - top
  }
  if (totalHeight > filled) drawn.push({ kind: 'gap', height: totalHeight - filled })
  return drawn
}
