// The order of names is that of the server's ICU (the collation `name_order`). Where its version has changed, after an
// update of the operating system or of PGlite, indexes are still in the former order, and what is looked up in them may
// not be found. So they are rebuilt before anything else reads them.
import type { Session } from './sql-session.ts'

/** Returns the names of the rebuilt indexes. */
export async function renewNameOrder(session: Session): Promise<readonly string[]> {
  const [outdated] = await session.query<{ oid: number }>(outdatedCollation)
  if (outdated === undefined) return []
  const indexes = (await session.query<{ name: string }>(dependentIndexes, [outdated.oid])).map(({ name }) => name)
  const rebuild = indexes.map((name) => `REINDEX INDEX ${name};`).join('\n')
  await session.run(`BEGIN; ${rebuild} ALTER COLLATION name_order REFRESH VERSION; COMMIT`)
  return indexes
}

/** A database that is not migrated so far has no such collation. */
const outdatedCollation = `SELECT oid::int FROM pg_collation
  WHERE oid = to_regcollation('name_order') AND collversion IS DISTINCT FROM pg_collation_actual_version(oid)`

const dependentIndexes = `SELECT DISTINCT c.oid::regclass::text AS name
  FROM pg_depend d JOIN pg_class c ON c.oid = d.objid AND c.relkind = 'i'
  WHERE d.classid = 'pg_class'::regclass AND d.refclassid = 'pg_collation'::regclass AND d.refobjid = $1::oid`
