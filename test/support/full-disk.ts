// A database whose disk is full, as its callers see it: what would need room in a table fails as Postgres lets it fail.
import type { Database } from '#prisma/client.ts'

/** Until its disposal nothing can be written to the table. */
export async function fillDisk(db: Database, table: string): Promise<AsyncDisposable> {
  const words = `could not extend file "base/1/2": No space left on device`
  await db.$executeRawUnsafe(`CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS
    $$BEGIN RAISE EXCEPTION '${words}' USING ERRCODE = 'disk_full'; END$$`)
  await db.$executeRawUnsafe(
    `CREATE TRIGGER no_room BEFORE INSERT OR UPDATE ON "${table}" FOR EACH ROW EXECUTE FUNCTION no_room()`,
  )
  return {
    [Symbol.asyncDispose]: async () => {
      await db.$executeRawUnsafe('DROP FUNCTION no_room() CASCADE')
    },
  }
}
