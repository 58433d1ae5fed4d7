// How it shows that the database did not answer, as told from a refusal that it gave: by the state that it sent last, by
// the kind that Prisma's adapter makes of an error of the system, by Prisma's own code, or, from the driver, by words.
import { Prisma } from './generated/client.ts'

export type Loss = 'away' | 'busy'

/** A COMMIT was sent and its answer never came: the change may have been made. */
export class UnknownOutcome extends Error {
  override readonly name = 'UnknownOutcome'
  constructor(cause: unknown) {
    super('The connection was lost during the commit', { cause })
  }
}

const lossOfState: Readonly<Record<string, Loss>> = {
  '57P01': 'away', // ended by an administrator, or shutting down
  '57P02': 'away', // another session has crashed
  '57P03': 'away', // starting up or shutting down
  '53300': 'busy', // too many connections
  // What the driver has of the system.
  ...away('ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'),
  ...away('ENOTFOUND', 'EAI_AGAIN'),
  // What Prisma says itself.
  ...away('P1001', 'P1002', 'P1008', 'P1017'),
  P2024: 'busy',
  P2028: 'busy',
}
const lossOfKind: Readonly<Record<string, Loss>> = {
  ...away('DatabaseNotReachable', 'ConnectionClosed', 'SocketTimeout'),
  TooManyConnections: 'busy',
}
const lostInWords = /^(?:Connection terminated|Client (?:was closed|has encountered a connection error))/
const noneFree = 'timeout exceeded when trying to connect'

/** Null: the database has answered, or the error is none of its. */
export function lossOf(thrown: unknown): Loss | null {
  if (!(thrown instanceof Error)) return null
  if (thrown instanceof Prisma.PrismaClientInitializationError) return 'away'
  const { kind, originalCode = '' } = refusalIn(thrown)
  const { code = '' } = thrown as { readonly code?: string }
  return (
    lossOfState[originalCode] ?? lossOfKind[kind ?? ''] ?? lossOfState[code] ?? lossInState(code) ?? lossInWords(thrown)
  )
}

type Refusal = { readonly kind?: string; readonly originalCode?: string; readonly originalMessage?: string }

/** What the database has said, as Prisma hands it on; the answer to a commit comes as the adapter made it. */
export function refusalIn(error: Error): Refusal {
  if (isOfAdapter(error)) return error.cause ?? {}
  const { meta } = error as { readonly meta?: { readonly driverAdapterError?: { readonly cause?: Refusal } } }
  return meta?.driverAdapterError?.cause ?? {}
}

/** Each adapter may bring a class of this name of its own. */
export const isOfAdapter = (error: unknown): error is Error & { readonly cause?: Refusal } =>
  error instanceof Error && error.name === 'DriverAdapterError'

/** Class 08 of SQLSTATE: connection exceptions. */
const lossInState = (code: string): Loss | null => (/^08\w{3}$/.test(code) ? 'away' : null)

function lossInWords({ message }: Error): Loss | null {
  if (lostInWords.test(message)) return 'away'
  return message === noneFree ? 'busy' : null
}

function away(...codes: readonly string[]): Record<string, Loss> {
  return Object.fromEntries(codes.map((code) => [code, 'away']))
}
