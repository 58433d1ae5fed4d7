// What stands between a socket and undici, which reads sockets only by `read`: interim responses are dropped, and an answer
// that is too long is cut off. undici counts the bytes of headers and bodies, and not those around them (a status line, sizes
// and extensions of chunks, empty lines before the answer), which cost as much.
import { subscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { interimFilter } from './interim-responses.ts'

/** Room for as much as is read of headers, of interim responses and of a body in chunks of a single byte. */
const answerBytesMax = 512 * 1024

class OverlongAnswer extends Error {
  readonly code = 'ERR_ANSWER_TOO_LONG'
}

const answers = new WeakMap<object, { readonly begin: () => void }>()

// A connection carries one request at a time, so an answer begins after the request that was sent.
subscribe('undici:client:sendHeaders', (message) => {
  answers.get((message as { socket: object }).socket)?.begin()
})

export function boundAnswers(socket: Socket): void {
  const interim = interimFilter()
  let received = 0
  const begin = () => {
    interim.begin()
    received = 0
  }
  answers.set(socket, { begin })
  const read = socket.read.bind(socket)
  socket.read = (size) => {
    for (;;) {
      const chunk: unknown = read(size)
      if (!Buffer.isBuffer(chunk)) return chunk
      received += chunk.length
      if (received > answerBytesMax) return socket.destroy(new OverlongAnswer()) && null
      const rest = interim.pass(chunk)
      if (rest.length > 0) return rest
    }
  }
}
