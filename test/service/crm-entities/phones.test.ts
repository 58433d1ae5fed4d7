// Telephone numbers that wait to be read, a batch at a time: in a service that does nothing by itself.
import { expect, test } from 'vitest'
import { readWaitingPhones } from '../../../service/crm-entities/phone-rows.ts'
import { companyRow } from '../../prisma/rows.ts'
import { changeDeps } from '../../support/change-deps.ts'
import { onEachEngine } from '../../support/database-engines.ts'
import { sharedService, type WorkspaceInService } from '../quiet-service.ts'

const nothingRead = '00000000-0000-0000-0000-000000000000'

onEachEngine((kind) => {
  const newWorkspace = sharedService(kind)

  /** As they are after the migration: stored, and never read. */
  async function unread(count: number): Promise<WorkspaceInService> {
    const service = await newWorkspace()
    const { db, workspaceId } = service
    const data = Array.from({ length: count }, (_, at) => companyRow(workspaceId, { phones: [`030 100${at}`] }))
    await db.crmEntity.createMany({ data: [...data, companyRow(workspaceId)] })
    await db.workspace.update({ where: { id: workspaceId }, data: { phonesReadThrough: nothingRead } })
    return service
  }
  const numbersOf = async ({ db, workspaceId }: WorkspaceInService): Promise<string[]> =>
    (await db.crmPhone.findMany({ where: { workspaceId }, orderBy: { number: 'asc' } })).map(({ number }) => number)
  const countryOf = ({ call }: WorkspaceInService, defaultCountry: string | null) =>
    call('PATCH', '/workspaces/current', { defaultCountry })

  test('numbers that were stored before are read, a batch at a time, and then nothing waits', async () => {
    const service = await unread(5)
    const deps = changeDeps(service.db)
    const counts: number[] = []
    while (await readWaitingPhones(deps, 2)) counts.push((await numbersOf(service)).length)

    expect(counts).toEqual([2, 4, 5])
    expect(await numbersOf(service)).toEqual(['0301000', '0301001', '0301002', '0301003', '0301004'])
  })

  test('a country that changes while numbers are read begins anew; what is written meanwhile is read by the new one', async () => {
    const service = await unread(3)
    const deps = changeDeps(service.db)
    await readWaitingPhones(deps, 2)
    await countryOf(service, 'DE')
    await service.call('POST', '/crm-entities', { kind: 'company', name: 'New', phones: ['030 1009'] })
    expect(await numbersOf(service)).toContain('+49301009')

    while (await readWaitingPhones(deps, 2));

    expect(await numbersOf(service)).toEqual(['+49301000', '+49301001', '+49301002', '+49301009'])
    await countryOf(service, 'DE')
    expect(await readWaitingPhones(deps)).toBe(false)
  })
})
