// What an integrator relies on when reading and writing projects, beyond what the walks over all collections check.
// Operations: projects.unarchive.
import { expect, test } from 'vitest'
import { logger } from '#runtime/log.ts'
import { startTiers } from '../../standalone/tiers.ts'
import { clientOf } from '../support/client.ts'
import { describeModes, must, sharedSystem, type Answer, type Tenant } from '../support/system.ts'

const projects = '/api/v1/projects'

describeModes('projects', (mode) => {
  const { system, tenant } = sharedSystem(mode)

  const create = async (body: object, who: Tenant = tenant) => must(await who.api('POST', projects, body))
  const patch = (id: string, body: object, headers = {}) => tenant.api('PATCH', `${projects}/${id}`, body, headers)
  const once = (body: object, key: string) => tenant.api('POST', projects, body, { 'idempotency-key': key })
  const replayed = ({ headers }: Answer) => headers.get('idempotency-replayed')

  test('a created project has its Location and ETag, a key made of its name, and can be read there', async () => {
    // The key is made of the name, where no project has it yet.
    const fresh = await system.tenant()

    const answer = await fresh.api('POST', projects, { name: 'Website', labels: ['b', 'a'], dueDate: '2026-12-24' })

    expect([answer.status, answer.headers.get('etag')]).toEqual([201, '"1"'])
    expect(await fresh.api('GET', answer.headers.get('location')!)).toMatchObject({ status: 200, body: answer.body })
    const createdBy = { type: 'api_key', id: fresh.keyId }
    expect(answer.body).toMatchObject({ key: 'WEB', labels: ['b', 'a'], dueDate: '2026-12-24', createdBy })
  })

  test('of two changes for the same version exactly one wins', async () => {
    const { id } = await create({ name: 'Contested' })

    const answers = await Promise.all(['A', 'B', 'C', 'D'].map((name) => patch(id, { name }, { 'if-match': '"1"' })))

    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 412, 412, 412])
  })

  test('a duplicate key or external id is refused with the id of the other project', async () => {
    const taken = await create({ name: 'Website', key: 'TAKEN', externalSource: 'crm', externalId: '7' })
    const { id } = await create({ name: 'Other' })

    const byKey = await tenant.api('POST', projects, { name: 'x', key: 'TAKEN' })
    const byExternalId = await patch(id, { externalSource: 'crm', externalId: '7' })

    const duplicate = { code: 'duplicate', existingId: taken.id }
    expect(byKey).toMatchObject({ status: 409, body: { ...duplicate, field: 'key' } })
    expect(byExternalId).toMatchObject({ status: 409, body: { ...duplicate, field: 'externalId' } })
  })

  test('sixty projects of one name at once all get different keys, and their events have no gap', async () => {
    const fresh = await system.tenant()
    const before = await fresh.lastSequence()

    const made = await Promise.all(Array.from({ length: 60 }, () => create({ name: 'Same' }, fresh)))

    expect(new Set(made.map(({ key }) => key)).size).toBe(60)
    const { data } = must(await fresh.settings('GET', `/events?after=${before}&limit=200`))
    expect(data.map(({ sequence }: Answer['body']) => sequence)).toEqual(made.map((_each, n) => before + 1 + n))
  })

  test.each([
    ['of four bytes a character', '🚀'],
    ['of quotation marks, which JSON escapes', '"'],
    ['of backslashes, which JSON escapes', '\\'],
  ])('pages follow one another over the longest names %s', async (_name, character) => {
    const fresh = await system.tenant()
    for (const last of ['a', 'b']) await create({ name: character.repeat(199) + last }, fresh)
    const page = async (more: string) => must(await fresh.api('GET', `${projects}?sort=name&limit=1${more}`))

    const first = await page('')
    const next = await page(`&cursor=${first.page.nextCursor}`)

    expect(next.data[0].name > first.data[0].name).toBe(true)
  })

  test('an Idempotency-Key stands for one request: in quotes too, and with a refusal of its input', async () => {
    const [first, second] = [await once({ name: 'Once' }, 'k-1'), await once({ name: 'Once' }, '"k-1"')]
    const refused = await once({ name: 7 }, 'k-2')

    expect(second).toMatchObject({ status: 201, body: first.body })
    expect([replayed(first), replayed(second)]).toEqual([null, 'true'])
    expect(refused).toMatchObject({ status: 422, body: { code: 'validation_failed' } })
    for (const key of ['k-1', 'k-2'])
      expect((await once({ name: 'Two' }, key)).body).toMatchObject({ code: 'idempotency_key_reused' })
  })

  test('a refusal that depends on the moment is not kept: the same request is tried again', async () => {
    const wanted = { name: 'x', key: 'MOMENT' }
    const { id } = await create(wanted)
    const archive = () =>
      tenant.api('POST', `${projects}/${crypto.randomUUID()}/archive`, undefined, { 'idempotency-key': 'nowhere' })
    const absent = [await archive(), await archive()]
    expect((await once(wanted, 'moment')).body).toMatchObject({ code: 'duplicate' })
    must(await patch(id, { key: 'OTHER' }))

    const again = await once(wanted, 'moment')

    expect(again).toMatchObject({ status: 201, body: { key: 'MOMENT' } })
    expect(absent.map(({ status }) => status)).toEqual([404, 404])
    expect([again, ...absent].map(replayed)).toEqual([null, null, null])
  })

  test('equal requests at the same time, on two services, make one project and get equal answers', async () => {
    const other = mode === 'distributed' ? await startTiers(system.settings, system.db, logger('fatal', 'other')) : null
    const before = await tenant.lastSequence()
    const headers = { authorization: `Bearer ${tenant.secret}`, 'idempotency-key': 'raced' }
    const post = (url: string) => clientOf(url, '').call('POST', projects, { name: 'Raced' }, headers)

    const urls = [system.url, other?.url ?? system.url]
    const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => post(urls[n % 2]!)))

    await other?.close()
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1)
    expect(await tenant.eventTypesAfter(before)).toEqual(['projects.created'])
  })
})
