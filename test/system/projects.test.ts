// What an integrator relies on when reading and writing projects, beyond what the walks over all collections check.
// Operations: projects.archive, projects.unarchive.
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

  test('of two changes for the same version exactly one wins', async () => {
    const { id } = await create({ name: 'Contested' })

    const answers = await Promise.all(['A', 'B', 'C', 'D'].map((name) => patch(id, { name }, { 'if-match': '"1"' })))

    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 412, 412, 412])
  })

  test('sixty projects of one name at once all get different keys, and their events have no gap', async () => {
    const fresh = await system.tenant()
    const before = await fresh.lastSequence()

    const made = await Promise.all(Array.from({ length: 60 }, () => create({ name: 'Same' }, fresh)))

    expect(new Set(made.map(({ key }) => key)).size).toBe(60)
    const { data } = must(await fresh.settings('GET', `/events?after=${before}&limit=200`))
    expect(data.map(({ sequence }: Answer['body']) => sequence)).toEqual(made.map((_each, n) => before + 1 + n))
  })

  test.each(['🚀', '"', '\\'])('pages follow one another over the longest names, of %s alone', async (character) => {
    const fresh = await system.tenant()
    for (const last of ['a', 'b']) await create({ name: character.repeat(254) + last }, fresh)
    const page = async (more: string) => must(await fresh.api('GET', `${projects}?sort=name&limit=1${more}`))

    const first = await page('')
    const next = await page(`&cursor=${first.page.nextCursor}`)

    expect(next.data[0].name > first.data[0].name).toBe(true)
  })

  test('a refusal that depends on the moment, as of a duplicate, is not kept: the same request is tried again, its key in quotes or not', async () => {
    const wanted = { name: 'x', key: 'MOMENT' }
    const { id } = await create(wanted)
    const refused = await once(wanted, 'moment')
    must(await patch(id, { key: 'OTHER' }))

    const again = await once(wanted, 'moment')
    const quoted = await once(wanted, '"moment"')

    expect(refused).toMatchObject({ status: 409, body: { code: 'duplicate', field: 'key', existingId: id } })
    expect([again.status, replayed(again)]).toEqual([201, null])
    expect([quoted.status, quoted.body, replayed(quoted)]).toEqual([201, again.body, 'true'])
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
