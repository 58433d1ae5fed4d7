// A name server on loopback (RFC 1035), over UDP and TCP, that answers from a zone and keeps what it was asked.
import { createSocket, type Socket as UdpSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Server } from 'node:net'

type Type = 'A' | 'AAAA'
export type DnsRecord = { readonly type: Type | 'CNAME'; readonly value: string; readonly ttl?: number }
type DnsReply = {
  readonly records?: readonly DnsRecord[]
  /** 0 is success, 2 a failure of the server, 3 an unknown name. */
  readonly code?: number
  /** Over UDP nothing but a sign that the answer is too long: it has to be asked for over TCP. */
  readonly truncated?: boolean
}
/** Returns null for no reply at all. */
export type DnsZone = (name: string, type: Type) => DnsReply | null
export type DnsServer = AsyncDisposable & {
  /** As a resolver takes it. */
  readonly address: string
  /** Each question over UDP, as `<type> <name>`. */
  readonly asked: readonly string[]
}

const types = { A: 1, CNAME: 5, AAAA: 28 }

export async function startDnsServer(zone: DnsZone): Promise<DnsServer> {
  const asked: string[] = []
  const reply = (query: Buffer, isTcp: boolean): Buffer | null => {
    const { name, type, end } = questionIn(query)
    if (!isTcp) asked.push(`${type} ${name}`)
    const found = zone(name, type)
    return found && message(query.subarray(0, end), found, !isTcp && found.truncated === true)
  }
  const { tcp, udp, port } = await bound()
  udp.on('message', (query, { address, port: from }) => {
    const answer = reply(query, false)
    if (answer !== null) udp.send(answer, from, address)
  })
  tcp.on('connection', (socket) => {
    socket.on('error', () => {})
    socket.once('data', (bytes: Buffer) => {
      const answer = reply(bytes.subarray(2), true)
      if (answer !== null) socket.end(Buffer.concat([uint16(answer.length), answer]))
    })
  })
  return {
    address: `127.0.0.1:${port}`,
    asked,
    [Symbol.asyncDispose]: async () => {
      udp.close()
      tcp.close()
      await once(tcp, 'close')
    },
  }
}

/** Both at one port, as a name server is asked. */
async function bound(): Promise<{ tcp: Server; udp: UdpSocket; port: number }> {
  for (let attempt = 1; ; attempt++) {
    const tcp = createServer().listen(0, '127.0.0.1')
    await once(tcp, 'listening')
    const { port } = tcp.address() as AddressInfo
    const udp = createSocket('udp4')
    try {
      udp.bind(port, '127.0.0.1')
      await once(udp, 'listening')
      return { tcp, udp, port }
    } catch (error) {
      tcp.close()
      if (attempt === 10) throw error
    }
  }
}

function questionIn(query: Buffer): { name: string; type: Type; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.'), type: query.readUInt16BE(at + 1) === types.A ? 'A' : 'AAAA', end: at + 5 }
}

function message(query: Buffer, { records = [], code = 0 }: DnsReply, cutOff: boolean): Buffer {
  const sent = cutOff ? [] : records
  const answers: Buffer[] = []
  // Each record is of the name that the one before it leads to.
  let owner = query.subarray(12, query.length - 4)
  for (const record of sent) {
    const data = dataOf(record)
    const head = [uint16(types[record.type]), uint16(1), uint32(record.ttl ?? 0), uint16(data.length)]
    answers.push(owner, ...head, data)
    if (record.type === 'CNAME') owner = data
  }
  const flags = 0x8180 | code | (cutOff ? 0x0200 : 0)
  const counts = [uint16(1), uint16(sent.length), uint16(0), uint16(0)]
  return Buffer.concat([query.subarray(0, 2), uint16(flags), ...counts, query.subarray(12), ...answers])
}

function dataOf({ type, value }: DnsRecord): Buffer {
  if (type === 'A') return Buffer.from(value.split('.').map(Number))
  if (type === 'CNAME') return encodedName(value)
  const [head = '', tail] = value.split('::')
  const groups = (text = ''): string[] => (text === '' ? [] : text.split(':'))
  const missing = 8 - groups(head).length - groups(tail).length
  const all =
    tail === undefined ? groups(head) : [...groups(head), ...Array<string>(missing).fill('0'), ...groups(tail)]
  return Buffer.concat(all.map((group) => uint16(Number.parseInt(group, 16))))
}

function encodedName(name: string): Buffer {
  const labels = name.split('.').map((label) => String.fromCharCode(label.length) + label)
  return Buffer.from(`${labels.join('')}\0`, 'latin1')
}

const uint16 = (value: number): Buffer => Buffer.from([value >> 8, value & 255])
const uint32 = (value: number): Buffer => Buffer.concat([uint16(value >>> 16), uint16(value & 0xffff)])
