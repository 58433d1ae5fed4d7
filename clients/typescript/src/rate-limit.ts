// What is left of the rate limit, from the fields `RateLimit` and `RateLimit-Policy` of the last answer
// (draft-ietf-httpapi-ratelimit-headers): `"key";r=98;t=1` and `"key";q=600;w=60`. Pure.

type Bucket = { readonly left: number; readonly perMs: number; readonly atMs: number }
export type Budget = ReadonlyMap<string, Bucket>

export function budgetIn(headers: Headers, nowMs: number): Budget | null {
  const left = itemsOf(headers.get('ratelimit'))
  const policies = itemsOf(headers.get('ratelimit-policy'))
  const buckets = [...left].flatMap(([name, { r }]): [string, Bucket][] => {
    const { q, w } = policies.get(name) ?? {}
    if (r === undefined || q === undefined || w === undefined || q <= 0 || w <= 0) return []
    return [[name, { left: r, perMs: q / (w * 1_000), atMs: nowMs }]]
  })
  return buckets.length === 0 ? null : new Map(buckets)
}

/** How long to wait until calls of this cost fit into what is left. */
export const waitMs = (budget: Budget | null, cost: number, nowMs: number): number =>
  Math.max(
    0,
    ...[...(budget ?? new Map<string, Bucket>()).values()].map(({ left, perMs, atMs }) =>
      Math.ceil((cost - left) / perMs - (nowMs - atMs)),
    ),
  )

function itemsOf(header: string | null): Map<string, Record<string, number>> {
  const items = new Map<string, Record<string, number>>()
  for (const [, name = '', parameters = ''] of (header ?? '').matchAll(/"([^"]*)"((?:;[a-z]+=-?\d+)*)/g)) {
    const pairs = Array.from(parameters.matchAll(/([a-z]+)=(-?\d+)/g), ([, key = '', value = '']) => [
      key,
      Number(value),
    ])
    items.set(name, Object.fromEntries(pairs) as Record<string, number>)
  }
  return items
}
