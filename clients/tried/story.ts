// The story that every JavaScript client plays, in its own way of calling: the story is here, the calls are in its
// folder. The clients of other languages tell the same story in theirs.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'

type Project = {
  readonly id: string
  readonly name: string
  readonly status: string
  readonly version: number
  readonly archivedAt: string | null
}
type NewProject = {
  readonly name: string
  readonly status?: 'planned' | 'active' | 'paused'
  readonly labels?: string[]
}
type Query = {
  readonly status?: ('planned' | 'active' | 'paused')[]
  readonly labels?: string[]
  readonly limit?: number
  readonly cursor?: string
}
type Page = { readonly data: readonly Project[]; readonly page: { readonly nextCursor: string | null } }
type Problem = { readonly status: number; readonly code: string; readonly detail: string }

export type ProjectsClient = {
  /** With the client's own way to send a list of values. */
  list(query: Query): Promise<unknown>
  create(project: NewProject): Promise<unknown>
  /** With nothing but the address, as the client sends a POST without a body. */
  archive(id: string): Promise<unknown>
  get(id: string): Promise<unknown>
  update(id: string, change: { name: string }): Promise<unknown>
  /** Returns the API's problem from what the client throws. */
  problemOf(error: never): unknown
}

const nobodysId = '01890000-0000-7000-8000-000000000000'

export async function tellStory(client: ProjectsClient): Promise<void> {
  const label = `tried-${randomUUID().slice(0, 8)}`
  const list = async (query: Query) => (await client.list(query)) as Page

  const made: Project[] = []
  for (const status of ['planned', 'active', 'paused'] as const) {
    const project = (await client.create({ name: `Größe, ${status} & more`, status, labels: [label] })) as Project
    assert.equal(project.name, `Größe, ${status} & more`)
    assert.equal(project.status, status)
    made.push(project)
  }
  const [first, second, third] = made.map(({ id }) => id) as [string, string, string]
  done('create')

  const { data } = await list({ status: ['active', 'paused'], labels: [label] })
  assert.deepEqual(data.map(({ id }) => id).toSorted(), [second, third].toSorted())
  done('list with two values of a filter')

  assert.equal(((await client.get(first)) as Project).version, 1)
  done('get')

  const updated = (await client.update(first, { name: 'Renamed' })) as Project
  assert.deepEqual([updated.name, updated.version], ['Renamed', 2])
  done('update')

  const seen: string[] = []
  let cursor: string | undefined
  do {
    const page = await list({ labels: [label], limit: 1, ...(cursor !== undefined && { cursor }) })
    seen.push(...page.data.map(({ id }) => id))
    cursor = page.page.nextCursor ?? undefined
  } while (cursor !== undefined && seen.length < 10)
  assert.deepEqual(seen.toSorted(), [first, second, third].toSorted())
  done('all pages')

  assert.notEqual(((await client.archive(first)) as Project).archivedAt, null)
  done('an action without a body')

  const missing = await problemOf(client, () => client.get(nobodysId))
  assert.deepEqual([missing.status, missing.code], [404, 'not_found'])
  const unknownField = await problemOf(client, () => client.create({ nme: 'Misspelt' } as unknown as NewProject))
  assert.deepEqual([unknownField.status, unknownField.code], [422, 'unknown_field'])
  assert.match(unknownField.detail, /Did you mean `name`\?/)
  done('problems')
}

async function problemOf(client: ProjectsClient, call: () => Promise<unknown>): Promise<Problem> {
  const error: unknown = await call().then(
    () => assert.fail('A refused call did not throw'),
    (caught: unknown) => caught,
  )
  return client.problemOf(error as never) as Problem
}

/** A failure is found by the last line before it. */
function done(step: string): void {
  console.log(`done: ${step}`)
}
