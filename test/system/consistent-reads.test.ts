// Every way to read shows each write: after each random write of any kind of object, copies kept by the feed and by
// lists, answers that a caller has kept, and the search agree with a full read.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { describeMode, sharedSystem, type Tenant } from '../support/system.ts'
import { assertFound, assertKept, assertNotFound, keep, type Answers } from './consistent-reads/answers.ts'
import { copyByFeed, copyByLists, fullRead, sorted } from './consistent-reads/copies.ts'
import { act, beginning, inOneLife, life, type Draw, type Known } from './consistent-reads/writes.ts'

const lives = 2
const searched = new Set(['projects', 'tasks', 'crm-entities', 'documents'])

async function live(tenant: Tenant, drawn: readonly Draw[], done: Map<string, number>): Promise<void> {
  const known: Known = { names: 0 }
  const answers: Answers = new Map()
  const [byFeed, byLists] = [await copyByFeed(tenant), copyByLists(tenant)]
  let before = await fullRead(tenant)
  for (const draw of [...beginning, ...drawn]) {
    const acted = await act(known, draw, tenant)
    if (acted === null) continue
    const { asked, status } = acted
    expect([asked, status < 500]).toEqual([asked, true])
    const now = await fullRead(tenant)
    for (const copy of [byFeed, byLists]) {
      await copy.follow()
      expect([asked, sorted(copy.objects)]).toEqual([asked, sorted(now)])
    }
    await assertKept(answers, tenant, asked)
    for (const [name, object] of sorted(now)) {
      const [kind = '', id = ''] = name.split(' ')
      if (JSON.stringify(before.get(name)) === JSON.stringify(object) || !searched.has(kind)) continue
      await assertFound(kind, object, tenant, asked)
      await keep(answers, tenant, kind, id)
    }
    for (const [name, object] of before)
      if (searched.has(name.split(' ')[0] ?? '') && !now.has(name))
        await assertNotFound(object.id, object.title ?? object.name, tenant, asked)
    before = now
    if (status < 300) done.set(draw.write, (done.get(draw.write) ?? 0) + 1)
  }
}

// The statements are the same in every mode.
describeMode('after every write', 'distributed', () => {
  const { system } = sharedSystem('distributed')

  test('copies, kept answers and search agree with a full read', async () => {
    const done = new Map<string, number>()

    await fc.assert(
      fc.asyncProperty(life, async (drawn) => live(await system.tenant(), drawn, done)),
      { numRuns: lives, endOnFailure: true },
    )

    expect([...done.keys()].toSorted()).toEqual([...new Set(inOneLife)].toSorted())
  }, 240_000)
})
