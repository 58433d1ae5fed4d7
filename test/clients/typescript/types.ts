// What the published client's types say. It is checked and never run: where a line says that an error is expected and
// there is none, tsc fails.
import { createClient, isApiError, type ErrorsOf, type EventType } from '#clients/typescript/src/index.ts'

type Equal<A, B> = [A, B] extends [B, A] ? true : false
/** Only `true` is of a type that holds. */
const holds = <T extends true>(_proof?: T): T | undefined => undefined

const api = createClient({ baseUrl: 'https://workspace.example' })

export async function shown() {
  const whole = await api.tasks.get({ id: 'WEB-1' })
  whole.title.trim()
  whole.dueDate?.trim()
  // @ts-expect-error -- it was not expanded
  void whole.project

  const expanded = await api.tasks.get({ id: 'WEB-1', expand: ['project'] })
  void expanded.project?.key
  // @ts-expect-error -- another was
  void expanded.assignees

  const part = await api.tasks.update({ id: 'WEB-1', status: 'done', fields: ['status'] })
  holds<Equal<keyof typeof part, 'id' | 'object' | 'version' | 'status'>>()
  holds<Equal<typeof part.status, 'backlog' | 'todo' | 'in_progress' | 'blocked' | 'done' | 'cancelled'>>()

  const { data } = await api.documents.list()
  // @ts-expect-error -- a list has no content unless it is asked for
  void data[0]?.content
  const withContent = await api.documents.list({ fields: ['content'] })
  void withContent.data[0]?.content.trim()

  for await (const item of api.projects.list({ includeDeleted: true })) {
    // @ts-expect-error -- a deleted one has no name
    void item.name
    if ('name' in item) item.name.trim()
    else item.deletedAt.trim()
  }

  const entity = await api.crmEntities.get({ id: 'x' })
  if (entity.kind === 'deal') void entity.stage
  // @ts-expect-error -- only a deal has a stage
  else void entity.stage

  const upserted = await api.tasks.upsert({
    source: 's',
    externalId: '1',
    projectId: 'WEB',
    title: 'T',
    fields: ['title'],
  })
  holds<Equal<typeof upserted.outcome, 'created' | 'updated' | 'unchanged' | 'skipped' | 'restored'>>()

  const fields: ('title' | 'status')[] = ['title']
  const some = await api.tasks.list({ fields })
  void some.data[0]?.title
}

export async function refusedInputs() {
  // @ts-expect-error -- there is no such field
  await api.tasks.create({ projectId: 'WEB', title: 'T', colour: 'red' })
  // @ts-expect-error -- the title is missing
  await api.tasks.create({ projectId: 'WEB' })
  // @ts-expect-error -- there is no such status
  await api.tasks.list({ status: ['finished'] })
  await api.tasks.list({ status: ['!done'], assigneeId: ['me'] })
  // @ts-expect-error -- tasks have no owner to expand
  await api.tasks.list({ expand: ['owner'] })
  // @ts-expect-error -- nor such a field to show
  await api.tasks.list({ fields: ['stage'] })
  // @ts-expect-error -- there is no such call
  await api.tasks.remove({ id: 'WEB-1' })
  // @ts-expect-error -- an update names its object
  await api.tasks.batch({ items: [{ action: 'update', data: { title: 'T' } }] })
  await api.tasks.batch({ items: [{ action: 'delete', externalSource: 'erp', externalId: '1' }] })
}

export async function events() {
  for await (const event of api.events.follow({ eventTypes: ['tasks.*'] })) {
    if (event.type === 'tasks.created') event.data.title.trim()
    // @ts-expect-error -- only events of tasks were asked for
    if (event.type === 'projects.created') return
  }
  for await (const event of api.events.follow()) {
    holds<Equal<typeof event.type, EventType>>()
    if (event.type === 'projects.updated') event.data.name.trim()
  }
  // @ts-expect-error -- there is no such type
  api.events.follow({ eventTypes: ['tasks.painted'] })
}

export async function errors(error: unknown) {
  if (isApiError(error, 'version_mismatch', 'not_found')) {
    holds<Equal<typeof error.code, 'version_mismatch' | 'not_found'>>()
    error.problem.detail.trim()
  }
  // @ts-expect-error -- there is no such code
  isApiError(error, 'missing')
  const codeOfUpdate: ErrorsOf<'tasks.update'> = 'version_mismatch'
  // @ts-expect-error -- a list meets no other version
  const codeOfList: ErrorsOf<'tasks.list'> = 'version_mismatch'
  return [codeOfUpdate, codeOfList]
}

export async function byName() {
  const task = await api.call('tasks.get', { id: 'WEB-1' })
  task.title.trim()
  const page = await api.call('tasks.list', { limit: 1 })
  void page.page.nextCursor
  // @ts-expect-error -- the id is missing
  await api.call('tasks.get', {})
}

export async function batches() {
  const results = await api.tasks.batchAll([{ action: 'create', data: { projectId: 'WEB', title: 'T' } }], {
    expand: ['project'],
  })
  void results[0]?.data?.project?.key
  void results[0]?.problem?.code
}
