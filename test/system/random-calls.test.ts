// Random sequences of calls on projects, tasks and CRM entities, checked against a model that predicts each answer. In
// the end lists, counts and the feed must agree with the model.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { describeModes, must, sharedSystem, type Answer, type Mode, type Tenant } from '../support/system.ts'
import { emptyModel, isHidden, isLive, kinds, ofKind, type Kind, type Model, type Thing } from './model/state.ts'
import { beginning, steps } from './model/steps.ts'

type Body = Answer['body']

const lives = 20
const stepsMost = 60
/** On a quiet machine it takes a few seconds. */
const perModeMs = 300_000
/** In each mode others are lived. */
const seedIn = (mode: Mode): number => (fc.readConfigureGlobal().seed ?? 0) + modesOfAll.indexOf(mode)
const modesOfAll: readonly Mode[] = ['standalone', 'distributed']
const nameOf = ({ id, version }: { id: string; version: number }): string => `${id}@${version}`

async function assertLists(model: Model, tenant: Tenant): Promise<void> {
  const get = async (path: string): Promise<Body> => must(await tenant.api('GET', `/api/v1${path}`))
  for (const kind of kinds) {
    const archived = kind === 'projects' ? '&includeArchived=true' : ''
    const query = `sort=createdAt&limit=200${archived}`
    const [shown, all] = [ofKind(model, kind).filter(isLive), ofKind(model, kind).filter((each) => !isHidden(each))]
    const seen = (await get(`/${kind}?${query}`)).data.map((each: Body) => [nameOf(each), each[stated(kind)] ?? null])
    expect([kind, ...seen]).toEqual([kind, ...shown.map((each) => [nameOf(each), each.status])])
    const withDeleted = (await get(`/${kind}?${query}&includeDeleted=true`)).data
    expect([kind, ...withDeleted.map(nameOf)]).toEqual([kind, ...all.map(nameOf)])
    const { total, groups } = await get(`/${kind}/count?groupBy=${stated(kind)}${archived}`)
    expect([kind, total, tallyOf(groups)]).toEqual([kind, shown.length, tallyOf(countsIn(shown))])
  }
  const usual = (await get('/projects?sort=createdAt&limit=200')).data.map(({ id }: Body) => id)
  expect(usual).toEqual(
    ofKind(model, 'projects')
      .filter((each) => isLive(each) && !each.archived)
      .map(({ id }) => id),
  )
}

async function assertFeed({ events }: Model, tenant: Tenant, start: number): Promise<void> {
  const { data } = must(await tenant.api('GET', `/api/v1/events?after=${start}&limit=200`))
  expect(data.map(({ type, resource }: Body) => `${type} ${nameOf(resource)}`)).toEqual(events)
  expect(data.map(({ sequence }: Body) => sequence)).toEqual(events.map((_event, n) => start + 1 + n))
  expect(data.map(({ occurredAt }: Body) => occurredAt)).toEqual(
    [...new Set<string>(data.map(({ occurredAt }: Body) => occurredAt))].toSorted((a, b) => (a < b ? -1 : 1)),
  )
}

describeModes('random lives', (mode) => {
  const { system } = sharedSystem(mode)

  test(
    'every step is answered as the model says, and afterwards lists, counts and feed agree with it',
    async () => {
      const eventCounts: number[] = []
      const life = fc.tuple(beginning, fc.commands(steps, { maxCommands: stepsMost, size: 'max' }))
      await fc.assert(
        fc.asyncProperty(life, async ([first, commands]) => {
          const tenant = await system.tenant()
          const start = await tenant.lastSequence()
          const model = emptyModel()

          for (const command of first) await command.run(model, tenant)
          await fc.asyncModelRun(() => ({ model, real: tenant }), commands)
          eventCounts.push(model.events.length)

          await assertLists(model, tenant)
          await assertFeed(model, tenant, start)
        }),
        { numRuns: lives, seed: seedIn(mode) },
      )
      expect(eventCounts).toHaveLength(lives)
      expect(eventCounts.filter((events) => events >= 10).length).toBeGreaterThanOrEqual(lives / 2)
    },
    perModeMs,
  )
})

const stated = (kind: Kind): string => (kind === 'crm-entities' ? 'stage' : 'status')

type Group = { readonly value: string | null; readonly count: number }

const countsIn = (things: readonly Thing[]): Group[] =>
  [...Map.groupBy(things, ({ status }) => status)].map(([value, of]) => ({ value, count: of.length }))
const tallyOf = (groups: readonly Group[]): string[] =>
  groups.map(({ value, count }) => `${value} ${count}`).toSorted((a, b) => (a < b ? -1 : 1))
