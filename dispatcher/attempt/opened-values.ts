// What was sealed is opened once and kept for a short time: a busy webhook has its secret opened for each attempt. Kept by
// the row that it belongs to, together with its sealed bytes: a row that was changed is opened anew. A value that does not
// open is not kept, so that it opens as soon as it can.
export type Open<T = string> = (sealed: Uint8Array, context: string) => T
/** `sealed` in base64, as rows bring it. */
export type OpenKept<T> = (sealed: string, context: string) => T

export type Bounds = { readonly max: number; readonly keptMs: number; readonly now?: () => number }
type Opened<T> = { readonly sealed: string; readonly plain: T; readonly until: number }

const bounds: Bounds = { max: 1_000, keptMs: 60_000 }

/** `context` names the row. Throws what `open` throws. */
export function keepingOpener<T>(
  open: Open<T>,
  { max, keptMs, now = () => performance.now() }: Bounds = bounds,
): OpenKept<T> {
  // In the order in which they were opened, which is that in which their time is over.
  const kept = new Map<string, Opened<T>>()

  function drop(at: number): void {
    for (const [context, { until }] of kept) {
      if (until > at && kept.size <= max) return
      kept.delete(context)
    }
  }

  return (sealed, context) => {
    const at = now()
    const known = kept.get(context)
    if (known !== undefined && known.until > at && known.sealed === sealed) return known.plain
    kept.delete(context)
    const plain = open(Buffer.from(sealed, 'base64'), context)
    kept.set(context, { sealed, plain, until: at + keptMs })
    drop(at)
    return plain
  }
}
