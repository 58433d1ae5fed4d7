// An item of a batch that is refused only because an earlier one was says so, and one with a fault of its own does not.
import { expect, test } from 'vitest'
import { scopes } from '#contract/scopes.ts'
import { callTool } from '../support/mcp.ts'
import { describeModes, must, sharedSystem, type Answer } from '../support/system.ts'

type Body = Answer['body']
const erp = (externalId: string) => ({ externalSource: 'erp', externalId })
const nobody = '01999999-0000-7000-8000-000000000000'

describeModes('an item that builds on an earlier one', (mode) => {
  const { tenant } = sharedSystem(mode)

  /** Each item's code, with the index that it names. */
  async function codes(items: readonly object[], segment = 'projects', who = tenant): Promise<(string | number)[]> {
    const { results } = must(await who.api('POST', `/api/v1/${segment}/batch`, { items }))
    return results.map(({ status, problem }: Body) =>
      problem === undefined
        ? status
        : [problem.code, problem.failedIndex].filter((part) => part !== undefined).join(' '),
    )
  }
  const project = async (body: object = {}): Promise<Body> =>
    must(await tenant.api('POST', '/api/v1/projects', { name: 'Website', ...body }))

  test('is told that the object it names was not made, by the id of its caller or by a key', async () => {
    const bad = { priority: 'extreme' }

    expect(
      await codes([
        { action: 'upsert', ...erp('a'), data: { name: 'x', ...bad } },
        { action: 'update', ...erp('a'), data: { name: 'y' } },
        { action: 'delete', ...erp('a') },
        { action: 'create', data: { name: 'x', ...erp('b'), ...bad } },
        { action: 'restore', ...erp('b') },
        { action: 'create', data: { name: 'x', key: 'NEVER', ...bad } },
        { action: 'update', id: 'never', data: { name: 'y' } },
        { action: 'update', ...erp('c'), data: { name: 'y' } },
        { action: 'merge', ...erp('c') },
        { action: 'delete', ...erp('c') },
      ]),
    ).toEqual([
      'validation_failed',
      'depends_on_failed 0',
      'depends_on_failed 0',
      'validation_failed',
      'depends_on_failed 3',
      'validation_failed',
      'depends_on_failed 5',
      'not_found',
      'validation_failed',
      'not_found',
    ])
  })

  test('is told the reason that it has by itself, over HTTP and in `objects.bulk`', async () => {
    const items = [
      { action: 'upsert', ...erp('reason'), data: { name: 'a\u0000b' } },
      { action: 'update', ...erp('reason'), data: { name: 'y' } },
    ]

    const { results } = must(await tenant.api('POST', '/api/v1/projects/batch', { items }))
    const { structured } = await callTool(tenant, 'objects.bulk', { type: 'projects', items })

    expect(results[1]).toMatchObject({
      status: 424,
      ...erp('reason'),
      problem: { code: 'depends_on_failed', failedIndex: 0, reason: 'not_found', instance: '#/items/1' },
    })
    expect(structured.outcomes[1]).toMatchObject({
      code: 'depends_on_failed',
      detail: expect.stringContaining('Item 0, which it builds on, was refused.'),
    })
  })

  test('is told so of a task that its project did not get', async () => {
    const { id, key } = await project({ key: 'DEPEND' })
    const task = (title: string, more: object = {}) => ({ action: 'create', data: { projectId: id, title, ...more } })

    expect(
      await codes(
        [
          task(''),
          task('Child', { parentTaskId: `${key}-1` }),
          task('Blocked', { blockedByIds: ['DEPEND-1'] }),
          { action: 'create', data: { projectId: key, title: '' } },
          { action: 'update', id: 'depend-1', data: { title: 'x' } },
          task('Elsewhere', { parentTaskId: nobody }),
          task('Fine'),
        ],
        'tasks',
      ),
    ).toEqual([
      'validation_failed',
      'depends_on_failed 0',
      'depends_on_failed 1',
      'validation_failed',
      'depends_on_failed 3',
      'reference_not_found',
      201,
    ])
  })

  test('is told that the object was not changed, deleted or restored before', async () => {
    const [one, gone] = [await project(), await project()]
    const document = must(await tenant.api('POST', '/api/v1/documents', { title: 'x' }))
    must(await tenant.api('DELETE', `/api/v1/projects/${gone.id}`))
    const careful = await tenant.key(scopes.filter((scope) => scope !== 'projects:delete'))

    const ofVersions = await codes([
      { action: 'update', id: one.id, expectedVersion: 1, data: { name: '' } },
      { action: 'update', id: one.id.toUpperCase(), expectedVersion: 2, data: { name: 'Second' } },
      { action: 'update', id: one.id, expectedVersion: 9, data: { name: 'Ninth' } },
    ])
    const ofDeletion = await codes(
      [
        { action: 'delete', id: one.id },
        { action: 'restore', id: one.id },
        { action: 'restore', id: gone.id, data: {}, expectedVersion: 1 },
        { action: 'update', id: gone.id, data: { name: 'x' } },
      ],
      'projects',
      careful,
    )
    const ofState = await codes(
      [
        { action: 'update', id: document.id, data: { status: 'published', title: '' } },
        { action: 'update', id: document.id, data: { status: 'archived' } },
        { action: 'update', id: document.id, data: { title: '' } },
      ],
      'documents',
    )

    expect(ofVersions).toEqual(['validation_failed', 'depends_on_failed 0', 'version_mismatch'])
    expect(ofDeletion).toEqual(['insufficient_scope', 'depends_on_failed 0', 'unknown_field', 'depends_on_failed 2'])
    expect(ofState).toEqual(['validation_failed', 'depends_on_failed 0', 'validation_failed'])
  })

  test('is told that the object which has its value was to give it up', async () => {
    const company = (name: string, domains: string[]) => ({ kind: 'company', name, domains })
    const holder = must(await tenant.api('POST', '/api/v1/crm-entities', company('Old', ['example.com'])))

    expect(
      await codes(
        [
          { action: 'update', id: holder.id, data: { domains: [], name: '' } },
          { action: 'create', data: company('New', ['example.com']) },
          { action: 'update', id: holder.id, data: { name: '' } },
        ],
        'crm-entities',
      ),
    ).toEqual(['validation_failed', 'depends_on_failed 0', 'validation_failed'])
    expect(
      await codes(
        [
          { action: 'update', id: holder.id, data: { name: '' } },
          { action: 'create', data: company('New', ['example.com']) },
        ],
        'crm-entities',
      ),
    ).toEqual(['validation_failed', 'duplicate'])
  })
})
