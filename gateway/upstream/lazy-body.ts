// A body that is opened only when a connection takes it: an attempt that never connects neither reads it nor ends it.
import { Readable } from 'node:stream'

/** A function is called when the body is to flow: for a stream, once, since nothing that was sent is sent again. */
export type Body = Buffer | (() => Readable) | null

/** For undici, which reads nothing of a stream before the request's head is written. */
export const lazily = (body: Body): Buffer | Readable | null =>
  typeof body === 'function' ? Readable.from(opened(body), { objectMode: false }) : body

async function* opened(open: () => Readable): AsyncGenerator<Buffer> {
  yield* open() as AsyncIterable<Buffer>
}
