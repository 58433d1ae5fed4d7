// A workspace that a large customer has, made by SQL: titles that share a word, values that repeat, a few that hardly
// any object has. Triggers are left out, so the words that searches look for are worked out here as they would.
import type { Database, Query } from './database.ts'

export type LargeWorkspace = {
  readonly workspaceId: string
  readonly tasks: number
  readonly documents: number
  readonly crmEntities: number
  readonly projects: number
  /** How many events, deliveries, entries of the audit log and comments of one task. */
  readonly ledgers?: number
}

/** Rows in one statement, so that a signal need not wait for all of them. */
const chunkRows = 50_000
const tables = {
  crm_entity: 'name, description',
  project: 'name, description',
  task: 'title, description',
  document: 'title, content',
}

export const fillWorkspace = (database: Database, large: LargeWorkspace): Promise<void> =>
  database.session(async (query) => {
    // Foreign keys are not checked: all references exist. The planner is to know nothing until it is told.
    await query(`SET session_replication_role = replica; SET synchronous_commit = off`)
    for (const table of [...Object.keys(tables), ...links]) {
      await query(`ALTER TABLE ${table} SET (autovacuum_enabled = off)`)
    }
    for (const table of Object.keys(tables)) await query(`ALTER TABLE ${table}_search SET (autovacuum_enabled = off)`)
    for (const table of ['event', 'delivery']) await query(`ALTER TABLE ${table}_first SET (autovacuum_enabled = off)`)
    const { workspaceId } = large
    await query(fieldsText, [workspaceId])
    await query(membersText, [workspaceId])
    await inChunks(query, crmEntitiesText, workspaceId, large.crmEntities)
    await query(domainsText, [workspaceId])
    await inChunks(query, projectsText, workspaceId, large.projects)
    await inChunks(query, tasksText, workspaceId, large.tasks)
    await query(assigneesText, [workspaceId])
    await query(taskEntitiesText, [workspaceId])
    await inChunks(query, documentsText, workspaceId, large.documents)
    for (const table of Object.keys(tables)) await query(ownIdsText(table), [workspaceId])
    await query(phonesText, [workspaceId])
    await query(filesText, [workspaceId])
    for (const table of ['task', 'document', 'crm_entity']) await query(fileLinksText(table), [workspaceId])
    if (large.ledgers !== undefined) {
      await query(webhooksText, [workspaceId])
      for (const text of ledgerTexts) await inChunks(query, text, workspaceId, large.ledgers)
      await query(ownIdsText('comment'), [workspaceId])
      await query(fileLinksText('comment'), [workspaceId])
      await query('UPDATE event_sequence SET last = 1000 + $2::int WHERE workspace_id = $1', [
        workspaceId,
        large.ledgers,
      ])
    }
    for (const [table, columns] of Object.entries(tables)) {
      await query(
        `INSERT INTO ${table}_search SELECT workspace_id, id, search_words(${columns}) FROM ${table}
         WHERE workspace_id = $1 ON CONFLICT DO NOTHING`,
        [workspaceId],
      )
      await query(
        `SELECT gin_clean_pending_list('${table}_search_words_idx'), gin_clean_pending_list('${table}_trigrams_idx')`,
      )
    }
  })

export const analyze = (database: Database): Promise<void> =>
  database.session(async (query) => {
    await query('VACUUM (ANALYZE)')
  })

async function inChunks(query: Query, text: string, workspaceId: string, rows: number): Promise<void> {
  for (let made = 0; made < rows; made += chunkRows) {
    await query(text, [workspaceId, made + 1, Math.min(rows, made + chunkRows)])
    console.error(`${Math.min(rows, made + chunkRows).toLocaleString('en-US')} rows of ${/INTO (\w+)/.exec(text)?.[1]}`)
  }
}

