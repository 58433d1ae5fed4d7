// Emails are put here in the transaction of what they tell of, and sent once it is committed. What is stored is what
// an email is made of, sealed; its text is written when it is sent.
import type { Database } from '#prisma/client.ts'
import type { Keyring } from '#runtime/keyring.ts'
import { newId } from '#runtime/new-id.ts'
import type { Db } from '../execution/call.ts'
import type { Letter } from './letter.ts'
import { insertMail } from './rows.ts'

/** What each kind of email is made of. */
type MailContents = {
  readonly invitation: { readonly token: string }
  readonly 'password-reset': { readonly email: string }
  readonly 'email-change': { readonly accountId: string; readonly email: string }
  /** To the address that the account had. */
  readonly 'email-changed': { readonly accountId: string; readonly former: string; readonly email: string }
  /** `more`: how many alarms it counts beside those that it names. */
  readonly alarms: {
    readonly workspaceId: string
    readonly memberId: string
    readonly alarmIds: readonly string[]
    readonly more: number
  }
  readonly test: { readonly email: string }
}
export type MailKind = keyof MailContents

export type Outbox = {
  /** `workspaceId`: null for an email to an account. Resolves to false when too many wait. */
  readonly put: <K extends MailKind>(
    tx: Db,
    workspaceId: string | null,
    mail: { readonly kind: K; readonly content: MailContents[K] },
    now: Date,
  ) => Promise<boolean>
}

const contextOf = (id: string): string => `mail.${id}`

export const outbox = (keyring: Pick<Keyring, 'seal'>): Outbox => ({
  put: (tx, workspaceId, { kind, content }, now) => {
    const id = newId(now)
    const sealedContent = keyring.seal(JSON.stringify(content), contextOf(id))
    return insertMail(tx, { id, workspaceId, kind, sealedContent, createdAt: now })
  },
})

/** Throws where the key that has sealed it is not given any more. */
export const contentOf = (
  keyring: Pick<Keyring, 'open'>,
  { id, sealedContent }: { readonly id: string; readonly sealedContent: Uint8Array },
): unknown => JSON.parse(keyring.open(sealedContent, contextOf(id)))

type Addressed = { readonly to: string; readonly letter: Letter }
type WriterDeps = {
  readonly db: Database
  readonly now: Date
  /** When the email was asked for. */
  readonly createdAt: Date
  /** The origin that links begin with. */
  readonly publicUrl: string
}
/** Writes the email of a kind. Returns null when there is nothing to send any more. */
export type Writers = {
  readonly [K in MailKind]: (content: MailContents[K], deps: WriterDeps) => Promise<Addressed | null>
}
export type Writer<K extends MailKind> = Writers[K]
