// The statements that may be unscoped (bound to no workspace), each with the reason. None of them serves a call of
// the API.

/** The file that sends it; null when the statement begins a transaction (prisma/transaction.ts). */
type Exception = readonly [from: string | null, like: RegExp, why: string]

const any = /^/

export const allowedStatements: readonly Exception[] = [
  // A caller is known by a secret, or by the id of a key that a gateway has seen: the workspace follows from these.
  ['service/keys/api-keys/key-record.ts', /"hash" (= \$1|IN \()/, 'keys by the hashes of their secrets'],
  // Whoever is signed in is shown the workspaces that they are members of.
  ['service/identity/accounts/rows.ts', /"account_id" = \$1/, 'members of an account'],
  ['service/audit/people-log.ts', /"account_id" = \$1/, 'members of an account whose password somebody did not know'],
  ['service/identity/invitations/rows.ts', /"token_hash" = \$1/, 'an invitation by the hash of its token'],
  ['service/identity/invitations/rows.ts', /"expires_at" <= \$1/, 'invitations that are too old'],
  [null, /JOIN api_key key ON key\.id = u\."keyId"/, 'keys whose use gateways report'],
  ['service/keys/usage/rows.ts', /JOIN api_key key ON key\.id = u\."keyId"/, 'the same outside of a transaction'],
  [null, /JOIN api_key key ON key\.id = a\."keyId"/, 'keys whose activity gateways report'],
  ['service/keys/usage/rows.ts', /JOIN api_key key ON key\.id = a\."keyId"/, 'the same outside of a transaction'],
  ['service/keys/usage/rows.ts', /^\s*DELETE FROM api_key_/, 'figures of use that are kept no longer'],
  ['service/keys/usage/rows.ts', /^\s*DELETE FROM (?:api_key|webhook)_activity/, 'counts that are kept no longer'],
  [null, /JOIN api_key key ON key\.id = c\."keyId"/, 'keys whose calls gateways report'],
  ['service/api-calls/rows.ts', /JOIN api_key key ON key\.id = c\."keyId"/, 'the same outside of a transaction'],
  ['service/api-calls/rows.ts', /^\s*DELETE FROM api_call/, 'calls that are kept no longer'],
  ['service/audit/rows.ts', /"api_key"\."id" (?:IN|=)/, 'keys whose calls gateways have denied'],
  // Calls of the same moment are one statement: Prisma joins lookups by id.
  ['service/keys/me/operations.ts', /"api_key"\."id" (?:= \$1|IN \()/, 'keys that read themselves'],
  ['service/execution/quotas.ts', /^SELECT coalesce\(max\("objects"/, 'how near any workspace is to a quota'],
  [null, /^\s*SELECT encode\(s\.hash, 'hex'\)/, 'keys that have an address signed'],
  ['service/files/operations.ts', /^\s*SELECT encode\(s\.hash, 'hex'\)/, 'the same outside of a transaction'],
  // The dispatcher serves all workspaces, in the order in which their deliveries come due.
  ['dispatcher/fan-out/rows.ts', /^\s*WITH waiting AS MATERIALIZED/, 'outbox rows of events to be fanned out'],
  ['dispatcher/fan-out/rows.ts', /^\s*WITH locked AS MATERIALIZED/, 'outbox rows of these events'],
  ['dispatcher/queue/claim-rows.ts', /^\s*WITH RECURSIVE head AS/, 'deliveries that are due, and since when'],
  ['dispatcher/queue/ordering-rows.ts', /^\s*WITH RECURSIVE ordering_key AS/, 'heads of ordered deliveries'],
  ['dispatcher/queue/postpone-and-expire.ts', /^\s*WITH expired AS/, 'deliveries that have been pending for too long'],
  ['dispatcher/attempt/host-limits.ts', /^\s*DELETE FROM receiving_host/, 'hosts that no webhook names any more'],
  [
    'dispatcher/inspector/recorder.ts',
    /^\s*DELETE FROM inspected_request WHERE .*received_at </s,
    'inspected requests that are too old',
  ],
  ['dispatcher/queue/leases.ts', /^\s*UPDATE delivery SET lease_until = now\(\)/, 'leases of other dispatchers'],
  ['standalone/embedded-database.ts', /^UPDATE/, 'leases of a process that was alone on its database'],
  ['service/deliveries/held.ts', any, 'what a restore holds, which the operator releases'],
  ['service/legal-holds/operations.ts', /^SELECT .*"legal_hold"/, 'legal holds, which the operator lists'],
  ['service/workspace-deletions/operations.ts', /^\s*SELECT \(count/, 'how many workspaces are being deleted'],
  ['service/workspace-deletions/remove-workspaces.ts', /^\s*SELECT d\.id/, 'the next workspace to be removed'],
  [
    'service/workspace-deletions/remove-workspaces.ts',
    /FROM "api_key_workspace" WHERE/,
    'keys of others that act in it',
  ],
  [null, /FROM "api_key_workspace" WHERE/, 'the same in a transaction'],
  [null, /^\s*DELETE FROM account a/, 'accounts of removed members, unless others are left'],
  // Background work searches all workspaces; what it finds it changes under the lock of its workspace.
  ['service/deliveries/change-rows.ts', /^\s*DELETE FROM delivery_(?:change|watch) WHERE/, 'what is too old to follow'],
  ['service/keys/api-keys/rotation-due.ts', /^\s*SELECT k\.workspace_id/, 'keys whose rotation is due'],
  ['service/keys/api-keys/sweep-rows.ts', /^\s*SELECT part\.workspace_id/, 'where the next part of all keys ends'],
  ['service/webhooks/failing.ts', /^\s*SELECT w\.workspace_id/, 'webhooks that fail, or were given up'],
  ['service/webhooks/dead-letters.ts', /^\s*WITH RECURSIVE noted/, 'dead letters that no event has told of'],
  ['prisma/sealing-rows.ts', any, 'which keys stored secrets need'],
  ['service/webhooks/signing-secrets.ts', /^\s*SELECT workspace_id .* FROM webhook/s, 'secrets to be sealed anew'],
  ['service/background-work.ts', /^\s*\(SELECT workspace_id .* FROM member/s, 'removed members and merged entities'],
  ['service/tasks/rekey.ts', /^\s*SELECT workspace_id .* FROM project/s, 'projects with a new key'],
  ['service/deliveries/replay-job-rows.ts', /^\s*SELECT workspace_id .* FROM replay_job/s, 'the next replay job'],
  ['service/jobs/rows.ts', /^\s*UPDATE job SET status = 'running'/, 'the next job'],
  ['service/jobs/rows.ts', /^SELECT .* WHERE \(.*"ended_at" IS NOT NULL AND .*"told_at" IS NULL/, 'jobs to be told of'],
  ['service/jobs/rows.ts', /^\s*DELETE FROM job/, 'jobs that ended long ago, with their files'],
  ['service/mail/rows.ts', /"mail"\."workspace_id" IS NULL/, 'emails to accounts, which belong to no workspace'],
  ['service/mail/send-mails.ts', /^\s*(?:UPDATE|DELETE FROM) mail/, 'emails that are due, and what became of each'],
  ['service/open-mail.ts', /^\s*SELECT count/, 'how many emails wait'],
  [
    'service/alarms/due-keys.ts',
    /^\s*SELECT [kd]\.workspace_id/,
    'keys that expire soon, that a policy stops soon, or with many denied calls',
  ],
  ['service/alarms/mails.ts', /^\s*SELECT a\.workspace_id/, 'workspaces with alarms that no email has told of'],
  ['service/background-work.ts', /^\s*(?:UPDATE|DELETE FROM) alarm/, 'alarms that are settled, or were long ago'],
  ['service/background-work.ts', /^\s*DELETE FROM mail/, 'emails that were given up long ago'],
  ['service/ledger/record-events.ts', any, 'how many events no dispatcher has taken'],
  ['service/ledger/partition-maintenance.ts', /^\s*SELECT s\.workspace_id/, 'where the feed of each workspace ends'],
  [null, /^\s*SELECT EXISTS \(SELECT FROM delivery_\w+ WHERE next/, 'what keeps a partition of the ledger'],
  ['service/ledger/partitions.ts', /^\s*SELECT EXISTS/, 'what keeps a partition of the ledger'],
  ['service/ledger/partitions.ts', /^\s*SELECT id FROM event_default/, 'the newest event without a partition'],
  ['service/ledger/partition-maintenance.ts', /^\s*SELECT e\.workspace_id/, 'the oldest event'],
  ['service/background-work.ts', /^DELETE FROM replay_job/, 'replay jobs that ended long ago'],
  ['service/purge-rows.ts', any, 'objects that were deleted long ago'],
  ['service/files/clean-up.ts', any, 'files that were not uploaded, or deleted long ago, and bytes that none needs'],
  ['service/audit/rows.ts', /^\s*WITH chain AS/, 'audit entries that are a year old'],
  ['service/execution/idempotency.ts', /^\s*DELETE FROM idempotency_record/, 'kept answers that have expired'],
]
