// Statements about the hosts that webhooks send to, of each workspace: how many requests they had before they first
// answered 2xx.
import { Prisma } from '#prisma/generated/client.ts'
import { column, command, query } from '#prisma/statements.ts'

type Unproven = { readonly requestsMax: number; readonly probeEverySeconds: number }

/** Counts a request to a host that has proven nothing, unless it has had its requests and its next one is not due. */
export const countRequest = query(
  { counted: column.bool, proven: column.bool },
  (workspaceId: string, host: string, { requestsMax, probeEverySeconds }: Unproven) => Prisma.sql`
    WITH counted AS (
      INSERT INTO receiving_host AS h (workspace_id, host, sent, next_at) VALUES (${workspaceId}::uuid, ${host}, 1, now())
      ON CONFLICT (workspace_id, host) DO UPDATE SET sent = h.sent + 1,
        next_at = CASE WHEN h.sent + 1 < ${requestsMax}::int THEN h.next_at
                  ELSE now() + ${probeEverySeconds}::int * interval '1 second' END
      WHERE h.proven_at IS NULL AND (h.sent < ${requestsMax}::int OR h.next_at <= now())
      RETURNING 1
    )
    SELECT EXISTS (SELECT FROM counted) AS counted, EXISTS (
      SELECT FROM receiving_host
      WHERE workspace_id = ${workspaceId}::uuid AND host = ${host} AND proven_at IS NOT NULL
    ) AS proven`,
)

export const isProven = query(
  { proven: column.bool },
  (workspaceId: string, host: string) => Prisma.sql`
    SELECT proven_at IS NOT NULL AS proven FROM receiving_host
    WHERE workspace_id = ${workspaceId}::uuid AND host = ${host}`,
)

export const setProven = command(
  (workspaceId: string, host: string) => Prisma.sql`
    UPDATE receiving_host SET proven_at = now()
    WHERE workspace_id = ${workspaceId}::uuid AND host = ${host} AND proven_at IS NULL`,
)

/** Hosts that no webhook of their workspace names any more. */
export const deleteUnnamedHosts = command(
  (keptDays: number, max: number) => Prisma.sql`
    DELETE FROM receiving_host WHERE (workspace_id, host) IN (
      SELECT h.workspace_id, h.host FROM receiving_host h
      WHERE h.next_at < now() - ${keptDays}::int * interval '1 day' AND NOT EXISTS (
        SELECT FROM webhook w
        WHERE w.workspace_id = h.workspace_id AND w.deleted_at IS NULL AND position(h.host IN w.url) > 0
      )
      LIMIT ${max}::int FOR UPDATE SKIP LOCKED
    )`,
)
