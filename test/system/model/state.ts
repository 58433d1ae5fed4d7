// What the API must have in it after the steps so far, in as few words as can be.
export const kinds = ['projects', 'tasks', 'crm-entities'] as const
export type Kind = (typeof kinds)[number]

export type Thing = {
  readonly kind: Kind
  readonly id: string
  readonly externalId: string | null
  /** Of a task; the others have none. */
  project: Thing | null
  version: number
  name: string
  /** A company has none. */
  status: string | null
  deleted: boolean
  archived: boolean
  mergedInto: Thing | null
  /** How many numbers a project has given to tasks. */
  numbers: number
}
export type Model = { readonly things: Thing[]; readonly events: string[] }

export const emptyModel = (): Model => ({ things: [], events: [] })

type Start = Pick<Thing, 'kind' | 'id' | 'name' | 'status'> & Partial<Pick<Thing, 'externalId' | 'project'>>

export function add(model: Model, start: Start): void {
  const thing: Thing = {
    externalId: null,
    project: null,
    version: 1,
    deleted: false,
    archived: false,
    mergedInto: null,
    numbers: 0,
    ...start,
  }
  if (thing.project !== null) thing.project.numbers += 1
  model.things.push(thing)
  tell(model, thing, 'created')
}

export function bump(model: Model, thing: Thing, change: Partial<Thing>, event: string): void {
  Object.assign(thing, change, { version: thing.version + 1 })
  tell(model, thing, event)
}

const tell = ({ events }: Model, { kind, id, version }: Thing, event: string): void =>
  void events.push(`${kind}.${event} ${id}@${version}`)

export const isHidden = ({ project }: Thing): boolean => project?.deleted === true
export const isLive = (thing: Thing): boolean => !thing.deleted && !isHidden(thing)
export const ofKind = ({ things }: Model, kind: Kind): Thing[] => things.filter((thing) => thing.kind === kind)

/** Any of them, as long as there is one. */
export function pick(model: Model, kind: Kind, n: number): Thing | undefined {
  const candidates = ofKind(model, kind)
  return candidates[n % candidates.length]
}

const open = {
  projects: ['planned', 'active', 'paused'],
  tasks: ['backlog', 'todo', 'in_progress', 'blocked'],
  'crm-entities': ['new', 'qualified', 'proposal', 'negotiation'],
} as const
const ended = {
  projects: ['completed', 'cancelled'],
  tasks: ['done', 'cancelled'],
  'crm-entities': ['won', 'lost'],
} as const

export const statusesOf = (kind: Kind): readonly string[] => [...open[kind], ...ended[kind]]

export function canMove(kind: Kind, from: string | null, to: string): boolean {
  const isEnded = (ended[kind] as readonly (string | null)[]).includes(from)
  if (from === to || !isEnded) return true
  return kind === 'projects' ? to === 'active' : (open[kind] as readonly string[]).includes(to)
}
