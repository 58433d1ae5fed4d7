// Tells errors of a lost or missing connection from errors that the database has answered with. A loss shows in the
// SQLSTATE, in the kind that Prisma's adapter gives to errors of the system, in Prisma's own code, or in the driver's
// message.

import { Prisma } from './generated/client.ts'

/** SQLSTATE, of Postgres and PGlite alike: there is no room for a row, an index, the log or a temporary file. */
const diskFull = '53100'

const messageOfSystem = 'No space left on device'

/** Whether a statement has failed because the database's disk is full. */
export function isDiskFull(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false
  const { originalCode, originalMessage = '' } = databaseErrorIn(thrown)
  return originalCode === diskFull || `${originalMessage}${thrown.message}`.includes(messageOfSystem)
}

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
  // A session is refused: the password or the role was changed under this process, or is about to be.
  ...away('28P01', '28000'),
  '53300': 'busy', // too many connections
  // Codes of the operating system, from the driver.
  ...away('ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'),
  ...away('ENOTFOUND', 'EAI_AGAIN'),
  // Prisma's own codes.
  ...away('P1001', 'P1002', 'P1008', 'P1017'),
  P2024: 'busy',
  P2028: 'busy',
}
const lossOfKind: Readonly<Record<string, Loss>> = {
  ...away('DatabaseNotReachable', 'ConnectionClosed', 'SocketTimeout'),
  TooManyConnections: 'busy',
}
const awayMessage = /^(?:Connection terminated|Client (?:was closed|has encountered a connection error))/
const noFreeConnectionMessage = 'timeout exceeded when trying to connect'

/** Returns null when the database has answered, or when the error does not come from it. */
export function lossOf(thrown: unknown): Loss | null {
  if (!(thrown instanceof Error)) return null
  if (thrown instanceof Prisma.PrismaClientInitializationError) return 'away'
  const { kind, originalCode = '' } = databaseErrorIn(thrown)
  const { code = '' } = thrown as { readonly code?: string }
  return (
    lossOfState[originalCode] ??
    lossOfKind[kind ?? ''] ??
    lossOfState[code] ??
    lossInState(originalCode) ??
    lossInState(code) ??
    lossInMessage(thrown)
  )
}

type DatabaseError = { readonly kind?: string; readonly originalCode?: string; readonly originalMessage?: string }

/** Returns the database's own error inside of Prisma's. The error of a commit comes as the adapter made it. */
export function databaseErrorIn(error: Error): DatabaseError {
  if (isAdapterError(error)) return error.cause ?? {}
  const { meta } = error as { readonly meta?: { readonly driverAdapterError?: { readonly cause?: DatabaseError } } }
  return meta?.driverAdapterError?.cause ?? {}
}

/** Compares the name, since each adapter has its own class of this name. */
export const isAdapterError = (error: unknown): error is Error & { readonly cause?: DatabaseError } =>
  error instanceof Error && error.name === 'DriverAdapterError'

/** Class 08 of SQLSTATE: connection exceptions. */
const lossInState = (code: string): Loss | null => (/^08\w{3}$/.test(code) ? 'away' : null)

function lossInMessage({ message }: Error): Loss | null {
  if (awayMessage.test(message)) return 'away'
  return message === noFreeConnectionMessage ? 'busy' : null
}

function away(...codes: readonly string[]): Record<string, Loss> {
  return Object.fromEntries(codes.map((code) => [code, 'away']))
}
