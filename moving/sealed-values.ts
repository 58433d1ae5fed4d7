// What is sealed in the database: secrets and headers of webhooks, and answers that are kept for an Idempotency-Key. An
// export has it as it is. The target opens it with the keys of the source, and seals it with its own.
import { keyIdOf, keyring, type InternalSecrets, type Keyring, type SealingKey } from '#runtime/keyring.ts'
import { webhookKeyring } from '#prisma/sealing-rows.ts'
import type { Session } from '#prisma/sql-session.ts'
import { contextOf as contextOfAnswer } from '../service/execution/idempotency.ts'
import { sealedColumns } from '../service/webhooks/signing-secrets.ts'
import { linkRows, readRows } from './rows.ts'
import type { Scope, Table } from './tables.ts'

export type Secrets = InternalSecrets & { readonly sealingKeys: readonly SealingKey[] }
type Row = Readonly<Record<string, string>>
type Sealed = {
  readonly table: string
  readonly column: string
  readonly keyringOf: (secrets: Secrets) => Keyring
  readonly contextOf: (row: Row) => string
}

const sealedValues: readonly Sealed[] = [
  ...sealedColumns.map(({ table, column, contextOf }) => ({
    table,
    column,
    keyringOf: webhookKeyring,
    contextOf: ({ id = '' }: Row) => contextOf(id),
  })),
  {
    table: 'idempotency_record',
    column: 'sealed_body',
    keyringOf: ({ sealingKeys, ...secrets }) => keyring(sealingKeys, secrets, 'idempotency'),
    contextOf: ({ caller_id: callerId = '', workspace_id: workspaceId = '', operation = '', key = '' }) =>
      contextOfAnswer({ callerId, workspaceId, operation, key }),
  },
]

/** The keys that what is stored needs, by their ids. Within a transaction. */
export async function keysNeeded(session: Session, tables: readonly Table[], scope: Scope): Promise<(string | null)[]> {
  const ids = new Set<string | null>()
  for (const { column, table } of placesIn(tables)) {
    for await (const lines of readRows(session, table, scope))
      for (const row of lines.map(parsed)) if (row[column]) ids.add(keyIdOf(bytesOf(row[column])))
  }
  return [...ids]
}

/**
 * Seals anew what is not sealed with the first key. Returns how many values open with none of the keys: they did not at
 * the source either, where the keys are the same. Within a transaction.
 */
export async function resealAll(
  session: Session,
  tables: readonly Table[],
  scope: Scope,
  secrets: Secrets,
): Promise<{ readonly resealed: number; readonly unopened: number }> {
  const counts = { resealed: 0, unopened: 0 }
  for (const { column, table, keyringOf, contextOf } of placesIn(tables)) {
    const keys = keyringOf(secrets)
    for await (const lines of readRows(session, table, scope)) {
      const changed: string[] = []
      for (const row of lines.map(parsed)) {
        if (!row[column]) continue
        const sealed = bytesOf(row[column])
        const again = resealed(keys, sealed, contextOf(row))
        if (again === null) counts.unopened += 1
        else if (isOfAnother(keys, sealed, secrets)) changed.push(JSON.stringify({ ...row, [column]: textOf(again) }))
      }
      if (changed.length > 0) await linkRows(session, table, changed)
      counts.resealed += changed.length
    }
  }
  return counts
}

/** Values that the accepted INTERNAL_SECRET has sealed look like those of the target's own. */
const isOfAnother = ({ first }: Keyring, sealed: Uint8Array, { acceptedSecret = null }: Secrets): boolean => {
  const id = keyIdOf(sealed)
  return id !== first || (id === null && acceptedSecret !== null)
}

function resealed(keys: Keyring, sealed: Uint8Array, context: string): Buffer | null {
  try {
    return keys.seal(keys.open(sealed, context), context)
  } catch {
    return null
  }
}

/** Each table with its key and the sealed column alone. */
const placesIn = (tables: readonly Table[]) =>
  sealedValues.flatMap(({ table: name, column, ...sealed }) =>
    tables
      .filter((table) => table.name === name)
      .map((table) => ({
        ...sealed,
        column,
        table: { ...table, columns: [...table.key.map((each) => each.name), column], links: [column] },
      })),
  )

const parsed = (line: string): Row => JSON.parse(line) as Row
/** As Postgres writes bytes. */
const bytesOf = (text: string): Buffer => Buffer.from(text.slice(String.raw`\x`.length), 'hex')
const textOf = (bytes: Buffer): string => String.raw`\x` + bytes.toString('hex')
