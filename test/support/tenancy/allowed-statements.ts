// The statements that may be unscoped (bound to no workspace), each with the reason. None of them serves an API call.
type Exception = {
  readonly why: string
  /** The file that sends it; null when the statement begins a transaction (prisma/transaction.ts). */
  readonly from: string | null
  readonly like: RegExp
}

const any = /^/

export const allowedStatements: readonly Exception[] = [
  // A caller is known by a secret, or by the id of a key that a gateway has seen: the workspace follows from these.
  {
    why: 'keys by the hashes of their secrets',
    from: 'service/keys/api-keys/key-record.ts',
    like: /"hash" (= \$1|IN \()/,
  },
  // Whoever is signed in is shown the workspaces that they are members of.
  { why: 'members of an account', from: 'service/identity/accounts/rows.ts', like: /"account_id" = \$1/ },
  {
    why: 'members of an account whose password somebody did not know',
    from: 'service/audit/people-log.ts',
    like: /"account_id" = \$1/,
  },
  {
    why: 'an invitation by the hash of its token',
    from: 'service/identity/invitations/rows.ts',
    like: /"token_hash" = \$1/,
  },
  { why: 'invitations that are too old', from: 'service/identity/invitations/rows.ts', like: /"expires_at" <= \$1/ },
  { why: 'keys whose use gateways report', from: null, like: /JOIN api_key key ON key\.id = u\."keyId"/ },
  {
    why: 'the same outside of a transaction',
    from: 'service/keys/usage/rows.ts',
    like: /JOIN api_key key ON key\.id = u\."keyId"/,
  },
  { why: 'keys whose activity gateways report', from: null, like: /JOIN api_key key ON key\.id = a\."keyId"/ },
  {
    why: 'the same outside of a transaction',
    from: 'service/keys/usage/rows.ts',
    like: /JOIN api_key key ON key\.id = a\."keyId"/,
  },
  {
    why: 'figures of use that are kept no longer',
    from: 'service/keys/usage/rows.ts',
    like: /^\s*DELETE FROM api_key_/,
  },
  {
    why: 'counts that are kept no longer',
    from: 'service/keys/usage/rows.ts',
    like: /^\s*DELETE FROM (?:api_key|webhook)_activity/,
  },
  { why: 'keys whose calls gateways have denied', from: 'service/audit/rows.ts', like: /"api_key"\."id" (?:IN|=)/ },
  // Calls of the same moment are one statement: Prisma joins lookups by id.
  { why: 'keys that read themselves', from: 'service/keys/me/operations.ts', like: /"api_key"\."id" (?:= \$1|IN \()/ },
  {
    why: 'how near any workspace is to a quota, for the metrics',
    from: 'service/execution/quotas.ts',
    like: /^SELECT coalesce\(max\("objects"/,
  },
  // The dispatcher serves all workspaces, in the order in which their deliveries come due.
  {
    why: 'outbox rows of events to be fanned out',
    from: 'dispatcher/fan-out/rows.ts',
    like: /^\s*WITH waiting AS MATERIALIZED/,
  },
  { why: 'outbox rows of these events', from: 'dispatcher/fan-out/rows.ts', like: /^\s*WITH locked AS MATERIALIZED/ },
  { why: 'deliveries that are due', from: 'dispatcher/queue/claim-statement.ts', like: /^\s*WITH RECURSIVE head AS/ },
  {
    why: 'heads of ordered deliveries',
    from: 'dispatcher/queue/ordering.ts',
    like: /^\s*WITH RECURSIVE ordering_key AS/,
  },
  {
    why: 'deliveries that have been pending for too long',
    from: 'dispatcher/queue/postpone-and-expire.ts',
    like: /^\s*WITH expired AS/,
  },
  {
    why: 'hosts that no webhook names any more',
    from: 'dispatcher/attempt/host-limits.ts',
    like: /^\s*DELETE FROM receiving_host/,
  },
  {
    why: 'leases that this dispatcher does not know of',
    from: 'dispatcher/queue/leases.ts',
    like: /^\s*UPDATE delivery SET lease_until = now\(\)/,
  },
  {
    why: 'for how long the oldest delivery has been due',
    from: 'dispatcher/metrics/dispatcher-metrics.ts',
    like: /^\s*WITH RECURSIVE head AS/,
  },
  {
    why: 'leases of a process that was alone on its database',
    from: 'standalone/embedded-database.ts',
    like: /^UPDATE/,
  },
  // Background work searches all workspaces; what it finds it changes under the lock of its workspace.
  {
    why: 'changes of deliveries that nobody can go on from, and watches that are over',
    from: 'service/deliveries/change-rows.ts',
    like: /^\s*DELETE FROM delivery_(?:change|watch) WHERE/,
  },
  {
    why: 'keys whose rotation is due',
    from: 'service/keys/api-keys/rotation-due.ts',
    like: /^\s*SELECT k\.workspace_id/,
  },
  {
    why: 'webhooks that are failing, and that the dispatcher has given up',
    from: 'service/webhooks/failing.ts',
    like: /^\s*SELECT w\.workspace_id/,
  },
  {
    why: 'webhooks with dead letters that no event has told of',
    from: 'service/webhooks/dead-letters.ts',
    like: /^\s*WITH RECURSIVE noted/,
  },
  { why: 'which keys stored secrets need', from: 'prisma/sealing-rows.ts', like: any },
  {
    why: 'stored secrets to be sealed anew',
    from: 'service/webhooks/background-rows.ts',
    like: /^\s*SELECT workspace_id .* FROM webhook/s,
  },
  {
    why: 'members who were removed, and entities that were merged',
    from: 'service/collection/outdated-references.ts',
    like: /^\s*\(SELECT workspace_id .* FROM member/s,
  },
  { why: 'projects with a new key', from: 'service/tasks/rekey.ts', like: /^\s*SELECT workspace_id .* FROM project/s },
  {
    why: 'the replay job that has waited longest',
    from: 'service/deliveries/replay-job-rows.ts',
    like: /^\s*SELECT workspace_id .* FROM replay_job/s,
  },
  { why: 'how many events no dispatcher has taken', from: 'service/ledger/record-events.ts', like: any },
  {
    why: 'where the feed of each workspace ends',
    from: 'service/ledger/partition-maintenance.ts',
    like: /^\s*SELECT s\.workspace_id/,
  },
  {
    why: 'what keeps a partition of the ledger',
    from: null,
    like: /^\s*SELECT EXISTS \(SELECT FROM delivery_\w+ WHERE next/,
  },
  { why: 'what keeps a partition of the ledger', from: 'service/ledger/partitions.ts', like: /^\s*SELECT EXISTS/ },
  {
    why: 'the newest event without a partition',
    from: 'service/ledger/partitions.ts',
    like: /^\s*SELECT id FROM event_default/,
  },
  { why: 'the oldest event', from: 'service/ledger/partition-maintenance.ts', like: /^\s*SELECT e\.workspace_id/ },
  { why: 'replay jobs that ended long ago', from: 'service/background-work.ts', like: /^DELETE FROM replay_job/ },
  { why: 'objects that were deleted long ago', from: 'service/purge-expired.ts', like: any },
  { why: 'audit entries that are a year old', from: 'service/audit/rows.ts', like: /^\s*WITH chain AS/ },
  {
    why: 'kept answers that have expired',
    from: 'service/execution/idempotency.ts',
    like: /^\s*DELETE FROM idempotency_record/,
  },
]
