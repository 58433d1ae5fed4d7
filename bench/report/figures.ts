// Figures of several rounds, as one figure with its spread. A median, since one disturbed round must not count.

export type Spread = { readonly median: number; readonly least: number; readonly most: number }

/** Null where nothing was measured. */
export function spreadOf(values: readonly (number | null)[]): Spread | null {
  const sorted = values.filter((value) => value !== null).toSorted((a, b) => a - b)
  const [least, most] = [sorted[0], sorted.at(-1)]
  if (least === undefined || most === undefined) return null
  return { median: middleOf(sorted), least, most }
}

/** How many times the peer's figure; null where the two cannot be compared. */
export const ratio = (own: Spread | null, peer: Spread | null): number | null =>
  own === null || peer === null || peer.median === 0 ? null : own.median / peer.median

/** How much more than the peer's figure; null where the two cannot be compared. */
export const difference = (own: Spread | null, peer: Spread | null): number | null =>
  own === null || peer === null ? null : own.median - peer.median

/** The value that this share of all values does not exceed; null for none. */
export function quantile(values: readonly number[], share: number): number | null {
  const sorted = Float64Array.from(values).toSorted()
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null
}

function middleOf(sorted: readonly number[]): number {
  const half = Math.floor(sorted.length / 2)
  const upper = sorted[half] ?? 0
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? 0) + upper) / 2
}

/** Of the straight line that fits best, by least squares; null for fewer than two places. */
export function slope(points: readonly { readonly x: number; readonly y: number }[]): number | null {
  const mean = (of: 'x' | 'y') => points.reduce((sum, point) => sum + point[of], 0) / points.length
  const [x0, y0] = [mean('x'), mean('y')]
  const spread = points.reduce((sum, { x }) => sum + (x - x0) ** 2, 0)
  return spread > 0 ? points.reduce((sum, { x, y }) => sum + (x - x0) * (y - y0), 0) / spread : null
}