const fileLinks = ['task_file', 'document_file', 'crm_entity_file', 'comment_file']
const links = [
  'crm_domain',
  'crm_phone',
  'task_assignee',
  'task_crm_entity',
  'comment',
  'audit_entry',
  'webhook',
].concat('external_id', 'file', fileLinks)
const actor = `'{"type": "system", "id": "bench", "name": "Bench"}'::jsonb`
const words = `(ARRAY['Call', 'Check', 'Close', 'Draft', 'File', 'Finish', 'Mend', 'Order', 'Paint', 'Plan', 'Print', 'Review', 'Sell', 'Ship', 'Test', 'Write'])`
const title = `${words}[1 + n % 16] || ' ' || ${words}[1 + n / 16 % 16] || ' report ' || n`
const text = `'A few words that each of them has, and number ' || n`
/** A value that half of the objects share, and one that few have. */
const label = `CASE WHEN n % 40000 = 7 THEN ARRAY['rare'] WHEN n % 2 = 0 THEN ARRAY['half', 'l' || n % 50] ELSE '{}' END`
const external = `CASE WHEN n % 20000 = 7 THEN 'rare' WHEN n % 2 = 0 THEN 'half' END, CASE WHEN n % 20000 = 7 OR n % 2 = 0 THEN 'e' || n END`
const fields = `jsonb_build_object('size', n % 20, 'note', 'n' || n % 1000)`
const due = `CASE WHEN n % 4 > 0 THEN date '2026-01-01' + n * 31 % 365 END`
const amount = `jsonb_build_object('amount', (n % 5000)::text || '.50', 'currency', (ARRAY['EUR', 'USD'])[1 + n % 2])`
const made = `timestamptz '2026-01-01 00:00Z' + n * interval '1 minute'`
/** The member or key that made a few of the objects. */
export const rareAuthor = '01900000-0000-7000-8000-00000000000a'
const author = `CASE WHEN n % 20000 = 7 THEN '{"type":"api_key","id":"${rareAuthor}","name":"R"}'::jsonb ELSE ${actor} END`
/** Half of the objects come from another system, a few by somebody who wrote hardly anything there. */
const imported = `CASE WHEN n % 2 = 0 THEN jsonb_build_object('importedAt', '2026-01-01T00:00:00.000Z',
  'importedBy', ${actor}, 'updatedAt', NULL, 'createdBy', jsonb_build_object('name', 'Ada',
  'email', CASE WHEN n % 20000 = 8 THEN 'rare' ELSE 'half' END || '@old.example')) END`
const stamps = `1, ${made}, timestamptz '2026-01-01 00:00Z' + n * 7919 % 200003 * interval '1 minute', ${author}, ${author}`
const stampColumns = 'version, created_at, updated_at, created_by, updated_by'
const numbers = 'generate_series($2::int, $3::int) AS n'
const nth = (table: string, n: string): string =>
  `(ARRAY(SELECT id FROM ${table} WHERE workspace_id = $1 ORDER BY created_at, id LIMIT 50))[1 + ${n} % 50]`

const fieldsText = `
  INSERT INTO custom_field (workspace_id, id, key, target, type, label, options, required, ${stampColumns})
  SELECT $1, gen_random_uuid(), key, target, type, key, '{}', false, 1, now(), now(), ${actor}, ${actor}
  FROM unnest(ARRAY['project', 'task', 'company', 'contact', 'deal']) AS target,
    (VALUES ('size', 'number'), ('note', 'text')) AS field(key, type)`
const membersText = `
  INSERT INTO member (workspace_id, id, name, email, role, status, ${stampColumns})
  SELECT $1, gen_random_uuid(), 'Member ' || n, 'member' || n || '@example.com', 'member', 'active', ${stamps}
  FROM generate_series(1, 50) AS n`
const crmEntitiesText = `
  INSERT INTO crm_entity (workspace_id, id, kind, name, description, owner_id, company_id, stage, probability, amount, expected_close_date, labels, phones, industry,
    custom_fields, external_source, external_id, imported, ${stampColumns})
  SELECT $1, gen_random_uuid(), kind, ${title}, ${text}, CASE WHEN n % 2 = 0 THEN owners[1 + n / 2 % 50] END,
    CASE WHEN kind <> 'company' THEN companies[1 + n % 50] END,
    CASE WHEN kind = 'deal' THEN (ARRAY['new', 'qualified', 'proposal'])[1 + n / 4 % 3] END,
    CASE WHEN kind = 'deal' THEN 50 END, CASE WHEN kind = 'deal' AND n % 3 > 0 THEN ${amount} END,
    CASE WHEN kind = 'deal' THEN ${due} END, ${label}, '{}',
    CASE WHEN kind = 'company' THEN 'Industry ' || n % 200 END, ${fields}, ${external}, ${imported}, ${stamps}
  FROM ${numbers}, LATERAL (SELECT (ARRAY['company', 'contact', 'contact', 'deal'])[1 + n % 4] AS kind) k,
    (SELECT ARRAY(SELECT id FROM member WHERE workspace_id = $1 ORDER BY id) AS owners) m,
    (SELECT ARRAY(SELECT id FROM crm_entity WHERE workspace_id = $1 AND kind = 'company' ORDER BY id LIMIT 50) AS companies) c`
const domainsText = `
  INSERT INTO crm_domain (workspace_id, domain, crm_entity_id, position)
  SELECT $1, 'd' || row_number() OVER (ORDER BY created_at) || '.example', id, 1
  FROM crm_entity WHERE workspace_id = $1 AND kind = 'company'`
/** A trigger writes these, where triggers run. */
const ownIdsText = (table: string) => `
  INSERT INTO external_id (workspace_id, object, source, external_id, object_id)
  SELECT workspace_id, '${table}', external_source, external_id, id
  FROM ${table} WHERE workspace_id = $1 AND external_id IS NOT NULL ON CONFLICT DO NOTHING`
