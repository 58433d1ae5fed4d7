// A project's short key, made from its name where the caller gives none: `Website relaunch` → WR, WEB, WEBS…
const lengthMax = 10
const fallback = 'PRJ'

/** Yields keys in order of preference; the last `tries` of them are random. `random` returns a number in [0, 1). */
export function* keyCandidates(name: string, random: () => number, tries: number): Generator<string> {
  const words = plain(name)
    .split(' ')
    .filter((word) => word !== '')
  const letters = words.join('') || fallback
  const base = letters.length < 2 ? `${letters}${fallback}` : letters
  if (words.length > 1)
    yield words
      .map((word) => word.charAt(0))
      .join('')
      .slice(0, lengthMax)
  for (const length of [3, 4, 5]) if (base.length >= length || length === 3) yield base.slice(0, length)
  for (let n = 0; n < tries; n += 1) yield base.slice(0, 4) + suffix(random)
}

const plain = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toUpperCase()
    .replaceAll(/[^A-Z]+/g, ' ')
    .trim()

const suffix = (random: () => number): string =>
  Array.from({ length: 5 }, () => String.fromCharCode(65 + Math.floor(random() * 26))).join('')
