// The occurrences of a text in another, found in time that grows with their lengths only, whatever they hold: Knuth,
// Morris and Pratt. The engine's own search can take the product of the two. Pure.

/** The places at which it begins, overlapping ones included, in order. `max` ends the search. */
export function occurrences(text: string, find: string, max = Infinity): number[] {
  const found: number[] = []
  const borders = bordersOf(find)
  let matched = 0
  for (let at = 0; at < text.length && found.length < max; at += 1) {
    const unit = text.charCodeAt(at)
    while (matched > 0 && find.charCodeAt(matched) !== unit) matched = borders[matched - 1] ?? 0
    if (find.charCodeAt(matched) === unit) matched += 1
    if (matched < find.length) continue
    found.push(at - find.length + 1)
    matched = borders[matched - 1] ?? 0
  }
  return found
}

/** For each beginning of the text, the length of the longest part that both begins and ends it. */
function bordersOf(find: string): Uint32Array {
  const borders = new Uint32Array(find.length)
  let matched = 0
  for (let at = 1; at < find.length; at += 1) {
    while (matched > 0 && find.charCodeAt(at) !== find.charCodeAt(matched)) matched = borders[matched - 1] ?? 0
    if (find.charCodeAt(at) === find.charCodeAt(matched)) matched += 1
    borders[at] = matched
  }
  return borders
}

/** Of these places, the first and each that does not overlap the one before it. */
export function apart(places: readonly number[], length: number): number[] {
  let end = 0
  return places.filter((at) => {
    const isApart = at >= end
    if (isApart) end = at + length
    return isApart
  })
}
