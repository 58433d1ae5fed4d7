// Slugs for a workspace that is created without one, made from its name: `Café Olé` → cafe-ole, cafe-ole-2…
const lengthMax = 44
const randomLength = 8
const numberedMost = 9

/** In order of preference. The last `tries` end in random letters; `random` returns 0 ≤ r < 1. */
export function* slugCandidates(name: string, random: () => number, tries: number): Generator<string> {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const base =
    plain
      .replaceAll(/[^a-z0-9]+/g, '-')
      .slice(0, lengthMax)
      .replaceAll(/^-+|-+$/g, '') || 'workspace'
  yield base
  for (let n = 2; n <= numberedMost; n += 1) yield `${base}-${n}`
  for (let n = 0; n < tries; n += 1) yield `${base.slice(0, lengthMax - randomLength)}-${suffix(random)}`
}

const suffix = (random: () => number): string =>
  Array.from({ length: randomLength }, () => String.fromCharCode(97 + Math.floor(random() * 26))).join('')
