// PGlite and Postgres in any locale say the same of capitals and of the order of letters.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshDatabase, localizedDatabase } from '../support/database.ts'
import { services } from '../support/services.ts'
import { must, startSystem, type System, type Tenant } from '../support/system.ts'
import { callsOf } from './calls.ts'

const databases = [
  ['PGlite', () => freshDatabase('pglite')],
  ['Postgres in tr-TR', () => localizedDatabase('tr-TR')],
  ['Postgres in C', () => localizedDatabase('C')],
] as const

describe.each(databases)('on %s', (name, open) => {
  const isLacking = name !== 'PGlite' && services().postgres === null
  describe.skipIf(isLacking)('whatever its locale', () => {
    let system: System
    let tenant: Tenant
    beforeAll(async () => {
      // Nothing but the database differs: limits and broker are in memory.
      system = await startSystem('standalone', {}, undefined, await open())
      tenant = await system.tenant()
    }, 60_000)
    afterAll(() => system?.[Symbol.asyncDispose]())

    const get = async (path: string, query: Record<string, string> = {}) =>
      must(await tenant.api('GET', `/api/v1${path}?${new URLSearchParams(query).toString()}`))
    const titlesFor = async (q: string): Promise<string[]> =>
      (await get('/search', { q })).data.map(({ title }: { title: string }) => title)

    test('what is found in another case is shown in the snippet, near the beginning and far from it', async () => {
      const far = 'Nichts davon. '.repeat(300)
      for (const word of ['Straßenbau', 'İstanbul', 'ΟΔΟΣ'])
        for (const content of [`Es geht um ${word} hier.`, `${far} Es geht um ${word} hier.`])
          must(await tenant.api('POST', '/api/v1/documents', { title: 'Bau', content }))

      for (const [q, word] of [
        ['STRASSEN', 'Straßenbau'],
        ['istanbul', 'İstanbul'],
        ['ISTANBUL', 'İstanbul'],
        ['οδος', 'ΟΔΟΣ'],
      ] as const) {
        const { data } = await get('/search', { q })
        expect(data).toHaveLength(2)
        for (const { snippet } of data) expect(snippet).toContain(`um **${word}** hier.`)
      }
    })

    test('projects and tasks are found by keys and identifiers in letters of either case', async () => {
      const project = must(await tenant.api('POST', '/api/v1/projects', { key: 'INFI', name: 'Pipes' }))
      const task = must(await tenant.api('POST', '/api/v1/tasks', { projectId: 'infi', title: 'Weld' }))

      expect(task).toMatchObject({ projectId: project.id, identifier: 'INFI-1' })
      for (const written of ['infi', 'INFI', 'Infi']) {
        expect((await get(`/projects/${written}`)).id).toBe(project.id)
        expect((await get(`/tasks/${written}-1`)).id).toBe(task.id)
        expect((await get('/tasks', { projectId: written })).data).toHaveLength(1)
        expect(await titlesFor(`${written}-1`)).toEqual(['Weld'])
      }
    })

    test.each([
      ['Straßenbau', ['STRASSEN', 'strassenbau', 'straßen', 'Straszenbau']],
      ['INITIAL INVOICE', ['initial', 'Invoice', 'ınıtıal', 'invoicce']],
      ['Ärztehaus Übersee', ['ÄRZTE', 'übersee', 'ärztehaus ü']],
      ['Istanbul İzmir Iğdır', ['izmir', 'IZMIR', 'istanbul', 'iğdir', 'IĞDIR']],
      ['ΟΔΟΣ Σοφίας', ['οδος', 'ΟΔΟΣ', 'οδοσ', 'σοφίας', 'ΣΟΦΊΑΣ']],
      ['Дом „Под ёлкой“', ['дом', 'ПОД', 'ёлкой', 'ЁЛК']],
    ])('%s is found in the title and in the text, in letters of either case', async (text, queries) => {
      const within = { title: `In ${text.length}`, content: `They said: “${text}”` }
      for (const document of [{ title: text, content: 'Nothing' }, within])
        must(await tenant.api('POST', '/api/v1/documents', document))

      for (const q of queries) {
        const found = await titlesFor(q)
        expect(found, q).toContain(text)
        // What is misspelt is looked for in titles.
        if (!['Straszenbau', 'invoicce'].includes(q)) expect(found, q).toContain(`In ${text.length}`)
      }
    })

    test('names come in the order of Unicode, in every list and on every page', async () => {
      const who = callsOf(await system.tenant())
      const words = 'zebra Zebra Äpfel apple Apple Öl oil ızgara IZGARA izgara Straße strasse -dash ab a-c éa eb'
      const names = [...words.split(' '), '10 items', '9 items', 'a b', ...'Ёлка елка яма 漢字 ω Ω'.split(' ')]
      const expected = names.toSorted(new Intl.Collator('und').compare)
      for (const name of names.toReversed()) {
        await who.post('/projects', { name })
        await who.post('/crm-entities', { kind: 'company', name })
        await who.post('/documents', { title: name })
      }
      for (const [path, title] of [
        ['/projects?sort=name', 'name'],
        ['/crm-entities?sort=name', 'name'],
        ['/documents?sort=title', 'title'],
      ] as const) {
        const found: string[] = []
        for (let cursor: string | null = ''; cursor !== null;) {
          const { data, page } = await who.get(`${path}&limit=5${cursor && `&cursor=${cursor}`}`)
          found.push(...data.map((each: Record<string, string>) => each[title]))
          cursor = page.nextCursor
        }
        expect(found, path).toEqual(expected)
      }
    })

    test('a company is found by the beginning of its domain and of an email, a member by a part of the name', async () => {
      const company = { kind: 'company', name: 'Globex', domains: ['INIT.example.com'] }
      const contact = { kind: 'contact', firstName: 'Grace', emails: ['Iris.Ink@example.com'] }
      for (const entity of [company, contact]) must(await tenant.api('POST', '/api/v1/crm-entities', entity))
      must(await tenant.settings('POST', '/members', { name: 'Ida Groß', email: 'Ida.Inga@example.com' }))

      for (const q of ['init', 'INIT.EX']) expect(await titlesFor(q)).toContain('Globex')
      for (const q of ['iris.ink@', 'IRIS.I']) expect(await titlesFor(q)).toContain('Grace')
      expect((await get('/crm-entities', { email: 'IRIS.INK@EXAMPLE.COM' })).data).toHaveLength(1)
      for (const q of ['ida', 'IDA', 'GROSS', 'inga@', 'INGA@EX'])
        expect((await get('/members', { q })).data, q).toMatchObject([{ name: 'Ida Groß' }])
    })
  })
})
