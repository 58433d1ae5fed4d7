// If-Match and If-None-Match mean what RFC 9110 says, for every operation.
import { expect, test } from 'vitest'
import { operations } from '#contract/api.ts'
import { changes, methodOf, pathOf, type Operation } from '#contract/operation.ts'
import { parameterNames, pathFor } from '#contract/route-paths.ts'
import { neededBy } from '../support/client.ts'
import { sampleInput } from '../support/sample-value.ts'
import { describeModes, must, sharedSystem } from '../support/system.ts'

const missingId = '01999999-0000-7000-8000-000000000000'
const isConditional = ({ input }: Operation): boolean => 'expectedVersion' in input.properties
const ofOne = (operation: Operation): boolean => parameterNames(pathOf(operation)).join() === 'id'
const changing = operations.filter((each) => each.audiences.includes('api') && changes(each))

describeModes('preconditions', (mode) => {
  const { tenant } = sharedSystem(mode)

  const project = async (): Promise<string> =>
    `/api/v1/projects/${must(await tenant.api('POST', '/api/v1/projects', { name: 'Website' })).id}`
  const call = (operation: Operation, id: string, headers: Record<string, string>) => {
    const input = { ...sampleInput(operation.input), ...neededBy(operation), id: undefined }
    const body = methodOf(operation) === 'DELETE' ? undefined : input
    const path = pathFor(operation, 'api').replace('{id}', id)
    return tenant.api(methodOf(operation), path.replaceAll(/\{\w+\}/g, missingId), body, headers)
  }

  test.each(changing.filter((each) => isConditional(each) && ofOne(each)).map((each) => [each.name, each] as const))(
    '%s takes a list of tags, compares strongly, and If-None-Match: * of what exists is 412',
    async (_name, operation) => {
      const id = await tenant.make(operation)
      if (id === undefined) throw new Error(`There is no way to make what ${operation.name} is called on`)
      const sequence = await tenant.lastSequence()

      const excluded = await call(operation, id, { 'if-none-match': '*' })
      const weak = await call(operation, id, { 'if-match': 'W/"1"' })
      const other = await call(operation, id, { 'if-match': '"8", "9"' })
      const unchanged = await tenant.eventTypesAfter(sequence)
      const listed = await call(operation, id, { 'if-match': '"9", "1"', 'if-none-match': '"9"' })

      expect(excluded).toMatchObject({ status: 412, body: { code: 'precondition_failed', existingId: id } })
      for (const answer of [weak, other])
        expect(answer).toMatchObject({ status: 412, body: { code: 'version_mismatch', currentVersion: 1 } })
      expect(unchanged).toEqual([])
      expect(listed.status).toBe(operation.success)
    },
  )

  test.each(changing.filter((each) => !isConditional(each)).map((each) => [each.name, each] as const))(
    '%s has no version to judge, and refuses conditions by name',
    async (_name, operation) => {
      for (const header of ['If-Match', 'If-None-Match']) {
        expect(await call(operation, missingId, { [header]: '*' })).toMatchObject({
          status: 400,
          body: { code: 'invalid_header', errors: [{ header }] },
        })
      }
    },
  )

  test('a read is 304 for a matching If-None-Match and 412 for an If-Match that does not match', async () => {
    const path = await project()
    const read = async (headers: Record<string, string>) => (await tenant.api('GET', path, undefined, headers)).status

    for (const known of ['"1"', 'W/"1"', '"7","1"', '*']) expect(await read({ 'if-none-match': known })).toBe(304)
    for (const other of ['"11"', '"7", "21"', '"x1"']) expect(await read({ 'if-none-match': other })).toBe(200)
    for (const held of ['"1"', '"7", "1"', '*']) expect(await read({ 'if-match': held })).toBe(200)
    for (const lost of ['"2"', 'W/"1"']) expect(await read({ 'if-match': lost })).toBe(412)
    expect(await read({ 'if-none-match': '1' })).toBe(400)
  })

  test('deleting what is deleted already succeeds, whatever the precondition', async () => {
    const path = await project()
    must(await tenant.api('DELETE', path))

    for (const condition of ['"1"', '*', 'W/"9"']) {
      expect((await tenant.api('DELETE', path, undefined, { 'if-match': condition })).status).toBe(204)
    }
    expect(await tenant.api('PATCH', path, { name: 'x' }, { 'if-match': '*' })).toMatchObject({ status: 404 })
  })
})
