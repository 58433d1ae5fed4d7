// When changes were committed, as Postgres itself sees it: a trigger that is deferred runs when the commit has been
// asked for and nothing else is left to do. What follows is the write to the disk, which counts as time after the
// commit.
import type { Database } from './database.ts'

/** From now on. It costs each change one more row. */
export const watchCommits = ({ session }: Database): Promise<unknown> =>
  session(async (query) => {
    await query('CREATE TABLE bench_commit (event_id uuid PRIMARY KEY, at float8 NOT NULL)')
    await query(`CREATE FUNCTION bench_committed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO bench_commit VALUES (NEW.event_id, extract(epoch FROM clock_timestamp()) * 1000);
      RETURN NULL;
    END $$`)
    await query(`CREATE CONSTRAINT TRIGGER bench_committed AFTER INSERT ON outbox
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION bench_committed()`)
  })

/** Milliseconds since 1970, by the resource that was changed. */
export const commitTimes = ({ session }: Database): Promise<ReadonlyMap<string, number>> =>
  session(async (query) => {
    const rows = await query<{ id: string; at: number }>(
      'SELECT e.resource_id AS id, c.at FROM bench_commit c JOIN event e ON e.id = c.event_id',
    )
    return new Map(rows.map(({ id, at }) => [id, at]))
  })
