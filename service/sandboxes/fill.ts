// Fills a sandbox with the sample company, by the operations that anybody would call, within one change: either all of
// it is there, with its events, or nothing.
import type { OperationName, OperationNamed } from '#contract/api.ts'
import type { Output } from '#contract/operation.ts'
import { scopes } from '#contract/scopes.ts'
import type { Call, Handle } from '../execution/call.ts'
import * as sample from './sample-company.ts'

/**
 * No sample field is required, so what gives none is not checked for any. Sample data takes nothing of the quotas for
 * objects, needs no scope of its own, and is one entry of the audit log.
 */
const unlimited = ({ principal }: Call): Partial<Call> => ({
  hasCustomFields: false,
  quotaRoom: null,
  audit: () => {},
  principal: { ...principal, scopes: [...scopes] },
})

/** `call`: of the sandbox, which holds no objects. Members who are there already are not added again. */
export async function fillSandbox(handle: Handle, call: Call): Promise<void> {
  let made = 0
  /** Each a millisecond later than the one before, so that times stay in the order of changes. */
  async function run<N extends OperationName>(name: N, input: sample.InputOf<N>): Promise<Output<OperationNamed<N>>> {
    const part = call.subcall(new Date(call.now.getTime() + made++))
    const output = await handle(name, input, { ...part.call, ...unlimited(call) })
    part.keep()
    // The handler of an operation returns its output.
    return output as Output<OperationNamed<N>>
  }
  async function each<N extends OperationName>(name: N, inputs: readonly sample.InputOf<N>[]): Promise<string[]> {
    const ids: string[] = []
    for (const input of inputs) ids.push(((await run(name, input)) as { readonly id: string }).id)
    return ids
  }

  const { now } = call
  const owners = await membersOf(call, (missing) => each('members.add', missing))
  await each('custom-fields.create', sample.customFields)
  const companies = await each('crm-entities.create', sample.companies(owners, now))
  const contacts = await each('crm-entities.create', sample.contacts(companies))
  await each('crm-entities.create', sample.deals(companies, contacts, owners, now))
  const projects = await each('projects.create', sample.projects(companies, owners, now))
  const tasks = await each('tasks.create', sample.tasks(projects, companies, owners, now))
  await each('documents.create', sample.documents(projects))
  await each('tasks.create-comment', sample.comments(tasks))
}

type Add = (members: typeof sample.members) => Promise<string[]>

/** Returns the ids of the sample members. */
async function membersOf({ db, workspaceId }: Call, add: Add): Promise<string[]> {
  const emails = sample.members.map(({ email }) => email)
  const there = await db.member.findMany({
    where: { workspaceId, deletedAt: null, email: { in: emails } },
    select: { id: true, email: true },
  })
  const known = new Set(there.map(({ email }) => email))
  const added = await add(sample.members.filter(({ email }) => !known.has(email)))
  return [...there.map(({ id }) => id), ...added]
}
