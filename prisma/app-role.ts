// A role for services and dispatchers that owns nothing: it reads and writes rows, and can neither change a table nor
// forge which migrations were applied. Partitions of the ledger come and go by functions with the rights of their
// owner.

import { StartupError } from '#runtime/process.ts'
import type { Session } from './sql-session.ts'

/** Throws a StartupError when there is no such role. Within a transaction of the role that owns the tables. */
export async function grantTo(session: Session, role: string): Promise<void> {
  const [found] = await session.query<{ schema: string; isSelf: boolean }>(
    `SELECT current_schema() AS schema, rolname = current_user AS "isSelf" FROM pg_roles WHERE rolname = $1`,
    [role],
  )
  if (found === undefined)
    throw new StartupError(
      `There is no role "${role}", which DATABASE_APP_ROLE names. Create it first: CREATE ROLE "${role}" LOGIN PASSWORD '…'.`,
    )
  if (found.isSelf)
    throw new StartupError(
      `DATABASE_APP_ROLE names the role that migrates, "${role}", which owns the tables: leave it out, or migrate as another role.`,
    )
  const { schema } = found
  await session.run(`
    GRANT USAGE ON SCHEMA "${schema}" TO "${role}";
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA "${schema}" TO "${role}";
    GRANT USAGE, SELECT, UPDATE ON ALL SEQUENCES IN SCHEMA "${schema}" TO "${role}";
    GRANT EXECUTE ON FUNCTION add_ledger_partition(text, text), drop_ledger_partition(text) TO "${role}";
    ALTER DEFAULT PRIVILEGES IN SCHEMA "${schema}" GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO "${role}";
    ALTER DEFAULT PRIVILEGES IN SCHEMA "${schema}" GRANT USAGE, SELECT, UPDATE ON SEQUENCES TO "${role}";
    REVOKE INSERT, UPDATE, DELETE ON _prisma_migrations FROM "${role}"`)
}
