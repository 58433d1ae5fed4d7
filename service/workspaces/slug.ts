// A workspace's slug, made from its name where the caller gives none: `Café Olé` → cafe-ole, cafe-ole-2…
const lengthMax = 44

export function* slugCandidates(name: string, tries: number): Generator<string> {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const base =
    plain
      .replaceAll(/[^a-z0-9]+/g, '-')
      .slice(0, lengthMax)
      .replaceAll(/^-+|-+$/g, '') || 'workspace'
  yield base
  for (let n = 2; n < tries + 2; n += 1) yield `${base}-${n}`
}
