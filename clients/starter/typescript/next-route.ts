// Takes deliveries with Next: copy this file to `app/webhooks/route.ts` and `webhook-inbox.ts` beside it. Where
// functions are frozen after the answer, keep events in a table and have them worked off elsewhere.
export const runtime = 'nodejs'

export async function POST(request: Request): Promise<Response> {
  // Loaded with the first delivery: `next build` has no secret.
  const { bodyBytesMax, receive } = await import('./webhook-inbox.ts')
  const body = await rawBody(request, bodyBytesMax)
  const status = body === null ? 413 : receive((name) => request.headers.get(name), body)
  return new Response(null, { status })
}

/** Null where there are too many bytes: request.arrayBuffer() would read them all. */
async function rawBody(request: Request, bytesMax: number): Promise<Buffer | null> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body ?? []) {
    size += chunk.length
    if (size > bytesMax) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