const phonesText = `
  INSERT INTO crm_phone (workspace_id, number, crm_entity_id)
  SELECT workspace_id, '4930' || 1000000 + row_number() OVER (ORDER BY created_at), id
  FROM crm_entity WHERE workspace_id = $1 AND kind = 'contact'`
const filesText = `
  INSERT INTO file (workspace_id, id, name, bytes, type, status, uploaded_at, ${stampColumns})
  SELECT $1, gen_random_uuid(), 'File ' || n, 1000, 'text/plain', 'available', now(), ${stamps} FROM generate_series(1, 50) AS n`
/** Half of the objects have one, most of these the same. */
const fileLinksText = (table: string) => `
  INSERT INTO ${table}_file (workspace_id, ${table}_id, file_id, position)
  SELECT $1, t.id, files[CASE WHEN n % 4 = 0 THEN 1 ELSE 2 + n / 2 % 49 END], 1
  FROM (SELECT id, row_number() OVER (ORDER BY created_at, id) AS n FROM ${table} WHERE workspace_id = $1) t,
    (SELECT ARRAY(SELECT id FROM file WHERE workspace_id = $1 ORDER BY created_at, id) AS files) f WHERE n % 2 = 0`
const projectsText = `
  INSERT INTO project (workspace_id, id, key, name, description, status, health, priority, owner_id, company_id, labels, due_date,
    custom_fields, external_source, external_id, imported, ${stampColumns})
  SELECT $1, gen_random_uuid(), translate(lpad(n::text, 6, '0'), '0123456789', 'ABCDEFGHIJ'), ${title}, ${text},
    (ARRAY['planned', 'active', 'paused'])[1 + n % 3], (ARRAY['on_track', 'at_risk', NULL])[1 + n % 3],
    (ARRAY['none', 'low', 'medium', 'high'])[1 + n % 4], ${nth('member', 'n')}, ${nth('crm_entity', 'n')},
    ${label}, ${due}, ${fields}, ${external}, ${imported}, ${stamps}
  FROM ${numbers}`
// Half of the tasks are in one project.
const tasksText = `
  INSERT INTO task (workspace_id, id, project_id, number, identifier, title, description, status, priority, parent_task_id, labels, start_date, due_date, estimate_minutes, position,
    custom_fields, external_source, external_id, imported, ${stampColumns})
  SELECT $1, gen_random_uuid(), projects[CASE WHEN n % 2 = 0 THEN 1 ELSE 2 + n / 2 % (cardinality(projects) - 1) END], n, 'T-' || n,
    ${title}, ${text}, (ARRAY['backlog', 'todo', 'todo', 'in_progress'])[1 + n % 4],
    CASE WHEN n % 40000 = 7 THEN 'urgent' WHEN n % 2 = 0 THEN 'none' ELSE 'high' END,
    CASE WHEN n % 10 = 0 THEN parents[1 + n / 10 % 50] END, ${label}, CASE WHEN n % 3 = 0 THEN date '2026-01-01' END, ${due},
    CASE WHEN n % 2 = 0 THEN n % 480 END, n * 1024 % 100003,
    ${fields}, ${external}, ${imported}, ${stamps}
  FROM ${numbers}, (SELECT ARRAY(SELECT id FROM project WHERE workspace_id = $1 ORDER BY id) AS projects) p,
    (SELECT ARRAY(SELECT id FROM task WHERE workspace_id = $1 ORDER BY created_at LIMIT 50) AS parents) t`
const assigneesText = `
  INSERT INTO task_assignee (workspace_id, task_id, member_id, position)
  SELECT $1, t.id, owners[CASE WHEN t.number % 2 = 0 THEN 1 ELSE 2 + t.number % 49 END], 1
  FROM task t, (SELECT ARRAY(SELECT id FROM member WHERE workspace_id = $1 ORDER BY id) AS owners) m WHERE t.workspace_id = $1`
const taskEntitiesText = `
  INSERT INTO task_crm_entity (workspace_id, task_id, crm_entity_id, position)
  SELECT $1, t.id, entities[CASE WHEN t.number % 4 = 0 THEN 1 ELSE 2 + t.number % (cardinality(entities) - 1) END], 1
  FROM task t, (SELECT ARRAY(SELECT id FROM crm_entity WHERE workspace_id = $1 ORDER BY id LIMIT 1000) AS entities) m
  WHERE t.workspace_id = $1 AND t.number % 2 = 0`
