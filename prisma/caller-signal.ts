// A caller who has gone ends what the database does for it: none of its statements starts any more, and on Postgres the
// one that runs is cancelled (prisma/cancel-statements.ts). The signal goes with the statement, not with the call: what
// a call starts beside it, such as a query for all who wait, belongs to nobody.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Prisma, PrismaClient } from './generated/client.ts'

/** A statement was cancelled or not sent, since its caller has gone. What its transaction had done is rolled back. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled'
  constructor(cause?: unknown) {
    super('The caller has gone', { cause })
  }
}

/** A statement ran for longer than the call permits, and was cancelled. */
export class OutOfTime extends Error {
  override readonly name = 'OutOfTime'
  constructor(cause?: unknown) {
    super('The statement ran for too long', { cause })
  }
}

/** Whom a statement is sent for, and for how long it may run once the database has it: as long as it likes where not given. */
export type SentFor = { readonly signal: AbortSignal; readonly statementMs?: number | undefined }

const current = new AsyncLocalStorage<SentFor>()

export const sentFor = (): SentFor | undefined => current.getStore()

/** Sends statements for a caller. */
export async function sendFor<T>(signal: AbortSignal, send: () => PromiseLike<T>, statementMs?: number): Promise<T> {
  if (signal.aborted) throw new Cancelled()
  return current.run({ signal, statementMs }, async () => send())
}

type Member = (...given: unknown[]) => PromiseLike<unknown>

/** The client for the reads of one caller, each of whose statements may run for `statementMs` on Postgres. */
export function clientFor(db: PrismaClient, signal: AbortSignal, statementMs?: number): Prisma.TransactionClient {
  const sending =
    (owner: object, act: Member) =>
    (...given: unknown[]) =>
      sendFor(signal, () => act.apply(owner, given), statementMs)
  const ofModel = (model: object) =>
    withMembers(model, (name, member) => (isMember(member) && !isShared(name) ? sending(model, member) : member))
  return withMembers(db, (name, member) => {
    if (/^\$(?:queryRaw|executeRaw)/.test(name) && isMember(member)) return sending(db, member)
    return name.startsWith('$') || typeof member !== 'object' || member === null ? member : ofModel(member)
  })
}

/** Prisma looks up what several callers ask for at the same moment in one statement. It is over soon. */
const isShared = (name: string): boolean => name.startsWith('findUnique')

const isMember = (member: unknown): member is Member => typeof member === 'function'

/** The same object with other members. */
const withMembers = <T extends object>(whole: T, instead: (name: string, member: unknown) => unknown): T =>
  new Proxy(whole, {
    get: (_whole, name) => {
      const member: unknown = Reflect.get(whole, name)
      return typeof name === 'string' ? instead(name, member) : member
    },
  })
