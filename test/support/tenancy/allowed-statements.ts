// The statements that may be bound to no workspace, each with the reason. Whatever a caller asks for is not among them.
type Exception = {
  readonly why: string
  /** The file that sends it; null where it goes straight to a transaction (prisma/transaction.ts). */
  readonly from: string | null
  readonly like: RegExp
}

const any = /^/

export const everywhere: readonly Exception[] = [
  // Who calls is told by a secret, or by the id of a key that a gateway has seen: these tell the workspace.
  { why: 'a key by the hash of its secret', from: 'service/api-keys/find-by-hash.ts', like: /"hash" = \$1/ },
  { why: 'keys that gateways tell the use of', from: null, like: /JOIN api_key key ON key\.id = u\."keyId"/ },
  {
    why: 'the same outside of a transaction',
    from: 'service/api-keys/usage.ts',
    like: /JOIN api_key key ON key\.id = u\."keyId"/,
  },
  { why: 'keys that gateways have refused', from: 'service/audit/audited-key.ts', like: /"api_key"\."id" (?:IN|=)/ },
  { why: 'the key that asks for itself', from: 'service/me/get.ts', like: /"api_key"\."id" = \$1/ },
  // The dispatcher serves all workspaces, in the order in which their deliveries come due.
  {
    why: 'outbox rows of events that were notified of, or are overdue',
    from: 'dispatcher/fan-out/outbox-rows.ts',
    like: any,
  },
  { why: 'deliveries that are due', from: 'dispatcher/queue/claim-due.ts', like: /^\s*WITH RECURSIVE head AS/ },
  { why: 'deliveries that have waited for too long', from: 'dispatcher/queue/expire-waiting.ts', like: any },
  {
    why: 'leases of a process that was alone on its database',
    from: 'standalone/embedded-database.ts',
    like: /^UPDATE/,
  },
  // Housekeeping goes through all workspaces; what it finds it changes in the turn of its workspace.
  {
    why: 'keys that have grown too old',
    from: 'service/api-keys/emit-rotation-due.ts',
    like: /^\s*SELECT k\.workspace_id/,
  },
  { why: 'projects with a new key', from: 'service/tasks/rekey.ts', like: /^SELECT workspace_id .*\s+FROM project\b/ },
  {
    why: 'webhooks that were given up',
    from: 'service/webhooks/disable-failing.ts',
    like: /^\s*SELECT w\.workspace_id/,
  },
  { why: 'projects whose tasks bear a former key', from: 'service/tasks/rekey.ts', like: /^SELECT workspace_id/ },
  {
    why: 'members who were removed',
    from: 'service/removed-members/clear-references.ts',
    like: /^\s*SELECT workspace_id .* FROM member/s,
  },
  {
    why: 'members who were removed',
    from: 'service/removed-members/clear-references.ts',
    like: /^\s*SELECT workspace_id .* FROM member/s,
  },
  { why: 'projects with a new key', from: 'service/tasks/rekey.ts', like: /^\s*SELECT workspace_id .* FROM project/s },
  {
    why: 'the job that waits',
    from: 'service/deliveries/run-replay-jobs.ts',
    like: /^\s*SELECT workspace_id .* FROM replay_job/s,
  },
  { why: 'the oldest event', from: 'service/events/retention.ts', like: /^\s*SELECT e\.workspace_id/ },
  { why: 'jobs that ended long ago', from: 'service/deliveries/replay-job.ts', like: any },
  { why: 'what was deleted long ago', from: 'service/purge-deleted.ts', like: any },
  { why: 'audit entries that are a year old', from: 'service/audit/retention.ts', like: any },
  {
    why: 'answers that are kept no longer',
    from: 'service/execution/idempotency-store.ts',
    like: /^\s*DELETE FROM idempotency_record/,
  },
]
