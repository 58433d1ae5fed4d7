import { expect, test } from 'vitest'
import { eachCollection, constraintFieldsIn } from '../../service/collections.ts'
import { onEachEngine, sharedDatabase } from '../support/database-engines.ts'

const fields = constraintFieldsIn(eachCollection)

test('a field is found by the name of its constraint, also where its values are in a table of links', () => {
  const own = { project_key: 'key', task_parent_task_id: 'parentTaskId', task_external_id: 'externalId' }
  const others = { member_email: 'email', workspace_slug: 'slug' }
  const links = { crm_domain_domains: 'domains', task_assignee_assignee_ids: 'assigneeIds' }

  expect(Object.fromEntries(fields)).toMatchObject({ ...own, ...others, ...links })
})

// Keys that the service draws itself, and never twice.
const ofNoCaller = `access_reset_account_id_fkey access_reset_token_hash_key account_identity_account_id_fkey
  account_identity_account_id_key audit_entry_workspace_id_id_key email_change_account_id_fkey
  invitation_token_hash_key member_account_id_fkey member_account_id_key replay_job_running_key
  session_account_id_fkey session_token_hash_key`.split(/\s+/)

onEachEngine((kind) => {
  const database = sharedDatabase(kind)

  test('every constraint that a caller’s values can meet is known by its field', async () => {
    // Partitions hold what nobody but the service writes.
    // A row of a link table goes with the row that it belongs to: what says so has the workspace in its name.
    const names = await database.db.$queryRaw<{ name: string }[]>`
      SELECT i.relname::text AS name FROM pg_index JOIN pg_class i ON i.oid = indexrelid JOIN pg_class t ON t.oid = indrelid
      WHERE indisunique AND NOT t.relispartition AND i.relname LIKE '%\\_key'
      UNION SELECT conname::text FROM pg_constraint WHERE contype = 'f' AND conname NOT LIKE '%\\_workspace\\_id\\_%'`

    const unknown = names.map(({ name }) => name).filter((name) => !fields.has(name.replace(/_f?key$/, '')))
    expect(unknown.toSorted()).toEqual(ofNoCaller)
  })
})