const documentsText = `
  INSERT INTO document (workspace_id, id, title, content, folder, tags, status, project_id, crm_entity_id, word_count, checksum,
    external_source, external_id, imported, ${stampColumns})
  SELECT $1, gen_random_uuid(), ${title}, ${text} || repeat(' and more of the same', 50),
    CASE WHEN n % 40000 = 7 THEN 'rare' WHEN n % 2 = 0 THEN 'half' END, ${label}, (ARRAY['draft', 'published', 'archived'])[1 + n % 3],
    CASE WHEN n % 2 = 0 THEN projects[CASE WHEN n % 4 = 0 THEN 1 ELSE 2 + n % (cardinality(projects) - 1) END] END,
    CASE WHEN n % 2 = 1 THEN entities[CASE WHEN n % 4 = 1 THEN 1 ELSE 2 + n % (cardinality(entities) - 1) END] END, 260, md5(n::text) || md5(n::text), ${external}, ${imported}, ${stamps}
  FROM ${numbers}, (SELECT ARRAY(SELECT id FROM project WHERE workspace_id = $1 ORDER BY id LIMIT 100) AS projects) p,
    (SELECT ARRAY(SELECT id FROM crm_entity WHERE workspace_id = $1 ORDER BY id LIMIT 100) AS entities) c`
/** Within the days for which events are kept. */
const recorded = `(date_trunc('day', now()) - interval '20 days' + n * interval '6 seconds')`
// Ids begin with the milliseconds of their time, as the partitions of events and deliveries expect.
const idAt = (digit: string): string =>
  `overlay(overlay(lpad(to_hex((extract(epoch FROM ${recorded}) * 1000)::bigint), 12, '0') || '7${digit}008000' || lpad(to_hex(n), 12, '0') PLACING '-' FROM 9 FOR 0) PLACING '-' FROM 14 FOR 0)::uuid`
const eventType = `CASE WHEN n % 20000 = 7 THEN 'projects.created' WHEN n % 2 = 0 THEN 'tasks.updated' ELSE 'documents.updated' END`
/** That of an event which the product has written. */
const eventBody = `(SELECT body FROM event WHERE workspace_id = $1 ORDER BY sequence LIMIT 1)`
const webhooksText = `
  INSERT INTO webhook (workspace_id, id, name, url, payload, status, ${stampColumns})
  SELECT $1, gen_random_uuid(), 'Webhook ' || n, 'https://hooks.example/' || n, 'full', 'active', 1, now() + n * interval '1 second', now(), ${actor}, ${actor}
  FROM generate_series(1, 50) AS n`
const ledgerTexts = [
  `INSERT INTO event (workspace_id, id, sequence, type, resource_id, changed_fields, body, occurred_at, request_id)
   SELECT $1, ${idAt('0')}, 1000 + n, ${eventType}, gen_random_uuid(), '{}', ${eventBody}, ${recorded}, 'r' || n / 3 FROM ${numbers}`,
  `INSERT INTO delivery (workspace_id, id, event_id, event_type, webhook_id, status, origin, attempt_count, tries, max_attempts, created_at)
   SELECT $1, ${idAt('1')}, ${idAt('0')}, ${eventType}, webhooks[CASE WHEN n % 2 = 0 THEN 1 ELSE 2 + n % 49 END],
     CASE WHEN n % 20000 = 7 THEN 'dead_letter' ELSE 'delivered' END, 'live', 1, 1, 10, ${recorded}
   FROM ${numbers}, (SELECT ARRAY(SELECT id FROM webhook WHERE workspace_id = $1 ORDER BY created_at) AS webhooks) w`,
  `INSERT INTO audit_entry (workspace_id, number, id, at, actor, action, surface, target, outcome, request_id, changes, count, previous_hash, hash)
   SELECT $1, n, gen_random_uuid(), ${recorded},
     jsonb_build_object('type', 'api_key', 'id', CASE WHEN n % 2 = 0 THEN 'half' ELSE 'key' || n % 997 END, 'name', 'Sync', 'keyPrefix', NULL),
     CASE WHEN n % 20000 = 7 THEN 'projects.delete' WHEN n % 2 = 0 THEN 'tasks.update' ELSE 'tasks.create' END, 'http',
     jsonb_build_object('type', 'task', 'id', CASE WHEN n % 2 = 0 THEN 'half' ELSE 'task' || n % 997 END, 'name', NULL),
     CASE WHEN n % 20000 = 7 THEN 'denied' ELSE 'success' END, 'r' || n, '{}', 1, decode(repeat('00', 32), 'hex'), decode(repeat('00', 32), 'hex')
   FROM ${numbers} ON CONFLICT DO NOTHING`,
  `INSERT INTO comment (workspace_id, id, task_id, body, external_source, external_id, imported, ${stampColumns})
   SELECT $1, gen_random_uuid(), (SELECT id FROM task WHERE workspace_id = $1 ORDER BY created_at, id LIMIT 1), ${text}, ${external}, ${imported}, ${stamps}
   FROM ${numbers}`,
]
