// The one row of the installation: whether it was restored, and its clock, by which it is noticed that the database has
// gone back (prisma/restore.ts).
import { StartupError } from '#runtime/process.ts'
import type { Database } from './client.ts'
import { Prisma } from './generated/client.ts'
import { column, query } from './statements.ts'

export type Installation = {
  readonly identity: string
  readonly epoch: string | null
  readonly beat: number
  readonly heldSince: Date | null
  readonly rewoundAt: Date | null
}

/** Null before the first start of a service. */
export async function readInstallation(db: Database): Promise<Installation | null> {
  const row = await db.installation.findUnique({ where: { id: 1 }, omit: { sealedProof: true, createdAt: true } })
  return row && { ...row, beat: Number(row.beat) }
}

/** Throws a StartupError while `npm run import` fills the database. */
export async function assertNotImporting(db: Database): Promise<void> {
  const started = await db.installationImport.findUnique({ where: { id: 1 } })
  if (started !== null) throw new StartupError(importingMessage(started.startedAt))
}

export const importingMessage = (since: Date): string =>
  `The database is not whole: npm run import has been filling it since ${since.toISOString()}. Run the same npm run import again, which goes on where it stopped, or make an empty database in its place (docs/operating/moving.md).`

/** In milliseconds since 1970, and never less than before. */
export const nextBeat = 'greatest(beat + 1, (extract(epoch FROM clock_timestamp()) * 1000)::bigint)'

/**
 * Moves the clock on, and returns it as it was before and is now. `seen`: what it was when it was last kept outside;
 * where the database is behind that, this is written down.
 */
export const moveClock = query(
  { before: column.bigint, beat: column.bigint, rewoundAt: column.time.orNull },
  (seen: number) => Prisma.sql`
    UPDATE installation i SET beat = ${Prisma.raw(nextBeat.replaceAll('beat', 'i.beat'))},
      rewound_at = CASE WHEN i.beat < ${seen}::bigint THEN now() ELSE i.rewound_at END
    FROM (SELECT id, beat FROM installation WHERE id = 1 FOR UPDATE) before
    WHERE i.id = before.id
    RETURNING before.beat AS before, i.beat, i.rewound_at AS "rewoundAt"`,
)

/** For processes that do not move the clock. Throws a StartupError where the database is behind. */
export function assertNotRewound(installation: Pick<Installation, 'beat'> | null, seen: number): void {
  if (installation === null || installation.beat >= seen) return
  throw new StartupError(rewoundMessage(installation.beat, seen))
}

export const rewoundMessage = (beat: number, seen: number): string =>
  `The database is in an earlier state than this installation has been: of ${timeOf(beat)}, while Redis has heard of it until ${timeOf(seen)}. A backup was restored, or a replica has taken over that lacked the last changes: start one service with RESTORED=true before any other process, so that readers of the feed are told and nothing is sent twice (docs/operating/restoring.md).`

const timeOf = (ms: number): string => (ms === 0 ? 'no known time' : new Date(ms).toISOString())
