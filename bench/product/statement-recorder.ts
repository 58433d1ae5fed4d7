// A proxy between a process of the product and Postgres that records the statements and their values. With them the
// bench asks Postgres for the plan of a statement, and checks that a peer still sends the same statements as the
// service.
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export type RecordedStatement = { readonly sql: string; readonly values: readonly (string | null)[] }
export type StatementRecorder = AsyncDisposable & {
  /** URL of the database through this proxy. */
  readonly url: string
  /** Statements since the last call, in order. */
  heard(): readonly RecordedStatement[]
}

const heardMax = 10_000

export async function recordStatements(database: string): Promise<StatementRecorder> {
  const url = new URL(database)
  const { hostname, port } = url
  const sockets = new Set<Socket>()
  let all: RecordedStatement[] = []
  const hear = (heard: RecordedStatement) => {
    if (all.length < heardMax) all.push(heard)
  }
  const server = createServer((client) => {
    const upstream = connect(Number(port || 5432), hostname.replaceAll(/[[\]]/g, ''))
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => [client, upstream].forEach((each) => each.destroy()))
      socket.on('close', () => sockets.delete(socket))
    }
    client.on('data', listener(hear))
    client.pipe(upstream).pipe(client)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: url.href,
    heard: () => {
      const heard = all
      all = []
      return heard
    },
    [Symbol.asyncDispose]: async () => {
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
    },
  }
}

/**
 * Reads one client's side of the protocol: Parse names a statement, Bind gives values to a name, Query is plain text.
 */
function listener(hear: (heard: RecordedStatement) => void): (chunk: Buffer) => void {
  const texts = new Map<string, string>()
  let rest: Buffer = Buffer.alloc(0)
  let begun = false
  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    for (;;) {
      // The first message of a connection has no letter.
      const head = begun ? 5 : 4
      if (rest.length < head || rest.length < sizeOf(rest, head)) return
      const size = sizeOf(rest, head)
      const [type, body] = [begun ? String.fromCharCode(rest[0] ?? 0) : '', rest.subarray(head, size)]
      begun = true
      rest = rest.subarray(size)
      if (type === 'Q') hear({ sql: textAt(body, 0), values: [] })
      if (type === 'P') texts.set(textAt(body, 0), textAt(body, afterText(body, 0)))
      if (type === 'B') {
        const named = afterText(body, 0)
        hear({ sql: texts.get(textAt(body, named)) ?? '', values: valuesAt(body, afterText(body, named)) })
      }
    }
  }
}

/** Of the message at the beginning; its length counts itself, not the letter before it. */
const sizeOf = (bytes: Buffer, head: number): number => head - 4 + bytes.readInt32BE(head - 4)
const afterText = (bytes: Buffer, at: number): number => bytes.indexOf(0, at) + 1
const textAt = (bytes: Buffer, at: number): string => bytes.toString('utf8', at, bytes.indexOf(0, at))

function valuesAt(bytes: Buffer, at: number): (string | null)[] {
  let next = at + 2 + 2 * bytes.readInt16BE(at)
  const count = bytes.readInt16BE(next)
  next += 2
  return Array.from({ length: count }, () => {
    const length = bytes.readInt32BE(next)
    const value = length < 0 ? null : bytes.toString('utf8', next + 4, next + 4 + length)
    next += 4 + Math.max(0, length)
    return value
  })
}
