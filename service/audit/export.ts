// The audit log as a file: the entries that match the filters, oldest first, read page after page while they are sent.
import {
  entriesLookedThroughMax,
  entriesPerExportPage,
  exportAuditEntries,
  type AuditEntry,
} from '#contract/audit-entries.ts'
import { csvLine, withoutFormula } from '#contract/csv-lines.ts'
import { linesTypes, type LinesBody } from '#contract/file-answer.ts'
import type { Database } from '#prisma/client.ts'
import { transact } from '#prisma/transaction.ts'
import type { Call, Db, Handler } from '../execution/call.ts'
import type { DatabaseSlots } from '../execution/database-slots.ts'
import { refuseParameter } from '../faults/shared-faults.ts'
import { assertSpan } from '../validation/query-parameters.ts'
import { recordAudit } from './record-changes.ts'
import { endsOf, entriesNumbered, matchingNumbers, type EntryFilter } from './rows.ts'
import { fromRow } from './rules.ts'

export type ExportDeps = { readonly db: Database; readonly slots: Pick<DatabaseSlots, 'read'> }

type Read = <T>(from: (db: Db) => Promise<T>) => Promise<T>

/** Each page is read with a database slot of its own, which is free while the caller takes the page. */
export const exportLog =
  ({ db, slots }: ExportDeps): Handler<typeof exportAuditEntries> =>
  async ({ format, ...filter }, call): Promise<LinesBody> => {
    const { workspaceId, principal, signal, now } = call
    assertSpan('created', filter.createdAfter, filter.createdBefore, refuseParameter)
    const ends = await endsOf(call.db, workspaceId)
    await recordExport(db, { format, ...filter }, call)
    const read: Read = (from) => slots.read({ ...principal, work: exportAuditEntries.name }, signal, () => from(db))
    const first = (ends.oldest?.number ?? 1) - 1
    return {
      fileName: `audit-log-${now.toISOString().slice(0, 10)}.${format}`,
      type: linesTypes[format],
      lines: () => linesOf(format, pages(read, workspaceId, filter, { above: first, last: ends.last.number })),
    }
  }

/** Who takes the log out of the workspace is in it. */
const recordExport = (db: Database, what: object, call: Call): Promise<void> =>
  transact(db, (tx) => recordAudit(tx, exportAuditEntries, [{ after: what, before: undefined }], call))

type Range = { readonly above: number; readonly last: number }

/** Entries that come meanwhile are not part of it: it has an end. */
async function* pages(
  read: Read,
  workspaceId: string,
  filter: EntryFilter,
  { above: first, last }: Range,
): AsyncGenerator<readonly AuditEntry[]> {
  let above = first
  while (above < last) {
    const below = Math.min(last, above + entriesLookedThroughMax) + 1
    const slice = { above, below, newestFirst: false, rows: entriesPerExportPage }
    const rows = await read(async (db) => {
      const found = await matchingNumbers(db, workspaceId, filter, slice)
      return entriesNumbered(
        db,
        workspaceId,
        found.map(({ number }) => number),
      )
    })
    yield rows.map(fromRow)
    const newest = rows.at(-1)
    above = rows.length === entriesPerExportPage && newest !== undefined ? Number(newest.number) : below - 1
  }
}

async function* linesOf(
  format: keyof typeof linesTypes,
  entries: AsyncIterable<readonly AuditEntry[]>,
): AsyncGenerator<string> {
  if (format === 'csv') yield csvLine(Object.keys(columns))
  const lineOf = format === 'csv' ? csvLineOf : jsonLineOf
  for await (const page of entries) if (page.length > 0) yield page.map(lineOf).join('')
}

const jsonLineOf = (entry: AuditEntry): string => `${JSON.stringify(entry)}\n`
const csvLineOf = (entry: AuditEntry): string =>
  csvLine(Object.values(columns).map((valueOf) => withoutFormula(String(valueOf(entry) ?? ''))))

type Value = string | number | null | undefined
/** By their heads, which are the paths of the fields. */
const columns: Readonly<Record<string, (entry: AuditEntry) => Value>> = {
  number: ({ number }) => number,
  at: ({ at }) => at,
  action: ({ action }) => action,
  outcome: ({ outcome }) => outcome,
  code: ({ code }) => code,
  'actor.type': ({ actor }) => actor.type,
  'actor.id': ({ actor }) => actor.id,
  'actor.name': ({ actor }) => actor.name,
  'actor.keyPrefix': ({ actor }) => actor.keyPrefix,
  'target.type': ({ target }) => target?.type,
  'target.id': ({ target }) => target?.id,
  'target.name': ({ target }) => target?.name,
  surface: ({ surface }) => surface,
  ip: ({ ip }) => ip,
  userAgent: ({ userAgent }) => userAgent,
  requestId: ({ requestId }) => requestId,
  count: ({ count }) => count,
  changes: ({ changes }) => JSON.stringify(changes),
  argumentsHash: ({ argumentsHash }) => argumentsHash,
  traceId: ({ traceId }) => traceId,
  previousHash: ({ previousHash }) => previousHash,
  hash: ({ hash }) => hash,
}
